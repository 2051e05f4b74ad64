import type { Rule } from '../core/api.ts';
import { formatLimit } from '../core/figures.ts';
import { defaultMetric } from '../core/metrics.ts';
import { amountInMetric, unitOfMetric } from './metric-words.ts';

/** A parameter of a rule in the form. */
export interface RuleParam {
  name: string;
  label: string;
  unset: string;
  /**
   * `words`: several, comma-separated; `budget`: a budget; `direction`: any, up or down; `metric`: the metric to
   * compare. @default number
   */
  kind?: 'number' | 'words' | 'budget' | 'direction' | 'metric';
  /** Whether the metric's unit is shown beside it. */
  inMetric?: boolean;
}

/** A kind of rule: its name and its fields. */
export interface RuleKind {
  label: string;
  params: readonly RuleParam[];
  perListing: boolean;
}

const metric: RuleParam = { name: 'metric', label: 'Metric', unset: defaultMetric, kind: 'metric' };

/** Rules on books, for watches. */
export const ruleKinds: Readonly<Record<string, RuleKind>> = {
  priceBelow: {
    label: 'Price below',
    params: [metric, { name: 'usd', label: 'Below', unset: '0.3', inMetric: true }],
    perListing: true,
  },
  percentileBelow: {
    label: 'Cheaper than usual',
    params: [
      metric,
      { name: 'percentile', label: 'Percentile below', unset: '10' },
      { name: 'days', label: 'Days', unset: '30' },
    ],
    perListing: true,
  },
  lowestInDays: {
    label: 'Lowest in days',
    params: [metric, { name: 'days', label: 'Days', unset: '7' }],
    perListing: true,
  },
  changePercent: {
    label: 'Price change',
    params: [
      metric,
      { name: 'percent', label: 'Percent', unset: '10' },
      { name: 'since', label: 'Within hours', unset: '24' },
      { name: 'direction', label: 'Direction', unset: 'any', kind: 'direction' },
    ],
    perListing: true,
  },
  indexChange: {
    label: 'Prices like for like',
    params: [
      { name: 'percent', label: 'Percent', unset: '5' },
      { name: 'days', label: 'Within days (1, 7 or 27)', unset: '7' },
    ],
    perListing: false,
  },
  backInStock: { label: 'Back in stock', params: [], perListing: false },
  supplyBelow: {
    label: 'Supply below',
    params: [{ name: 'offers', label: 'Offers', unset: '5' }],
    perListing: false,
  },
  bidSpread: {
    label: 'Bid discount',
    params: [{ name: 'percent', label: 'Percent below on-demand', unset: '50' }],
    perListing: false,
  },
};

/** Rules on events of the account, without a watch. */
export const accountRuleKinds: Readonly<Record<string, RuleKind>> = {
  burnAbove: {
    label: 'Your instances cost more than',
    params: [{ name: 'usdPerHour', label: '$/hour, all together', unset: '2' }],
    perListing: false,
  },
  budget: {
    label: 'Share of a budget spent',
    params: [
      { name: 'budgetId', label: 'Budget', unset: '', kind: 'budget' },
      { name: 'share', label: 'Share, 0 to 1', unset: '0.8' },
    ],
    perListing: false,
  },
  instanceState: {
    label: 'Instance state',
    params: [{ name: 'states', label: 'States, comma-separated', unset: 'gone, offline', kind: 'words' }],
    perListing: false,
  },
  idleGpu: { label: 'Idle GPU', params: [], perListing: false },
  cheaperEqual: {
    label: 'Equal machine is cheaper',
    params: [{ name: 'percent', label: 'Percent', unset: '5' }],
    perListing: false,
  },
  instanceLimit: { label: 'Limit of an instance near or reached', params: [], perListing: false },
};

/** Rules on crawls and deliveries, without a watch. */
export const otherEventKinds: Readonly<Record<string, RuleKind>> = {
  dataAge: {
    label: 'Stale data',
    params: [{ name: 'minutes', label: 'Minutes', unset: '180' }],
    perListing: false,
  },
  crawlPartial: { label: 'Partial book', params: [], perListing: false },
  delivery: { label: 'Delivery failed', params: [], perListing: false },
};

