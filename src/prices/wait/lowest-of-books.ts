import { createTurns } from '../../core/turns.ts';
import type { Db } from '../../database/connection.ts';
import { isOutlier } from '../verdicts/segment-medians.ts';
import { findCheaper, lowerPrices } from './lowest-prices.ts';
import { type PastOffersRequest, readPastOffers } from './past-offers.ts';
import { readUsualPrices } from './usual-prices.ts';

/** The complete books of a request in time order, with the lowest price of each. */
export interface LowestOfBooks {
  /** The newest complete book; null: there is none. */
  newest: Date | null;
  /** Milliseconds. */
  times: Float64Array;
  /** In the unit of the request's metric; NaN: no offer matched. */
  prices: Float64Array;
}

const nothing = new Float64Array(0);
export const noBooks: LowestOfBooks = { newest: null, times: nothing, prices: nothing };

/** Returns the lowest price of each complete book, without outliers as of that book. */
export async function readLowestOfBooks(db: Db, request: PastOffersRequest): Promise<LowestOfBooks> {
  const past = await readPastOffers(db, request);
  if (past === null) return noBooks;
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
  return { newest, times: past.times.filter(isComplete), prices: lowest.filter(isComplete) };
}
