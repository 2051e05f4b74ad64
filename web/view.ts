import type { PricingType } from './api.ts';

export const ranges = ['24h', '7d', '30d', 'all'] as const;
export type Range = (typeof ranges)[number];

/** What the reader chose to see; kept in the query of the page's address, so that it can be shared. */
export interface View {
  /** null: all models together. */
  gpuName: string | null;
  type: PricingType;
  range: Range;
  /** Whether the ranking shows only `gpuName`. */
  rankChosenOnly: boolean;
}

const defaults: View = { gpuName: null, type: 'on-demand', range: '30d', rankChosenOnly: false };
const types: readonly string[] = ['on-demand', 'bid', 'reserved'] satisfies PricingType[];

/** The view in a query string; whatever is missing or unknown falls back to the default view. */
export function parseView(search: string): View {
  const query = new URLSearchParams(search);
  const type = query.get('type') ?? '';
  const range = query.get('range') ?? '';
  const gpuName = query.get('gpu');
  return {
    gpuName: gpuName === '' ? null : gpuName,
    type: types.includes(type) ? (type as PricingType) : defaults.type,
    range: (ranges as readonly string[]).includes(range) ? (range as Range) : defaults.range,
    rankChosenOnly: query.get('rank') === 'chosen',
  };
}

/** The query string of a view, with a leading `?`; defaults are left out. */
export function viewQuery(view: View): string {
  const query = new URLSearchParams();
  if (view.gpuName !== null) query.set('gpu', view.gpuName);
  if (view.type !== defaults.type) query.set('type', view.type);
  if (view.range !== defaults.range) query.set('range', view.range);
  if (view.rankChosenOnly) query.set('rank', 'chosen');
  const text = query.toString();
  return text === '' ? '?' : `?${text}`;
}

const hours: Record<Exclude<Range, 'all'>, number> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };

/**
 * Path of the trend that a view shows. Ranges end at the newest book of the type, not at the clock, so that an
 * old market still shows its last days; `newest` is null while there is no book.
 */
export function trendPath(view: View, newest: string | null): string {
  const query = new URLSearchParams({ type: view.type, bucket: 'auto', metric: 'usdPerGpuHour' });
  if (view.gpuName !== null) query.set('gpuName', view.gpuName);
  if (view.range === 'all') query.set('from', '1970-01-01');
  else if (view.range !== '30d' && newest !== null) {
    query.set('from', new Date(Date.parse(newest) - hours[view.range] * 3_600_000).toISOString());
  }
  return `/api/trends?${query}`;
}

/** The figure that the page asks the ranking for. */
export const askedRanking = 'usdPerDlperfHour';

/** Path of the ranking that a view shows. */
export function rankingPath(view: View): string {
  const query = new URLSearchParams({ by: askedRanking, limit: '25', type: view.type });
  if (view.rankChosenOnly && view.gpuName !== null) query.set('gpuName', view.gpuName);
  return `/api/rankings?${query}`;
}
