import { defaultMetric, type Metric, metrics } from '../../core/metric.ts';
import { defaultCooldownMinutes } from './cooldown.ts';

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
/** Rules of a watch, judged on each complete book. */
export type PriceRuleKind = (typeof priceRuleKinds)[number];

const eventRuleKinds = [
  'burnAbove',
  'budget',
  'dataAge',
  'crawlPartial',
  'instanceState',
  'idleGpu',
  'cheaperEqual',
  'instanceLimit',
  'delivery',
] as const;

export const ruleKinds = [...priceRuleKinds, ...eventRuleKinds] as const;
export type RuleKind = (typeof ruleKinds)[number];

/** Whether a kind belongs to a watch. */
export const isPriceRule = (kind: RuleKind): kind is PriceRuleKind =>
  (priceRuleKinds as readonly string[]).includes(kind);

/** The kinds that compare prices, each with a metric. */
const comparingKinds: readonly RuleKind[] = [
  'priceBelow',
  'percentileBelow',
  'lowestInDays',
  'changePercent',
];

/** Returns the metric of a rule that compares prices, including rules older than named metrics; null: another kind. */
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

/** Returns the unit of a rule's value and threshold; null: none. */
export function unitOfRule(rule: Pick<RuleFields, 'kind' | 'params'>): string | null {
  const metric = metricOfRule(rule);
  if (metric === null) return fixedUnits[rule.kind] ?? null;
  return metrics[metric].unit;
}

/** What allows a rule to fire again: the condition was left, a number of minutes, or nothing. */
export type Rearm = 'leave' | 'never' | { afterMinutes: number };

/** Local times between which nothing is sent, `HH:MM`; they may span midnight. */
export interface QuietHours {
  from: string;
  to: string;
  timeZone: string;
}

/** When collected alerts are sent as one. */
export interface Digest {
  cron: string;
  timeZone: string;
}

/** What a rule remembers between books, and how. Source: docs/meaning.md#rules-and-alerts. */
export interface RuleTrigger {
  /** Fires if the condition held in `m` of the last `n` complete books. */
  of: { m: number; n: number };
  /** How far beyond its limit a value must be to leave the condition. */
  hysteresisPercent: number;
  /** Minutes without another firing. */
  cooldownMinutes: number;
  rearm: Rearm;
  /** Maximum number of alerts per UTC day; null: unlimited. */
  dailyCap: number | null;
}

/** A rule. Source: docs/api.md#rules. */
export interface RuleFields extends RuleTrigger {
  /** null: a rule on events. */
  watchId: string | null;
  kind: RuleKind;
  params: Readonly<Record<string, unknown>>;
  quietHours: QuietHours | null;
  /** null: each alert is sent at once. */
  digest: Digest | null;
  /** Empty: the watch's channels. */
  channelIds: readonly string[];
  enabled: boolean;
}

export interface Rule extends RuleFields {
  id: string;
  /** Name of its market. */
  market: string;
}

/** Defaults of a rule. */
export const ruleDefaults: Omit<RuleFields, 'watchId' | 'kind' | 'params'> = {
  of: { m: 1, n: 1 },
  hysteresisPercent: 0,
  cooldownMinutes: defaultCooldownMinutes,
  rearm: 'leave',
  quietHours: null,
  dailyCap: null,
  digest: null,
  channelIds: [],
  enabled: true,
};
