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

/** A model's lowest price in its newest book, by the offers as they are there. */
export interface PriceNow {
  /** When the book was observed. */
  observedAt: Date;
  /** With 8 GB of disk; NaN: no offer matches. */
  usdPerGpuHour: number;
}

/** Judges a model's lowest price in its newest complete book by those of the books before; null: too little history. */
export async function readTiming(
  deps: PastDeps,
  asked: TimingRequest,
  now: PriceNow,
): Promise<PriceTiming | null> {
  const { times, prices } = await readTimingBooks(deps, asked, now);
  return judgeTiming(times, prices);
}

/**
 * Returns the lowest price per GPU at 8 GB of each complete book that a price now is compared with, and that price last:
 * in the newest book the filters test the offers' live values, in books before it their slow attributes, which may differ
 * a little. Source: docs/meaning.md#slow-attributes.
 */
export async function readTimingBooks(
  deps: PastDeps,
  { gpuName, ...asked }: TimingRequest,
  now: PriceNow,
): Promise<Pick<LowestOfBooks, 'times' | 'prices'>> {
  const request = {
    ...asked,
    gpuNames: [gpuName],
    metric: 'usdPerGpuHour' as const,
    profile: defaultProfile,
    days: maxTimingDays + outlierDays,
  };
  const { times, prices } = await keepPast(
    deps,
    'timing',
    request,
    async () => await readLowestOfBooks(deps.sql, request),
  );
  // A book that landed meanwhile is not the one whose price is known.
  const isNewest = times.at(-1) === now.observedAt.getTime();
  return { times, prices: isNewest ? prices.with(-1, now.usdPerGpuHour) : prices };
}
