import { defaultMetric, type Metric, metrics } from '../../core/metric.ts';

export const priceRuleKinds = [
  'priceBelow',
  'percentileBelow',
  'lowestInDays',
  'changePercent',
  'indexChange',
  'backInStock',
  'supplyBelow',
  'bidSpread',
] as const;
/** Rules of a watch, judged at each complete book. */
export type PriceRuleKind = (typeof priceRuleKinds)[number];

const eventRuleKinds = [
  'burnAbove',
  'budget',
  'dataAge',
  'crawlPartial',
  'instanceState',
  'idleGpu',
  'cheaperEqual',
  'delivery',
] as const;

export const ruleKinds = [...priceRuleKinds, ...eventRuleKinds] as const;
export type RuleKind = (typeof ruleKinds)[number];

/** Whether a kind is one of a watch. */
export const isPriceRule = (kind: RuleKind): kind is PriceRuleKind =>
  (priceRuleKinds as readonly string[]).includes(kind);

/** The kinds that compare prices: each says by which metric. */
const comparingKinds: readonly RuleKind[] = [
  'priceBelow',
  'percentileBelow',
  'lowestInDays',
  'changePercent',
];

/** The metric of a rule that compares prices, any in rules made before they named theirs; null: of another kind. */
export function metricOfRule({ kind, params }: Pick<RuleFields, 'kind' | 'params'>): Metric | null {
  if (!comparingKinds.includes(kind)) return null;
  return (params.metric as Metric | undefined) ?? defaultMetric;
}

const fixedUnits: Partial<Record<RuleKind, string>> = {
  indexChange: '%',
  backInStock: 'offers',
  supplyBelow: 'offers',
  bidSpread: '%',
  burnAbove: metrics.usdPerHour.unit,
  dataAge: 'minutes',
  cheaperEqual: '%',
};

/** The unit of what a rule watches, which its threshold is in; null: it has none. */
export function unitOfRule(rule: Pick<RuleFields, 'kind' | 'params'>): string | null {
  const metric = metricOfRule(rule);
  if (metric === null) return fixedUnits[rule.kind] ?? null;
  return metrics[metric].unit;
}

/** By what a rule that has fired may fire again: the condition has left, so many minutes, never. */
export type Rearm = 'leave' | 'never' | { afterMinutes: number };

/** Local times between which nothing is sent, `HH:MM`; they may go over midnight. */
export interface QuietHours {
  from: string;
  to: string;
  timeZone: string;
}

/** When alerts that were collected go out as one. */
export interface Digest {
  cron: string;
  timeZone: string;
}

/** What a rule remembers between books, and how. Source: docs/meaning.md#rules-and-alerts. */
export interface RuleTrigger {
  /** Fires when the condition held in `m` of the last `n` complete books. */
  of: { m: number; n: number };
  /** How far beyond its limit a value has left. */
  hysteresisPercent: number;
  /** After a firing there is none for so long. */
  cooldownMinutes: number;
  rearm: Rearm;
  /** Alerts sent in a UTC day at most; null: any number. */
  dailyCap: number | null;
}

/** A rule. Source: docs/api.md#rules. */
export interface RuleFields extends RuleTrigger {
  /** null: a rule over events. */
  watchId: string | null;
  kind: RuleKind;
  params: Readonly<Record<string, unknown>>;
  quietHours: QuietHours | null;
  /** null: each alert is sent at once. */
  digest: Digest | null;
  /** Empty: the watch's. */
  channelIds: readonly string[];
  enabled: boolean;
}

export interface Rule extends RuleFields {
  id: string;
  /** Its market's name. */
  market: string;
}

/** What a rule is where nothing else is said. */
export const ruleDefaults: Omit<RuleFields, 'watchId' | 'kind' | 'params'> = {
  of: { m: 1, n: 1 },
  hysteresisPercent: 0,
  cooldownMinutes: 0,
  rearm: 'leave',
  quietHours: null,
  dailyCap: null,
  digest: null,
  channelIds: [],
  enabled: true,
};
