import { getPriceIndex, getTrends } from '../../../client/operations.js';
import type { PriceIndex, PricingType, StoredMarket, Trends } from '../../core/api.ts';
import { chosenTypes } from '../../core/chosen-types.ts';
import { namedMarkets } from '../../core/market-choice.ts';
import { pathTo, type TypedPath, valuesOf } from '../../core/path-to.ts';
import { choiceNames } from '../../parts/filter-fields.ts';

export const ranges = ['24h', '7d', '30d', '90d', '1y', 'all'] as const;
export type Range = (typeof ranges)[number];
export const buckets = ['auto', 'book', '1h', '1d', '1w'] as const;

/** Parameters of a range. */
const rangeNames = ['from', 'to'] as const;

/** Maximum number of models, so that each has its own color. */
const maxModels = 6;

/** Value of the metric parameter for the like-for-like index. */
export const indexMetric = 'index';

/**
 * One line of the chart: a model (null: all together) with a pricing type and market (null: the default one), and its
 * API path.
 */
export interface TrendRequest {
  market: string | null;
  gpuName: string | null;
  type: PricingType;
  path: TypedPath<Trends>;
}

/** The length of each range. */
export const rangeHours: Record<Range, number> = {
  '24h': 24,
  '7d': 7 * 24,
  '30d': 30 * 24,
  '90d': 90 * 24,
  '1y': 365 * 24,
  all: Number.POSITIVE_INFINITY,
};

/** Returns the range button of a query; null: a custom range, as after zooming. */
export function chosenRange(query: URLSearchParams): Range | null {
  if (query.has('from') || query.has('to')) return null;
  return ranges.find((range) => range === query.get('range')) ?? '30d';
}

/**
 * For each interval, the maximum hours of range whose points of one type fit a response of 200 KB, with a book every
 * ten minutes; unlisted intervals have no limit.
 */
const maxHoursOf: Record<string, number> = { book: 14 * 24, '1h': 90 * 24 };

/** Returns the hours of a query's range; an unknown end counts as the newest book, an unlimited range as infinite. */
function chosenHours(query: URLSearchParams, newest: string | null): number {
  const range = chosenRange(query);
  if (range !== null) return rangeHours[range];
  const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''));
  const end = Number.isFinite(to) ? Number(to) : Date.parse(newest ?? '');
  return Number.isFinite(from) && Number.isFinite(end) ? (end - Number(from)) / 3_600_000 : rangeHours['30d'];
}

/**
 * Returns the interval to request; null: the server chooses, because none is selected or the selected one has too many
 * points.
 */
export function askedBucket(query: URLSearchParams, newest: string | null): string | null {
  const chosen = query.get('bucket');
  if (chosen === null || chosen === 'auto') return null;
  // The combined supply of several types is one request.
  const most = (maxHoursOf[chosen] ?? Number.POSITIVE_INFINITY) / chosenTypes(query).length;
  return chosenHours(query, newest) <= most ? chosen : null;
}

/** Whether all lines are of one model and type, each in a market of its own. */
export function isOneModel([first, ...others]: readonly TrendRequest[]): boolean {
  return (
    first?.gpuName != null &&
    others.every(({ gpuName, type }) => gpuName === first.gpuName && type === first.type)
  );
}

/**
 * Returns the lines of a query, one small request each. Ranges end at the newest book, not now, so that an old market
 * still shows its last days; `newest` is null without a book. With several markets a model has a line for each that
 * lists it.
 */
export function trendRequests(
  query: URLSearchParams,
  newest: string | null,
  stored: readonly StoredMarket[] = [],
): TrendRequest[] {
  const named = namedMarkets(query).slice(0, maxModels);
  const markets = named.length === 0 ? [null] : named;
  const models = query.getAll('gpuName').slice(0, maxModelsOf(query));
  const lists = (gpuName: string | null) =>
    stored.filter(({ gpuNames }) => gpuName !== null && gpuNames.includes(gpuName)).map(({ name }) => name);
  const shared = {
    ...valuesOf(query, [...choiceNames, 'metric']),
    bucket: askedBucket(query, newest) ?? undefined,
    ...rangeOf(query, newest, named.length > 1),
  };
  const lines = (models.length === 0 ? [null] : models).flatMap((gpuName) => {
    const listing = lists(gpuName);
    const isListed = (market: string | null) =>
      named.length < 2 || listing.length === 0 || listing.includes(market ?? '');
    return markets.filter(isListed).map((market) => ({ market, gpuName }));
  });
  return lines.flatMap((line) =>
    chosenTypes(query).map((type) => {
      const request = { ...line, type };
      return { ...request, path: pathTo(getTrends, { ...shared, ...choicesOf([request]) }) };
    }),
  );
}

