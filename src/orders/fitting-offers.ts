import type { PricingType } from '../core/offer.ts';
import { usdPerHour } from '../core/price.ts';
import type { OfferTable } from '../watches/rules/offer-table.ts';
import type { IndexChangeOf, PercentileAt } from '../watches/rules/watch-readings.ts';
import type { WatchFilters } from '../watches/watch.ts';
import type { OrderChoice } from './order.ts';

/** An offer that meets a choice of an order. */
export interface FittingOffer {
  listingId: number;
  /** null: no longer known, as of an offer of the past. */
  offerId: number | null;
  machineId: number;
  gpuName: string;
  numGpus: number;
  type: PricingType;
  /** As listed, the whole machine with the order's disk. */
  usdPerHour: number;
  /** The highest price at which it still fits. */
  maxUsdPerHour: number;
}

interface ChoiceSources {
  table: OfferTable;
  percentileAt: PercentileAt;
  indexChangeOf: IndexChangeOf;
}

/** Returns the filters of a choice's watch for an order's disk. */
export const filtersOfChoice = (filters: WatchFilters, diskGb: number): WatchFilters => ({
  ...filters,
  type: ['on-demand'],
  minDiskGb: Math.max(filters.minDiskGb ?? 0, diskGb),
});

/** Returns the offers of a book that meet a choice, lowest $/GPU-hour first; no outliers, and none that is missing. */
export function fittingOffers(
  { table, percentileAt, indexChangeOf }: ChoiceSources,
  choice: Omit<OrderChoice, 'watchId'>,
  { filters, diskGb }: { filters: WatchFilters; diskGb: number },
): FittingOffer[] {
  const fitting: FittingOffer[] = [];
  for (const place of table.match(filtersOfChoice(filters, diskGb), diskGb)) {
    const offer = table.offers[place];
    if (offer === undefined || table.missing[place] === 1 || table.isOutlier[place] === 1) continue;
    const price = usdPerHour(offer, diskGb);
    if (price === null || price <= 0) continue;
    const { maxUsdPerGpuHour, maxPercentile, minIndexFall } = choice;
    if (maxUsdPerGpuHour !== undefined && price > maxUsdPerGpuHour * offer.numGpus) continue;
    if (maxPercentile !== undefined) {
      const percentile = percentileAt(place, maxPercentile.days);
      if (percentile === null || percentile > maxPercentile.percentile) continue;
    }
    if (minIndexFall !== undefined) {
      const change = indexChangeOf(offer.type, offer.gpuName, minIndexFall.days);
      if (change === null || change > -minIndexFall.percent) continue;
    }
    const { listingId, offerId, machineId, gpuName, numGpus, type } = offer;
    const maxUsdPerHour = capOf(choice, price, numGpus);
    fitting.push({ listingId, offerId, machineId, gpuName, numGpus, type, usdPerHour: price, maxUsdPerHour });
  }
  return fitting.sort(
    (a, b) => a.usdPerHour / a.numGpus - b.usdPerHour / b.numGpus || a.listingId - b.listingId,
  );
}

/** A price that another condition has judged may not rise; rounded up, as the quote adds in decimals. */
function capOf(
  { maxUsdPerGpuHour, maxPercentile, minIndexFall }: Omit<OrderChoice, 'watchId'>,
  price: number,
  numGpus: number,
): number {
  const listed = Math.ceil(price * 1e9) / 1e9;
  if (maxUsdPerGpuHour === undefined) return listed;
  const max = maxUsdPerGpuHour * numGpus;
  return maxPercentile === undefined && minIndexFall === undefined ? max : Math.min(max, listed);
}