/** Returns the form's values as API parameters. */
export function ruleParams(
  { params }: RuleKind,
  filled: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    params.map(({ name, unset, kind = 'number' }) => {
      const text = (filled[name] ?? unset).trim();
      if (kind === 'words') return [name, listed(text)];
      return [name, kind === 'number' ? Number(text) : text];
    }),
  );
}

/** Returns a saved rule's parameters as they are filled in. */
export const filledParams = (params: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join(', ')]));

/** Returns the form that changes a rule; null: there is none, or it cannot hold what the rule has. */
export function formToChange({ kind, params }: Pick<Rule, 'kind' | 'params'>): RuleKind | null {
  const form = { ...ruleKinds, ...accountRuleKinds, ...otherEventKinds }[kind];
  const holds = form?.params.every(
    ({ name, kind: type = 'number' }) => type !== 'number' || typeof params[name] === 'number',
  );
  return holds === true && form !== undefined ? form : null;
}

/** Whether every number of a kind is valid. */
export const isFilledIn = ({ params }: RuleKind, filled: Readonly<Record<string, string>>): boolean =>
  params.every(({ name, unset, kind = 'number' }) => {
    const text = (filled[name] ?? unset).trim();
    return kind !== 'number' || (text !== '' && Number.isFinite(Number(text)));
  });

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

type Told = (params: Record<string, unknown>) => string;

const told: Readonly<Record<string, Told>> = {
  priceBelow: ({ usd, metric: by, perListing }) =>
    `${perListing === true ? 'price' : 'lowest price'} below ${amountInMetric(usd, by)}`,
  percentileBelow: ({ percentile, days, metric: by }) =>
    `price in the lowest ${percentile}% of ${days} days, ${unitOfMetric(by)}`,
  lowestInDays: ({ days, metric: by }) => `lowest price in ${days} days, ${unitOfMetric(by)}`,
  changePercent: ({ percent, since, direction, metric: by }) =>
    `price ${direction === 'up' || direction === 'down' ? direction : 'moved'} by ${percent}% ` +
    `${since === 'lastFired' ? 'since it fired' : `in ${since} h`}, ${unitOfMetric(by)}`,
  indexChange: ({ percent, days }) => `prices like for like moved by ${percent}% in ${days} d`,
  backInStock: () => 'back in stock',
  supplyBelow: ({ offers }) => `fewer than ${offers} offers`,
  bidSpread: ({ percent }) => `bids ${percent}% below on-demand`,
  burnAbove: ({ usdPerHour }) => `instances cost more than ${formatLimit(Number(usdPerHour))}/hour`,
  budget: ({ share }) =>
    share === undefined
      ? 'a budget reached one of its alert shares'
      : `${Number(share) * 100}% of a budget spent`,
  instanceState: ({ states }) => `an instance is ${[states].flat().join(' or ')}`,
  idleGpu: () => 'a GPU is idle',
  cheaperEqual: ({ percent }) => `an equal machine is ${percent}% cheaper`,
  instanceLimit: () => 'a limit ends an instance',
  dataAge: ({ minutes }) => `data older than ${minutes} min`,
  crawlPartial: () => 'a book is partial',
  delivery: () => 'a delivery failed',
};

/** Describes a rule in a short sentence; an unknown kind by its name. */
export function ruleInWords({ kind, params }: { kind: string; params: Record<string, unknown> }): string {
  const sentence = told[kind]?.(params) ?? kind;
  return params.perListing === true ? `${sentence}, each listing` : sentence;
}

/** Returns what a rule compares: `Lowest price`; `Price` of each listing; `Value` of other kinds. */
export function valueNameOf({ kind, params }: Pick<Rule, 'kind' | 'params'>): string {
  if (ruleKinds[kind]?.params.includes(metric) !== true) return 'Value';
  return params.perListing === true ? 'Price' : 'Lowest price';
}

/** Returns in how many books a rule's condition must hold: `one book`, `any 2 of 3 books in a row`. */
export const triggerInWords = ({ m, n }: Rule['of']): string =>
  n === 1 ? 'one book' : m === n ? `${n} books in a row` : `any ${m} of ${n} books in a row`;
