import type { PricingType, Trends } from '../../core/api.ts';
import { choiceNames, pickParameters } from '../../parts/filter-fields.ts';

export const ranges = ['24h', '7d', '30d', '90d', '1y', 'all'] as const;
export type Range = (typeof ranges)[number];
export const buckets = ['auto', 'book', '1h', '1d', '1w'] as const;

/** Models drawn at once, so that each has a colour of its own. */
export const maxModels = 6;

/** The metric of the address that stands for the like-for-like index. */
export const indexMetric = 'index';

/** One line of the chart: a model (null: all together) at a pricing type, and the path that answers it. */
export interface TrendRequest {
  gpuName: string | null;
  type: PricingType;
  path: string;
}

const hours: Record<Exclude<Range, 'all'>, number> = {
  '24h': 24,
  '7d': 7 * 24,
  '30d': 30 * 24,
  '90d': 90 * 24,
  '1y': 365 * 24,
};

/** The range button that a query stands for; null: a range of its own, as after zooming. */
export function chosenRange(query: URLSearchParams): Range | null {
  if (query.has('from') || query.has('to')) return null;
  return ranges.find((range) => range === query.get('range')) ?? '30d';
}

/**
 * Up to how many hours of range each bucket gives few enough points of one type for a request of 200 KB, books each ten
 * minutes; buckets that are not listed have no limit.
 */
const maxHoursOf: Record<string, number> = { book: 14 * 24, '1h': 90 * 24 };

/** How many hours a query's range has; unknown ends count as the newest book, all there is as endless. */
function rangeHours(query: URLSearchParams, newest: string | null): number {
  const range = chosenRange(query);
  if (range === 'all') return Number.POSITIVE_INFINITY;
  if (range !== null) return hours[range];
  const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''));
  const end = Number.isFinite(to) ? Number(to) : Date.parse(newest ?? '');
  return Number.isFinite(from) && Number.isFinite(end) ? (end - Number(from)) / 3_600_000 : hours['30d'];
}

/** The bucket to ask for; null: the server picks, because none is chosen or the chosen one has too many points. */
export function askedBucket(query: URLSearchParams, newest: string | null): string | null {
  const chosen = query.get('bucket');
  if (chosen === null || chosen === 'auto') return null;
  // What several types offer together is one request for all of them.
  const most = (maxHoursOf[chosen] ?? Number.POSITIVE_INFINITY) / chosenTypes(query).length;
  return rangeHours(query, newest) <= most ? chosen : null;
}

/** The pricing types that a query asks for; on-demand where it names none. */
export function chosenTypes(query: URLSearchParams): PricingType[] {
  const types = query.getAll('type') as PricingType[];
  return types.length === 0 ? ['on-demand'] : types;
}

/**
 * The lines that a query asks for, one request each, so that none is large. Ranges end at the newest book, not at
 * the clock, so that an old market still shows its last days; `newest` is null while there is no book.
 */
export function trendRequests(query: URLSearchParams, newest: string | null): TrendRequest[] {
  const models = query.getAll('gpuName').slice(0, maxModels);
  const shared = pickParameters(query, [
    ...choiceNames.filter((name) => name !== 'gpuName' && name !== 'type'),
    'metric',
  ]);
  const bucket = askedBucket(query, newest);
  if (bucket !== null) shared.set('bucket', bucket);
  for (const [name, value] of rangeParameters(query, newest)) shared.set(name, value);
  return (models.length === 0 ? [null] : models).flatMap((gpuName) =>
    chosenTypes(query).map((type) => {
      const own = new URLSearchParams(shared);
      own.set('type', type);
      if (gpuName !== null) own.set('gpuName', gpuName);
      return { gpuName, type, path: `/api/trends?${own}` };
    }),
  );
}

function rangeParameters(query: URLSearchParams, newest: string | null): [string, string][] {
  const range = chosenRange(query);
  if (range === null) {
    return ['from', 'to'].flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
  }
  if (range === 'all') return [['from', '1970-01-01']];
  if (range === '30d' || newest === null) return [];
  return [['from', new Date(Date.parse(newest) - hours[range] * 3_600_000).toISOString()]];
}

