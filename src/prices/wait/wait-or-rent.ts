import { metrics, type UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import { createTurns } from '../../core/turns.ts';
import type { Db } from '../../database/connection.ts';
import { outlierDays } from '../verdicts/segment-medians.ts';
import { type BidSurvival, createBidTally } from './bid-survival.ts';
import { historyDays } from './book-windows.ts';
import { keepPast, type PastDeps } from './keep-past.ts';
import { noBooks, readLowestOfBooks } from './lowest-of-books.ts';
import { findNextDrops } from './next-drops.ts';
import { readPastOffers } from './past-offers.ts';
import { findWaitChances, type LowestPrices, type WaitChances } from './price-drops.ts';
import { findPercentiles, percentileDays } from './price-percentiles.ts';

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
  deps: PastDeps,
  { hours, ...request }: WaitRequest,
): Promise<WaitOrRent> {
  const { scopeId } = request;
  const series = scopeId === null ? null : { ...request, scopeId };
  const [{ newest, lowest }, bidSurvival] = await Promise.all([
    readLowestPrices(deps, request),
    series === null
      ? noBids
      : keepPast(
          deps,
          'bids',
          { ...series, type: 'bid' },
          async () => await readBidSurvival(deps.sql, series),
        ),
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

/** Returns the lowest prices that chances are based on; empty without a complete book. */
export async function readLowestPrices(
  deps: PastDeps,
  request: Omit<WaitRequest, 'hours'>,
): Promise<{ newest: Date | null; lowest: LowestPrices }> {
  const { scopeId } = request;
  if (scopeId === null) return noPast;
  const series = { ...request, scopeId };
  return await keepPast(deps, 'lowest', series, async () => {
    const days = historyDays + percentileDays + outlierDays;
    const { newest, times, prices } = await readLowestOfBooks(deps.sql, { ...series, metric, days });
    const turns = createTurns();
    const percentiles = await findPercentiles(times, prices, turns);
    return {
      newest,
      lowest: { times, prices, percentiles, nextDrops: await findNextDrops(times, prices, turns) },
    };
  });
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

const noPast = { newest: null, lowest: { ...noBooks, percentiles: noBooks.prices, nextDrops: [] } };
const noBids: WaitOrRent['bidSurvival'] = { observedAt: null, bids: [] };
