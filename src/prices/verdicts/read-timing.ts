import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import { keepPast, type PastDeps } from '../wait/keep-past.ts';
import { type LowestOfBooks, readLowestOfBooks } from '../wait/lowest-of-books.ts';
import { judgeTiming, maxTimingDays, type PriceTiming } from './price-timing.ts';
import { outlierDays } from './segment-medians.ts';

/** Whose lowest price is judged. */
export interface TimingRequest {
  marketId: number;
  scopeId: number;
  type: PricingType;
  gpuName: string;
  filter: OfferFilter;
}

/** Judges a model's lowest price in its newest complete book by those of the books before; null: too little history. */
export async function readTiming(deps: PastDeps, asked: TimingRequest): Promise<PriceTiming | null> {
  const { times, prices } = await readTimingBooks(deps, asked);
  return judgeTiming(times, prices);
}

/** Returns the lowest price per GPU at 8 GB of each complete book that a price now is compared with. */
export async function readTimingBooks(
  deps: PastDeps,
  { gpuName, ...asked }: TimingRequest,
): Promise<LowestOfBooks> {
  const request = {
    ...asked,
    gpuNames: [gpuName],
    metric: 'usdPerGpuHour' as const,
    profile: defaultProfile,
    days: maxTimingDays + outlierDays,
  };
  return await keepPast(deps, 'timing', request, async () => await readLowestOfBooks(deps.sql, request));
}
