import type { NewestBook } from '../../books/newest-books.sql.ts';
import { defaultMetric, defaultRanking, type RankingMetric } from '../../core/metric.ts';
import type { Places } from '../../core/offer-columns.ts';
import { matchingPlaces } from '../../core/offer-match.ts';
import { allInUsdPerHour, missingFor, usdPerHour } from '../../core/price.ts';
import { metricValuesOf } from '../../core/price-columns.ts';
import type { Sql } from '../../database/connection.ts';
import type { CurrentOffers } from '../newest/current-offers.ts';
import type { NewestOffersRequest, OutlierTests } from '../newest/newest-offers.ts';
import type { PriceCache } from '../newest/newest-offers-cache.ts';
import type { CurrentOffer } from '../newest/offers.sql.ts';
import { judgeOffer, type Verdict, type VerdictSources } from '../verdicts/verdicts.ts';
import { readBlocklist } from './blocklist.sql.ts';
import { type Blocklist, isListed } from './blocklist.ts';

/** An offer at its rank; `value` is the ranking's metric. */
export interface RankedOffer extends CurrentOffer {
  rank: number;
  value: number;
  usdPerHour: number;
  usdPerGpuHour: number;
  allInUsdPerHour: number | null;
  /** null: the segment has no median, as before the first complete book. */
  isOutlier: boolean | null;
  /** Whether the machine or its host is on the list of preferred ones. */
  preferred: boolean;
  /** null: the book is not complete. */
  verdict: Verdict | null;
}

export interface UnrankedOffers {
  /** Why it is not ranked: a missing value such as `no DLPerf score`, or `blocked`. */
  reason: string;
  offers: number;
}

export interface Ranking {
  /** May differ from the request: price per GPU if no offer of the books has a dlperf. */
  by: RankingMetric;
  items: RankedOffer[];
  unranked: UnrankedOffers[];
  /** Number of ranked offers, on all pages. */
  total: number;
  more: boolean;
}

/** An offer with a value of the ranking's metric. */
export interface ValuedOffer {
  offer: CurrentOffer;
  value: number;
}

export interface Ranks {
  by: RankingMetric;
  /** Cheapest first; ties by better reliability, CPU cores and RAM, then by listing. */
  valued: ValuedOffer[];
  /** Number of offers with a value; more than `valued` if only the first were requested. */
  total: number;
  unranked: UnrankedOffers[];
}

type Dependencies = { sql: Sql; outlierTests: OutlierTests } & PriceCache;
type RankRequest = Omit<NewestOffersRequest, 'skip' | 'limit'>;

/**
 * Ranks offers of the newest books, each with its verdict and flagged if its price is an outlier. `superseded`: a newer
 * book has landed since the request was read; read the request again.
 */
export async function rankNewestOffers(
  deps: Dependencies,
  request: NewestOffersRequest,
  asked: RankingMetric,
  { fallsBack = true }: { fallsBack?: boolean } = {},
): Promise<Ranking | 'superseded'> {
  const { skip, limit } = request;
  const blocklist = readBlocklist(deps.sql, request.marketId);
  const [ranks, present] = await Promise.all([
    rankBy(deps, request, asked, { top: skip + limit, blocklist, fallsBack }),
    createPresenter(deps, request, blocklist),
  ]);
  if (ranks === 'superseded') return ranks;
  const { by, valued, unranked, total } = ranks;
  const items = valued
    .slice(skip, skip + limit)
    .map((valuedOffer, index) => present(valuedOffer, skip + index + 1));
  return { by, items, unranked, total, more: total > skip + limit };
}

/** Returns what completes an offer at its rank with prices, verdict and preference. */
export async function createPresenter(
  deps: Dependencies,
  request: NewestOffersRequest,
  reading: Promise<Blocklist> = readBlocklist(deps.sql, request.marketId),
): Promise<(valued: ValuedOffer, rank: number) => RankedOffer> {
  const { profile } = request;
  const [judges, { prefer }] = await Promise.all([judgesOf(deps, request), reading]);
  return ({ offer, value }, rank) => {
    // An offer with a metric has a price.
    const price = usdPerHour(offer, profile.storageGb) ?? Number.NaN;
    return {
      ...offer,
      rank,
      value,
      usdPerHour: price,
      usdPerGpuHour: price / offer.numGpus,
      allInUsdPerHour: allInUsdPerHour(offer, profile),
      preferred: isListed(prefer, offer),
      ...(judges.get(offer.type)?.(offer) ?? { isOutlier: null, verdict: null }),
    };
  };
}

/** Returns all matching offers of the newest books that have the metric, ranked, and counts the others. */
export async function rankAll(
  deps: Pick<Dependencies, 'sql' | 'currentOffers'>,
  request: RankRequest,
  asked: RankingMetric,
  { fallsBack = true }: { fallsBack?: boolean } = {},
): Promise<Ranks | 'superseded'> {
  const blocklist = readBlocklist(deps.sql, request.marketId);
  return await rankBy(deps, request, asked, { top: Number.POSITIVE_INFINITY, blocklist, fallsBack });
}

/** Whether a metric can rank offers of the books: `usdPerDlperfHour` only if one of them has a dlperf. */
export async function canRankBy(
  deps: Pick<Dependencies, 'sql' | 'currentOffers'>,
  books: readonly NewestBook[],
  metric: RankingMetric,
): Promise<boolean> {
  if (metric !== defaultRanking) return true;
  const currents = await Promise.all(books.map((book) => deps.currentOffers(deps.sql, book)));
  return currents.some(({ hasDlperf }) => hasDlperf);
}