const dayMs = 86_400_000;

/** How much earlier the time compared with lies: a month, for longer ranges their own whole days. */
export function comparedShiftMs(from: string, to: string): number {
  const days = Math.ceil((Date.parse(to) - Date.parse(from)) / dayMs - 0.01);
  return Math.max(30, days) * dayMs;
}

/** The same lines so much earlier, in the same buckets. */
export function earlierRequests(
  requests: readonly TrendRequest[],
  shown: { from: string; to: string; bucket: string },
): TrendRequest[] {
  const shiftMs = comparedShiftMs(shown.from, shown.to);
  const earlier = (t: string) => new Date(Date.parse(t) - shiftMs).toISOString();
  return requests.map((request) => {
    const query = new URLSearchParams(request.path.split('?')[1]);
    query.set('from', earlier(shown.from));
    query.set('to', earlier(shown.to));
    query.set('bucket', shown.bucket);
    return { ...request, path: `/api/trends?${query}` };
  });
}

/**
 * For each model that is drawn at several types, the path that answers what they offer together, in the range and the
 * buckets of the answers shown; else nothing.
 */
export function supplyRequests(
  requests: readonly TrendRequest[],
  shown: readonly Trends[],
): Omit<TrendRequest, 'type'>[] {
  const [first] = shown;
  const types = [...new Set(requests.map(({ type }) => type))];
  if (first === undefined || types.length < 2) return [];
  // Of all there is, only what has points: before them there is much time to look through in vain.
  const begins = shown.flatMap(({ series }) => series[0]?.points[0]?.t ?? []).map((t) => Date.parse(t));
  const begin = begins.length === 0 ? 0 : Math.min(...begins);
  const from = new Date(Math.max(begin, Date.parse(first.from))).toISOString();
  return requests
    .filter(({ type }) => type === types[0])
    .map(({ gpuName, path }) => {
      const query = new URLSearchParams(path.split('?')[1]);
      query.delete('type');
      for (const type of types) query.append('type', type);
      for (const [name, value] of Object.entries({ from, to: first.to, bucket: first.bucket })) {
        query.set(name, value);
      }
      return { gpuName, path: `/api/trends?${query}` };
    });
}

/** A path that asks for the models and types drawn, all of them where none is chosen. */
export function seriesPath(path: string, requests: readonly TrendRequest[]): string {
  const query = pickParameters(new URLSearchParams(requests[0]?.path.split('?')[1]), ['market']);
  for (const model of new Set(requests.map(({ gpuName }) => gpuName))) {
    if (model !== null) query.append('gpuName', model);
  }
  for (const type of new Set(requests.map((request) => request.type))) query.append('type', type);
  return `${path}?${query}`;
}

/** The path that answers the index of the models drawn, up to the newest book; null: all models are drawn together. */
export const indexPath = (requests: readonly TrendRequest[]): string | null =>
  requests[0] === undefined || requests[0].gpuName === null ? null : seriesPath('/api/index', requests);

/** The path that answers the levels of the models chosen, in the range shown. */
export function rebasedPath(requests: readonly TrendRequest[]): string | null {
  const path = indexPath(requests);
  const range = new URLSearchParams(requests[0]?.path.split('?')[1]);
  if (path === null) return null;
  const asked = new URLSearchParams({ rebase: 'true' });
  for (const name of ['from', 'to']) {
    const value = range.get(name);
    if (value !== null) asked.set(name, value);
  }
  return `${path}&${asked}`;
}

/** A range so much narrower or wider around a moment of it, or moved aside by a share of itself. */
export function movedRange(
  { from, to }: { from: number; to: number },
  move: { zoom?: number; around?: number; pan?: number },
): { from: number; to: number } {
  const length = to - from;
  const middle = move.around ?? (from + to) / 2;
  const zoom = move.zoom ?? 1;
  const share = length === 0 ? 0.5 : (middle - from) / length;
  const start = middle - share * length * zoom + (move.pan ?? 0) * length;
  return { from: Math.round(start), to: Math.round(start + Math.max(60_000, length * zoom)) };
}
