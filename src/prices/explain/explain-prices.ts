import {
  defaultMetric,
  defaultRanking,
  type RankingMetric,
  type TrendMetric,
  type UsageProfile,
} from '../../core/metric.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import { createMismatch } from '../../core/offer-match.ts';
import { percentileCont } from '../../core/percentile.ts';
import { metricValue } from '../../core/price.ts';
import type { Sql } from '../../database/connection.ts';
import type { NewestOffersRequest } from '../newest/newest-offers.ts';
import type { PriceCache } from '../newest/newest-offers-cache.ts';
import { readBlocklist } from '../rankings/blocklist.sql.ts';
import { isListed } from '../rankings/blocklist.ts';
import { byRank, type ValuedOffer } from '../rankings/rankings.ts';
import type { TrendPoint } from '../trends/trend-point.ts';
import { type BookRow, readBookRows } from './book-rows.sql.ts';

/** An offer that a figure was made of, or why it was not. */
export interface ExplainedRow {
  listingId: number;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number | null;
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
  dlperf: number | null;
  /** null: it was rejected. */
  value: number | null;
  /** `no …`: what the market did not say; `filter …`: the condition not met; `blocked`. null: it was taken. */
  rejected: string | null;
  /** Books that held it so: 1 of a single book. */
  books: number;
}

/** A figure worked out again from the rows taken; `observations`: rows with a value. */
export type Recomputed = Pick<
  TrendPoint,
  'observations' | 'offers' | 'gpus' | 'machines' | 'min' | 'p10' | 'p25' | 'median' | 'p75' | 'p90' | 'max'
>;

export interface Explanation {
  taken: ExplainedRow[];
  rejected: ExplainedRow[];
  recomputed: Recomputed;
}

interface BookQuestion {
  bookId: number;
  /** null: all models. */
  gpuName: string | null;
  metric: TrendMetric;
  filter: OfferFilter;
  profile: UsageProfile;
}

/**
 * The rows of a point of one book. An offer that fits and has no value is rejected for the percentiles and counts
 * as supply all the same, as in the point.
 */
export async function explainBook(sql: Sql, question: BookQuestion): Promise<Explanation> {
  const { bookId, gpuName, metric, filter, profile } = question;
  const mismatch = createMismatch(filter, profile.storageGb);
  const taken: ExplainedRow[] = [];
  const rejected: ExplainedRow[] = [];
  const supply: BookRow[] = [];
  for (const row of await readBookRows(sql, bookId, gpuName)) {
    const unmet = mismatch(row);
    if (unmet !== null) {
      rejected.push(explained(row, null, `filter ${unmet}`));
      continue;
    }
    supply.push(row);
    const figure = metricValue(row, metric, profile);
    if ('value' in figure) taken.push(explained(row, figure.value, null));
    else rejected.push(explained(row, null, figure.missing));
  }
  taken.sort((a, b) => (a.value ?? 0) - (b.value ?? 0) || a.listingId - b.listingId);
  return { taken, rejected, recomputed: recompute(taken, supply) };
}

/** The rows of a ranking of the newest books, those taken in its order. `superseded`: ask again. */
export async function explainRanking(
  { sql, currentOffers }: { sql: Sql } & PriceCache,
  { books, gpuNames, filter, profile, marketId }: Omit<NewestOffersRequest, 'skip' | 'limit'>,
  asked: RankingMetric,
): Promise<(Explanation & { by: RankingMetric }) | 'superseded'> {
  const blocklist = await readBlocklist(sql, marketId);
  const currents = await Promise.all(books.map((book) => currentOffers(sql, book)));
  const hasMetric = asked !== defaultRanking || currents.some(({ hasDlperf }) => hasDlperf);
  const by = hasMetric ? asked : defaultMetric;
  const mismatch = createMismatch(filter, profile.storageGb);
  const valued: ValuedOffer[] = [];
  const rejected: ExplainedRow[] = [];
  for (const { offers, superseded } of currents) {
    if (superseded) return 'superseded';
    for (const offer of offers) {
      if (gpuNames.length > 0 && !gpuNames.includes(offer.gpuName)) continue;
      const unmet = mismatch(offer);
      const figure = metricValue(offer, by, profile);
      if (unmet !== null) rejected.push(explained(offer, null, `filter ${unmet}`));
      else if (isListed(blocklist.block, offer)) rejected.push(explained(offer, null, 'blocked'));
      else if ('missing' in figure) rejected.push(explained(offer, null, figure.missing));
      else valued.push({ offer, value: figure.value });
    }
  }
  const taken = valued.sort(byRank).map(({ offer, value }) => explained(offer, value, null));
  return { by, taken, rejected, recomputed: recompute(taken, taken) };
}

/** The offer of a row with its value or the reason that it has none. */
export const explained = (
  row: Omit<ExplainedRow, 'value' | 'rejected' | 'books'>,
  value: number | null,
  rejected: string | null,
  books = 1,
): ExplainedRow => ({
  listingId: row.listingId,
  machineId: row.machineId,
  hostId: row.hostId,
  gpuName: row.gpuName,
  numGpus: row.numGpus,
  baseUsdPerHour: row.baseUsdPerHour,
  storageUsdPerGbMonth: row.storageUsdPerGbMonth,
  inetDownUsdPerGb: row.inetDownUsdPerGb,
  inetUpUsdPerGb: row.inetUpUsdPerGb,
  dlperf: row.dlperf,
  value,
  rejected,
  books,
});

function recompute(
  taken: readonly ExplainedRow[],
  supply: readonly { numGpus: number; machineId: number }[],
): Recomputed {
  const values = Float64Array.from(taken, ({ value }) => value ?? Number.NaN).sort();
  const at = (share: number): number | null => percentileCont(values, share);
  return {
    observations: values.length,
    offers: supply.length,
    gpus: supply.reduce((sum, { numGpus }) => sum + numGpus, 0),
    machines: new Set(supply.map(({ machineId }) => machineId)).size,
    min: values[0] ?? null,
    p10: at(0.1),
    p25: at(0.25),
    median: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    max: values.at(-1) ?? null,
  };
}
