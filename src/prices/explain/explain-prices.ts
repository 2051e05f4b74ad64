import { type Bucket, bucketStart, wholeBuckets } from '../../core/bucket.ts';
import {
  defaultMetric,
  defaultRanking,
  type RankingMetric,
  type TrendMetric,
  type UsageProfile,
} from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
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
import { readTrends } from '../trends/read-trends.ts';
import type { TrendPoint } from '../trends/trend-point.ts';
import { type BookRow, type BucketBook, readBookRows, readBucketBooks } from './book-rows.sql.ts';

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

/** A bucket's books with the point of each, and what can be told of the bucket's point from them. */
export interface BucketExplanation {
  from: Date;
  to: Date;
  books: (BucketBook & { point: BookPoint | null })[];
  /** Sums, means and extremes of the books' points; percentiles of a bucket are not made of those of its books. */
  recomputed: Pick<Recomputed, 'observations' | 'offers' | 'gpus' | 'machines' | 'min' | 'max'> & {
    books: number;
  };
}

type BookPoint = Recomputed;

/** The books of the bucket that holds `at`. */
export async function explainBucket(
  sql: Sql,
  question: {
    scopeId: number;
    type: PricingType;
    gpuName: string | null;
    metric: TrendMetric;
    bucket: Exclude<Bucket, 'book'>;
    at: Date;
    filter: OfferFilter;
    profile: UsageProfile;
  },
): Promise<BucketExplanation> {
  const { scopeId, type, gpuName, metric, bucket, at, filter, profile } = question;
  const begin = bucketStart(bucket, at);
  const range = wholeBuckets(bucket, { from: begin, to: new Date(begin.getTime() + 1) });
  const [books, { series }] = await Promise.all([
    readBucketBooks(sql, { scopeId, type, gpuName }, range),
    readTrends(sql, {
      ...{ scopeId, metric, filter, profile, bucket: 'book' as const, types: [type], ...range },
      gpuNames: gpuName === null ? [] : [gpuName],
    }),
  ]);
  const points = new Map((series[0]?.points ?? []).map((point) => [point.t.getTime(), point]));
  const each = books.map((book) => ({ ...book, point: points.get(book.observedAt.getTime()) ?? null }));
  const counted = each.flatMap(({ covers, point }) => (covers && point !== null ? [point] : []));
  const mean = (read: (point: BookPoint) => number): number =>
    counted.length === 0 ? 0 : counted.reduce((sum, point) => sum + read(point), 0) / counted.length;
  const extreme = (pick: (...values: number[]) => number, name: 'min' | 'max'): number | null => {
    const values = counted.map((point) => point[name]).filter((value) => value !== null);
    return values.length === 0 ? null : pick(...values);
  };
  return {
    ...range,
    books: each,
    recomputed: {
      books: counted.length,
      observations: counted.reduce((sum, { observations }) => sum + observations, 0),
      offers: mean(({ offers }) => offers),
      gpus: mean(({ gpus }) => gpus),
      machines: mean(({ machines }) => machines),
      min: extreme(Math.min, 'min'),
      max: extreme(Math.max, 'max'),
    },
  };
}

const explained = (
  row: Omit<ExplainedRow, 'value' | 'rejected'>,
  value: number | null,
  rejected: string | null,
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
