import { metrics, type UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import { createTurns } from '../../core/turns.ts';
import type { Db } from '../../database/connection.ts';
import { isOutlier, outlierDays } from '../verdicts/segment-medians.ts';
import { seriesVersion } from '../verdicts/segment-prices.sql.ts';
import { type BidSurvival, createBidTally } from './bid-survival.ts';
import { historyDays } from './book-windows.ts';
import type { KeptPast } from './kept-past.ts';
import { findCheaper, lowerPrices } from './lowest-prices.ts';
import { findNextDrops } from './next-drops.ts';
import { readPastOffers } from './past-offers.ts';
import { findWaitChances, type LowestPrices, type WaitChances } from './price-drops.ts';
import { findPercentiles, percentileDays } from './price-percentiles.ts';
import { readUsualPrices } from './usual-prices.ts';

export interface WaitRequest {
  marketId: number;
  /** null: the market was never recorded. */
  scopeId: number | null;
  type: PricingType;
  /** Empty: all models. */
  gpuNames: readonly string[];
  filter: OfferFilter;
  profile: UsageProfile;
  /** Hours until the work must begin. */
  hours: number;
}

export interface WaitOrRent extends WaitChances {
  /** The newest complete book; null: there is none. */
  observedAt: Date | null;
  unit: string;
  bidSurvival: {
    /** The newest complete book of bids; null: there is none. */
    observedAt: Date | null;
    bids: BidSurvival[];
  };
}

const metric = 'allInUsdPerHour';

/** Returns whether waiting has paid off, and how long bids have lasted. Source: docs/meaning.md#wait-or-rent. */
export async function readWaitOrRent(
  deps: Dependencies,
  { hours, ...request }: WaitRequest,
): Promise<WaitOrRent> {
  const { scopeId } = request;
  const series = scopeId === null ? null : { ...request, scopeId };
  const [{ newest, lowest }, bidSurvival] = await Promise.all([
    readLowestPrices(deps, request),
    series === null
      ? noBids
      : keep(deps, 'bids', { ...series, type: 'bid' }, async () => await readBidSurvival(deps.sql, series)),
  ]);
  return {
    observedAt: newest,
    unit: metrics[metric].unit,
    ...(await findWaitChances(lowest, hours, createTurns())),
    bidSurvival,
  };
}

/** The fields that do not depend on when the work must begin. */
type SeriesRequest = Omit<WaitRequest, 'hours' | 'scopeId'> & { scopeId: number };

interface Dependencies {
  sql: Db;
  keptPast: KeptPast;
}

async function keep<T>(
  { sql, keptPast }: Dependencies,
  what: 'lowest' | 'bids',
  of: SeriesRequest,
  read: () => Promise<T>,
): Promise<T> {
  return await keptPast(`${what} ${JSON.stringify(of)}`, await seriesVersion(sql, of), read);
}

/** Returns the lowest prices that chances are based on; empty without a complete book. */
export async function readLowestPrices(
  deps: Dependencies,
  request: Omit<WaitRequest, 'hours'>,
): Promise<LowestOfBooks> {
  const { scopeId } = request;
  if (scopeId === null) return noPast;
  const series = { ...request, scopeId };
  return await keep(deps, 'lowest', series, async () => await readLowest(deps.sql, series));
}

interface LowestOfBooks {
  /** The newest complete book; null: there is none. */
  newest: Date | null;
  lowest: LowestPrices;
}

/** Returns the lowest price of each complete book, without outliers as of that book. */
async function readLowest(db: Db, request: SeriesRequest): Promise<LowestOfBooks> {
  const days = historyDays + percentileDays + outlierDays;
  const past = await readPastOffers(db, { ...request, metric, days });
  if (past === null) return noPast;
  const { newest, books, counts } = past;
  const turns = createTurns();
  const lowest = new Float64Array(counts.length).fill(Number.NaN);
  for (const { gpuModelId, readMatching, readListed } of past.models) {
    const spans = await readMatching();
    const picked = await findCheaper(spans, lowest, counts, turns);
    // Most models of a market cost more than the cheapest ones and can be skipped.
    if (picked.length === 0) continue;
    const { verificationTierId, offers } = spans;
    const tierIds = new Set(verificationTierId.filter((_, place) => place < spans.length));
    const usual = await readUsualPrices(await readListed(spans), { gpuModelId, tierIds }, books, turns);
    const isLeftOut = (place: number, ordinal: number): boolean => {
      const median = usual.get(verificationTierId[place] as number)?.[ordinal] ?? Number.NaN;
      return isOutlier(offers.listedUsdPerGpuHour[place] as number, median) === true;
    };
    await lowerPrices(lowest, { spans, picked }, { counts, isLeftOut }, turns);
  }
  const isComplete = (_: number, at: number): boolean => counts[at] === 1;
  const [times, prices] = [past.times.filter(isComplete), lowest.filter(isComplete)];
  const percentiles = await findPercentiles(times, prices, turns);
  const nextDrops = await findNextDrops(times, prices, turns);
  return { newest, lowest: { times, prices, percentiles, nextDrops } };
}

/** Returns how long bids on the offers that match have lasted. Source: docs/meaning.md#bid-survival. */
export async function readBidSurvival(db: Db, request: SeriesRequest): Promise<WaitOrRent['bidSurvival']> {
  const ofBids = { type: 'bid', metric: 'usdPerHour', days: historyDays } as const;
  const past = await readPastOffers(db, { ...request, ...ofBids });
  if (past === null) return noBids;
  const turns = createTurns();
  const tally = createBidTally(past);
  for (const { readMatching, readAll } of past.models) {
    const asked = await readMatching();
    // A filter must match when the bid is made, not afterwards.
    await tally.add({ asked, followed: await readAll(asked) }, turns);
  }
  return { observedAt: past.newest, bids: tally.figures() };
}

const nothing = new Float64Array(0);
const noPast: LowestOfBooks = {
  newest: null,
  lowest: { times: nothing, prices: nothing, percentiles: nothing, nextDrops: [] },
};
const noBids: WaitOrRent['bidSurvival'] = { observedAt: null, bids: [] };
