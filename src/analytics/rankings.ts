import { readBlocklist } from '../db/blocklist.ts';
import type { Sql } from '../db/connection.ts';
import type { CurrentOffer } from '../db/offers.ts';
import { isListed } from '../domain/blocklist.ts';
import type { RankingFigure } from '../domain/metric.ts';
import { createOfferMatch } from '../domain/offer-match.ts';
import { allInUsdPerHour, createRankingFigure, missingFor, usdPerHour } from '../domain/price.ts';
import type { Insight } from './insight.ts';
import { type JokeTests, jokeTestsOf, type NewestOffersRequest } from './newest-offers.ts';
import { judgeOffer, type Verdict, type VerdictSources } from './verdicts.ts';

/** An offer in its place; `value` is the figure ranked by. */
export interface RankedOffer extends CurrentOffer {
  rank: number;
  value: number;
  usdPerHour: number;
  usdPerGpuHour: number;
  allInUsdPerHour: number | null;
  /** null: the segment has no median, as before the first complete book. */
  joke: boolean | null;
  /** The machine or its host is on the list of the preferred. */
  preferred: boolean;
  /** null: the book is not complete. */
  verdict: Verdict | null;
}

export interface UnrankedOffers {
  /** What the market did not say, like `no dlperf`, or `blocked`. */
  reason: string;
  offers: number;
}

export interface Ranking {
  /** May differ from what was asked for: by price a GPU where no offer of the books has a dlperf. */
  by: RankingFigure;
  items: RankedOffer[];
  unranked: UnrankedOffers[];
  more: boolean;
}

/** An offer that has the figure ranked by. */
export interface ValuedOffer {
  offer: CurrentOffer;
  value: number;
}

export interface Ranks {
  by: RankingFigure;
  /** The cheapest first; ties by reliability, CPU cores and RAM, the better first, then by listing. */
  valued: ValuedOffer[];
  /** How many offers have the figure, more than `valued` where only the first were asked for. */
  total: number;
  unranked: UnrankedOffers[];
}

type Dependencies = { sql: Sql; jokeTests: JokeTests } & Insight;
type RankRequest = Omit<NewestOffersRequest, 'skip' | 'limit'>;

/**
 * Offers of the newest books in their order, each with its verdict and flagged when its price is a joke.
 * `superseded`: a newer book has landed since the request was read; read it again.
 */
export async function rankNewestOffers(
  deps: Dependencies,
  request: NewestOffersRequest,
  asked: RankingFigure,
): Promise<Ranking | 'superseded'> {
  const { skip, limit, profile } = request;
  const ranks = await rankAll(deps, request, asked, skip + limit);
  if (ranks === 'superseded') return ranks;
  const { by, valued, unranked, total } = ranks;
  const page = valued.slice(skip, skip + limit);
  const [judges, blocklist] = await Promise.all([
    judgesOf(deps, request),
    readBlocklist(deps.sql, request.marketId),
  ]);
  const items = page.map(({ offer, value }, index) => {
    // What has a figure has a price.
    const price = usdPerHour(offer, profile.storageGb) ?? Number.NaN;
    return {
      ...offer,
      rank: skip + index + 1,
      value,
      usdPerHour: price,
      usdPerGpuHour: price / offer.numGpus,
      allInUsdPerHour: allInUsdPerHour(offer, profile),
      preferred: isListed(blocklist.prefer, offer),
      ...(judges.get(offer.type)?.(offer) ?? { joke: null, verdict: null }),
    };
  });
  return { by, items, unranked, more: total > skip + limit };
}

/**
 * The offers of the newest books that fit and have the figure, in order, and the count of the others. `top`: how many
 * of the first are wanted; all unless given.
 */
export async function rankAll(
  deps: Pick<Dependencies, 'sql' | 'currentOffers'>,
  { books, gpuNames, filter, profile, marketId }: RankRequest,
  asked: RankingFigure,
  top = Number.POSITIVE_INFINITY,
): Promise<Ranks | 'superseded'> {
  const [blocklist, ...currents] = await Promise.all([
    readBlocklist(deps.sql, marketId),
    ...books.map((book) => deps.currentOffers(deps.sql, book)),
  ]);
  if (currents.some(({ superseded }) => superseded)) return 'superseded';
  const hasFigure = asked !== 'usdPerDlperfHour' || currents.some(({ hasDlperf }) => hasDlperf);
  const by = hasFigure ? asked : 'usdPerGpuHour';
  const models = gpuNames.length === 0 ? null : new Set(gpuNames);
  const matches = createOfferMatch(filter, profile.storageGb);
  const figureOf = createRankingFigure(by, profile);
  const blocks = blocklist.block.machineIds.size + blocklist.block.hostIds.size > 0;
  const valued: ValuedOffer[] = [];
  const reasons = new Map<string, number>();
  const leaveOut = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  for (const { offers } of currents) {
    for (const offer of offers) {
      if (models !== null && !models.has(offer.gpuName)) continue;
      if (!matches(offer)) continue;
      if (blocks && isListed(blocklist.block, offer)) {
        leaveOut('blocked');
        continue;
      }
      const value = figureOf(offer);
      if (value === null) leaveOut(missingFor(offer, by));
      else valued.push({ offer, value });
    }
  }
  const unranked = [...reasons]
    .map(([reason, offers]) => ({ reason, offers }))
    .sort((a, b) => b.offers - a.offers || (a.reason < b.reason ? -1 : 1));
  return { by, valued: cheapest(valued, top), total: valued.length, unranked };
}

/** The first of the ranking. Bare numbers sort many times quicker than offers: of most the value is all that is looked at. */
function cheapest(valued: ValuedOffer[], top: number): ValuedOffer[] {
  if (valued.length <= top) return valued.sort(byRank);
  const limit = Float64Array.from(valued, ({ value }) => value).sort()[top] ?? Number.POSITIVE_INFINITY;
  return valued
    .filter(({ value }) => value <= limit)
    .sort(byRank)
    .slice(0, top);
}

function byRank(a: ValuedOffer, b: ValuedOffer): number {
  return (
    a.value - b.value ||
    better(a.offer.reliability, b.offer.reliability) ||
    better(a.offer.cpuCores, b.offer.cpuCores) ||
    better(a.offer.cpuRamMb, b.offer.cpuRamMb) ||
    a.offer.listingId - b.offer.listingId
  );
}

/** The higher first, the unknown last. */
const better = (a: number | null, b: number | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : b - a;

type Judge = (offer: CurrentOffer) => { joke: boolean | null; verdict: Verdict | null };

/** What judges the offers of each complete newest book, by its type. */
async function judgesOf(deps: Dependencies, request: NewestOffersRequest): Promise<Map<string, Judge>> {
  const { marketId, scopeId, books } = request;
  const tests = await jokeTestsOf(deps.jokeTests, request);
  const judges = new Map<string, Judge>();
  for (const book of books) {
    const jokeTest = tests.get(book.type);
    if (jokeTest === undefined) continue;
    const series = { marketId, scopeId, type: book.type };
    const sources: VerdictSources = {
      pools: await deps.poolsAt(deps.sql, series, book),
      current: await deps.currentOffers(deps.sql, book),
      jokeTest,
    };
    judges.set(book.type, (offer) => ({ joke: jokeTest(offer), verdict: judgeOffer(sources, offer) }));
  }
  return judges;
}