/** Returns the maximum number of models at once in each selected market. */
export const maxModelsOf = (query: URLSearchParams): number =>
  Math.max(1, Math.floor(maxModels / Math.max(1, namedMarkets(query).length)));

/** Returns the markets, models and types of lines, each once; of all models together there is no name. */
export function choicesOf(lines: readonly Omit<TrendRequest, 'path'>[]) {
  const valuesIn = (name: 'market' | 'gpuName' | 'type') => [
    ...new Set(lines.flatMap((line) => line[name] ?? [])),
  ];
  return { market: valuesIn('market'), gpuName: valuesIn('gpuName'), type: valuesIn('type') };
}

/** Returns the ends of a query's range; lines of several markets share one, up to their newest book. */
function rangeOf(query: URLSearchParams, newest: string | null, several: boolean) {
  const range = chosenRange(query);
  if (range === null) return valuesOf(query, rangeNames);
  const end = Date.parse(newest ?? '') + Number(several);
  const to = several && newest !== null ? new Date(end).toISOString() : undefined;
  if (range === 'all') return { from: '1970-01-01', to };
  if ((range === '30d' && !several) || newest === null) return {};
  return { from: new Date(end - rangeHours[range] * 3_600_000).toISOString(), to };
}

/** Returns the parameters of a line's offers and metric, without its range and interval. */
const offersOf = (path: string) =>
  valuesOf(new URLSearchParams(path.split('?')[1]), [...choiceNames, 'metric']);

const dayMs = 86_400_000;

/** Returns the shift of the comparison: a month, or the range's whole days if longer. */
export function comparedShiftMs(from: string, to: string): number {
  const days = Math.ceil((Date.parse(to) - Date.parse(from)) / dayMs - 0.01);
  return Math.max(30, days) * dayMs;
}

/** Returns the same lines shifted that much earlier, in the same intervals. */
export function earlierRequests(
  requests: readonly TrendRequest[],
  shown: { from: string; to: string; bucket: string },
): TrendRequest[] {
  const shiftMs = comparedShiftMs(shown.from, shown.to);
  const earlier = (t: string) => new Date(Date.parse(t) - shiftMs).toISOString();
  return requests.map((request) => {
    const range = { from: earlier(shown.from), to: earlier(shown.to), bucket: shown.bucket };
    return { ...request, path: pathTo(getTrends, { ...offersOf(request.path), ...range }) };
  });
}

/**
 * Returns the path of the combined supply of each market's model with several types, for the shown range and intervals;
 * else nothing.
 */
export function supplyRequests(
  requests: readonly TrendRequest[],
  shown: readonly Trends[],
): Omit<TrendRequest, 'type'>[] {
  const [first] = shown;
  const types = [...new Set(requests.map(({ type }) => type))];
  if (first === undefined || types.length < 2) return [];
  // An unlimited range is reduced to the part with points; the time before it would be empty.
  const begins = shown.flatMap(({ series }) => series[0]?.points[0]?.t ?? []).map((t) => Date.parse(t));
  const begin = begins.length === 0 ? 0 : Math.min(...begins);
  const from = new Date(Math.max(begin, Date.parse(first.from))).toISOString();
  // The newest books of the types are seconds apart, and their round ends with the last of them.
  const to = shown
    .map((each) => each.to)
    .toSorted()
    .at(-1);
  return requests
    .filter(({ type }) => type === types[0])
    .map(({ market, gpuName, path }) => {
      const asked = { ...offersOf(path), type: types, from, to, bucket: first.bucket };
      return { market, gpuName, path: pathTo(getTrends, asked) };
    });
}

/** Returns the path of the drawn models' index, up to the newest book; null: all models are drawn together. */
export const indexPath = (requests: readonly TrendRequest[]): TypedPath<PriceIndex> | null =>
  areNamed(requests) ? pathTo(getPriceIndex, choicesOf(requests)) : null;

/** Returns the path of the selected models' levels in the shown range. */
export function rebasedPath(requests: readonly TrendRequest[]): TypedPath<PriceIndex> | null {
  if (!areNamed(requests)) return null;
  const range = valuesOf(new URLSearchParams(requests[0]?.path.split('?')[1]), rangeNames);
  return pathTo(getPriceIndex, { ...choicesOf(requests), rebase: true, ...range });
}

/** Whether lines are of models, not of all models together. */
const areNamed = ([first]: readonly TrendRequest[]) => first !== undefined && first.gpuName !== null;

/** Returns a range narrower or wider around a moment, or moved by a share of itself. */
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
