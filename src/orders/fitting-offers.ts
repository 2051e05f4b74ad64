import { Decimal } from 'decimal.js';
import type { PricingType } from '../core/offer.ts';
import { usdPerHour } from '../core/price.ts';
import type { OfferTable } from '../watches/rules/offer-table.ts';
import type { IndexChangeOf, PercentileAt } from '../watches/rules/watch-readings.ts';
import type { WatchFilters } from '../watches/watch.ts';
import { type OrderBid, type OrderChoice, typeOfChoice } from './order.ts';
import { bidDecimals } from './outbid.ts';

/** An offer that meets a choice of an order. */
export interface FittingOffer {
  listingId: number;
  /** null: no longer known, as of an offer of the past. */
  offerId: number | null;
  machineId: number;
  gpuName: string;
  numGpus: number;
  type: PricingType;
  /** As listed, or with the first bid; the whole machine with the order's disk. */
  usdPerHour: number;
  /** The first bid, $/hour of the whole machine without its disk; null: on demand. */
  bidUsdPerHour: number | null;
  /** The highest price at which it still fits. */
  maxUsdPerHour: number;
}

interface ChoiceSources {
  table: OfferTable;
  percentileAt: PercentileAt;
  indexChangeOf: IndexChangeOf;
}

/** Returns the filters of a choice's watch for an order's disk. */
export const filtersOfChoice = (
  filters: WatchFilters,
  choice: Pick<OrderChoice, 'bid'>,
  diskGb: number,
): WatchFilters => ({
  ...filters,
  type: [typeOfChoice(choice)],
  minDiskGb: Math.max(filters.minDiskGb ?? 0, diskGb),
});

/** Returns the offers of a book that meet a choice, lowest $/GPU-hour first; no outliers, and none that is missing. */
export function fittingOffers(
  { table, percentileAt, indexChangeOf }: ChoiceSources,
  choice: Omit<OrderChoice, 'watchId'>,
  { filters, diskGb }: { filters: WatchFilters; diskGb: number },
): FittingOffer[] {
  const fitting: FittingOffer[] = [];
  for (const place of table.match(filtersOfChoice(filters, choice, diskGb), diskGb)) {
    const offer = table.offers[place];
    if (offer === undefined || table.missing[place] === 1 || table.isOutlier[place] === 1) continue;
    const { maxUsdPerGpuHour, maxPercentile, minIndexFall, bid } = choice;
    const bidUsdPerHour = bid === undefined ? null : firstBid(bid, offer.baseUsdPerHour);
    const price = usdPerHour({ ...offer, baseUsdPerHour: bidUsdPerHour ?? offer.baseUsdPerHour }, diskGb);
    if (price === null || price <= 0) continue;
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
    const prices = { usdPerHour: price, bidUsdPerHour, maxUsdPerHour };
    fitting.push({ listingId, offerId, machineId, gpuName, numGpus, type, ...prices });
  }
  return fitting.sort(
    (a, b) => a.usdPerHour / a.numGpus - b.usdPerHour / b.numGpus || a.listingId - b.listingId,
  );
}

/** An interruptible offer is listed at its minimum bid. */
const firstBid = ({ abovePercent }: OrderBid, minBidUsdPerHour: number): number =>
  new Decimal(minBidUsdPerHour)
    .times(100 + abovePercent)
    .div(100)
    .toDecimalPlaces(bidDecimals, Decimal.ROUND_UP)
    .toNumber();

/**
 * A price that another condition has judged may not rise, except by bids; rounded up, as the quote adds in decimals.
 */
function capOf(
  { maxUsdPerGpuHour, maxPercentile, minIndexFall, bid }: Omit<OrderChoice, 'watchId'>,
  price: number,
  numGpus: number,
): number {
  const listed = Math.ceil(price * 1e9) / 1e9;
  if (maxUsdPerGpuHour === undefined) return listed;
  const max = maxUsdPerGpuHour * numGpus;
  return bid !== undefined || (maxPercentile === undefined && minIndexFall === undefined)
    ? max
    : Math.min(max, listed);
}