/** `top`: how many are wanted. `fallsBack`: ranks by price per GPU if no offer has the requested metric. */
async function rankBy(
  deps: Pick<Dependencies, 'sql' | 'currentOffers'>,
  { books, gpuNames, filter, profile }: RankRequest,
  asked: RankingMetric,
  { top, blocklist, fallsBack }: { top: number; blocklist: Promise<Blocklist>; fallsBack: boolean },
): Promise<Ranks | 'superseded'> {
  const [{ block }, ...currents] = await Promise.all([
    blocklist,
    ...books.map((book) => deps.currentOffers(deps.sql, book)),
  ]);
  if (currents.some(({ superseded }) => superseded)) return 'superseded';
  const by = fallsBack && !(await canRankBy(deps, books, asked)) ? defaultMetric : asked;
  const unranked = countReasons();
  const parts = currents.flatMap((current) =>
    placesOf(current, gpuNames).map((places): Part => {
      const { columns, offers } = current;
      const matching = matchingPlaces(columns, places, filter, profile.storageGb);
      const free = withoutBlocked(current, matching, block);
      unranked.add('blocked', matching.length - free.length);
      const values = metricValuesOf(columns, free, by, profile);
      free.forEach((place, index) => {
        const offer = offers[place];
        if (Number.isNaN(values[index]) && offer !== undefined) unranked.add(missingFor(offer, by), 1);
      });
      return { offers, places: free, values };
    }),
  );
  const known = parts.map(({ values }) => values.filter((value) => !Number.isNaN(value)));
  const total = known.reduce((sum, { length }) => sum + length, 0);
  return { by, valued: cheapest(parts, limitOf(known, total, top), top), total, unranked: unranked.list() };
}

/** Some offers of a book with their values; NaN: none. */
interface Part {
  offers: readonly CurrentOffer[];
  places: Places;
  values: Float64Array;
}

/** Returns the indexes of the offers of some models, or of all models if none is given. */
function placesOf({ all, byModel }: CurrentOffers, gpuNames: readonly string[]): Places[] {
  if (gpuNames.length === 0) return [all];
  return [...new Set(gpuNames)].flatMap((name) => byModel.get(name) ?? []);
}

function withoutBlocked({ offers }: CurrentOffers, places: Places, block: Blocklist['block']): Places {
  if (block.machineIds.size + block.hostIds.size === 0) return places;
  return places.filter((place) => !isListed(block, offers[place] as CurrentOffer));
}

function countReasons() {
  const reasons = new Map<string, number>();
  return {
    add: (reason: string, offers: number): void => {
      if (offers > 0) reasons.set(reason, (reasons.get(reason) ?? 0) + offers);
    },
    list: (): UnrankedOffers[] =>
      [...reasons]
        .map(([reason, offers]) => ({ reason, offers }))
        .sort((a, b) => b.offers - a.offers || (a.reason < b.reason ? -1 : 1)),
  };
}

/** Returns a limit that none of the first `top` exceeds. Sorting plain numbers is many times faster than offers. */
function limitOf(known: readonly Float64Array[], total: number, top: number): number {
  if (total <= top) return Number.POSITIVE_INFINITY;
  const all = new Float64Array(total);
  let at = 0;
  for (const values of known) {
    all.set(values, at);
    at += values.length;
  }
  return all.sort()[top] ?? Number.POSITIVE_INFINITY;
}

/** Returns the first of the ranking, none above the limit. */
function cheapest(parts: readonly Part[], limit: number, top: number): ValuedOffer[] {
  const valued: ValuedOffer[] = [];
  for (const { offers, places, values } of parts) {
    for (let index = 0; index < places.length; index += 1) {
      const value = values[index] as number;
      if (value <= limit) valued.push({ offer: offers[places[index] as number] as CurrentOffer, value });
    }
  }
  return valued.sort(byRank).slice(0, top);
}

/** Compares offers by rank. */
export function byRank(a: ValuedOffer, b: ValuedOffer): number {
  return (
    a.value - b.value ||
    better(a.offer.reliability, b.offer.reliability) ||
    better(a.offer.cpuCores, b.offer.cpuCores) ||
    better(a.offer.cpuRamMb, b.offer.cpuRamMb) ||
    a.offer.listingId - b.offer.listingId
  );
}

/** Orders higher values first and unknown ones last. */
const better = (a: number | null, b: number | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : b - a;

/** Judges the price of a newest book's offer; both null: the book is not complete. */
export type Judge = (offer: CurrentOffer) => { isOutlier: boolean | null; verdict: Verdict | null };

/** Returns what judges the offers of each newest book that is complete, by type. */
export async function judgesOf(
  deps: Dependencies,
  request: Pick<NewestOffersRequest, 'marketId' | 'scopeId' | 'books' | 'history'>,
): Promise<Map<string, Judge>> {
  const { marketId, books, history = request } = request;
  const complete = books.filter(({ verdict }) => verdict === 'complete');
  const judges = complete.map(async (book): Promise<[string, Judge]> => {
    const judging = history.books.find(({ type, verdict }) => type === book.type && verdict === 'complete');
    const { scopeId } = judging === undefined ? request : history;
    const at = judging ?? book;
    const series = { marketId, scopeId, type: book.type };
    const [outlierTest, pools, current] = await Promise.all([
      deps.outlierTests(series, at.observedAt),
      deps.poolsAt(deps.sql, series, at),
      deps.currentOffers(deps.sql, book),
    ]);
    const sources: VerdictSources = { pools, current, outlierTest };
    return [book.type, (offer) => ({ isOutlier: outlierTest(offer), verdict: judgeOffer(sources, offer) })];
  });
  return new Map(await Promise.all(judges));
}
