import { metrics, type UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { isOutlier, outlierDays } from '../verdicts/segment-medians.ts';
import { type BidSurvival, findBidSurvival } from './bid-survival.ts';
import { historyDays } from './book-windows.ts';
import { lowestPrices } from './lowest-prices.ts';
import { type PastOffers, readPastOffers } from './past-offers.ts';
import { findWaitChances, type LowestPrices, percentileDays, type WaitChances } from './price-drops.ts';
import { createUsualPrices } from './usual-prices.ts';

export interface WaitRequest {
  marketId: number;
  /** null: nothing was ever recorded. */
  scopeId: number | null;
  type: PricingType;
  /** Empty: all models. */
  gpuNames: readonly string[];
  filter: OfferFilter;
  profile: UsageProfile;
  /** Until the work must begin. */
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

/** Whether waiting has paid in the past, and how long bids have lasted. Source: docs/meaning.md#wait-or-rent. */
export async function readWaitOrRent(db: Db, request: WaitRequest): Promise<WaitOrRent> {
  const { scopeId, hours } = request;
  const series = scopeId === null ? null : { ...request, scopeId };
  const past =
    series === null
      ? null
      : await readPastOffers(db, { ...series, metric, days: historyDays + percentileDays + outlierDays });
  const lowest = past === null ? noPrices : await findLowest(past);
  return {
    observedAt: past?.newest ?? null,
    unit: metrics[metric].unit,
    ...findWaitChances(lowest, hours),
    bidSurvival: series === null ? noBids : await readBidSurvival(db, series),
  };
}

/** The lowest price at each complete book, outliers as of that book left out. */
async function findLowest({ books, times, counts, matching, readListed }: PastOffers): Promise<LowestPrices> {
  const usualAt = createUsualPrices(await readListed(), books);
  const { gpuModelId, verificationTierId, offers } = matching;
  const isLeftOut = (place: number, ordinal: number): boolean => {
    const usual = usualAt(gpuModelId[place] as number, verificationTierId[place] as number, ordinal);
    return isOutlier(offers.listedUsdPerGpuHour[place] as number, usual) === true;
  };
  const prices = lowestPrices(matching, counts, isLeftOut);
  const isComplete = (_: number, at: number): boolean => counts[at] === 1;
  return { times: times.filter(isComplete), prices: prices.filter(isComplete) };
}

async function readBidSurvival(
  db: Db,
  request: WaitRequest & { scopeId: number },
): Promise<WaitOrRent['bidSurvival']> {
  const ofBids = { type: 'bid', metric: 'usdPerHour', days: historyDays } as const;
  const past = await readPastOffers(db, { ...request, ...ofBids });
  if (past === null) return noBids;
  // What a filter asks for must hold when the bid is made, not afterwards.
  const spans = { asked: past.matching, followed: await past.readAll() };
  return { observedAt: past.newest, bids: findBidSurvival(spans, past) };
}

const noPrices: LowestPrices = { times: new Float64Array(0), prices: new Float64Array(0) };
const noBids: WaitOrRent['bidSurvival'] = { observedAt: null, bids: [] };
