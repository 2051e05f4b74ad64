import type { PricingType } from '../../core/offer.ts';
import type { Places } from '../../core/offer-columns.ts';
import type { Db } from '../../database/connection.ts';
import { readBlocklist } from '../../prices/rankings/blocklist.sql.ts';
import type { createVerdictPools, VerdictPools } from '../../prices/verdicts/verdict-pools.ts';
import { percentileInPool } from '../../prices/verdicts/verdicts.ts';
import { createOfferTable, type OfferTable } from './offer-table.ts';
import {
  type createUsualPrices,
  findOutliers,
  listedPrice,
  listedPricesOf,
  usualPricesOf,
} from './outlier-prices.ts';
import { missingFrom, newestRuleBooks, type RuleOffer, readRuleOffers } from './rule-offers.sql.ts';
import type { PercentileAt } from './watch-readings.ts';

/** What tables share, so that each past is read once. */
export interface TableSources {
  usualPrices: ReturnType<typeof createUsualPrices>;
  poolsAt: ReturnType<typeof createVerdictPools>;
}

/** The verdicts' pools by type. */
export type Pools = ReadonlyMap<PricingType, VerdictPools>;

interface TableOptions {
  marketId: number;
  scopeId: number;
  types: readonly PricingType[];
  /** The moment of the book. */
  at: Date;
  /** Whether percentiles are needed. */
  pools: boolean;
  /** Only these models. @default all */
  gpuNames?: readonly string[] | null;
}

/** Returns the offers of the newest complete books at a moment, as rules judge them. */
export async function readOfferTable(
  db: Db,
  { marketId, scopeId, types, at, pools: needsPools, gpuNames = null }: TableOptions,
  { usualPrices, poolsAt }: TableSources,
): Promise<{ table: OfferTable; pools: Pools }> {
  const books = await newestRuleBooks(db, { scopeIds: [scopeId], types, upTo: at });
  const offers: RuleOffer[] = [];
  const usual = new Map<PricingType, ReadonlyMap<string, number>>();
  const pools = new Map<PricingType, VerdictPools>();
  for (const each of books) {
    const rows = await readRuleOffers(db, each, missingFrom(each.observedAt, each.previousAt), gpuNames);
    for (const row of rows) offers.push(row);
    const series = { marketId, scopeId, type: each.type };
    usual.set(each.type, await usualPrices(db, series, each.observedAt));
    if (needsPools) pools.set(each.type, await poolsAt(db, series, each));
  }
  const blocklist = await readBlocklist(db, marketId);
  const places: Places = Int32Array.from(offers.keys());
  const missing = Uint8Array.from(offers, (offer) => (offer.missing ? 1 : 0));
  const listed = listedPricesOf(offers);
  const isOutlier = findOutliers(listed, { places, missing }, usualPricesOf(listed, usual));
  return { table: createOfferTable(offers, { missing, isOutlier }, blocklist), pools };
}

/** Percentiles of a table's offers, each computed once. */
export function percentiles(table: OfferTable, pools: Pools): PercentileAt {
  const known = new Map<string, number | null>();
  return (place, days) => {
    const offer = table.offers[place];
    const ofType = offer === undefined ? undefined : pools.get(offer.type);
    if (offer === undefined || ofType === undefined) return null;
    const key = `${place} ${days}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const price = listedPrice(offer);
    const found = price === null ? null : percentileInPool(ofType, offer, price, days);
    known.set(key, found);
    return found;
  };
}
