import type { Market } from '../../books/markets.sql.ts';
import { findNewest, latestOf } from '../../books/newest-books.sql.ts';
import { type Bucket, buckets } from '../../core/bucket.ts';
import type { Sql } from '../../database/connection.ts';
import { seriesKey } from '../series-key.ts';
import {
  planTrends,
  readSupply,
  readTrends,
  type TrendCoverage,
  type TrendPlan,
  type TrendRequest,
} from './read-trends.ts';
import type { TrendPoint } from './trend-point.ts';
import type { SupplySeries } from './union-supply.sql.ts';

/** The part of a request for trends that is the same for every market. */
export type MarketsRequest = Omit<TrendRequest, 'scopeId' | 'from' | 'to'>;

interface Range {
  from: Date;
  to: Date;
}

/** A plan for a response over several markets, with one bucket and one range for all. */
export interface MarketsPlan {
  bucket: Bucket;
  /** As requested. */
  range: Range;
  /** Widened to whole buckets. */
  books: Range;
  maxPoints: number;
  markets: readonly { market: Market; request: TrendRequest; plan: TrendPlan }[];
}

/**
 * Plans the trends of markets with the coarsest bucket that any of them would use alone. `rangeTo` returns the range
 * for the moment of their newest book.
 */
export async function planMarkets(
  sql: Sql,
  markets: readonly Market[],
  asked: MarketsRequest,
  rangeTo: (newest: Date | null) => Range,
): Promise<MarketsPlan> {
  const found = await Promise.all(
    markets.map(async (market) => ({ market, ...(await findNewest(sql, market.id, asked.types)) })),
  );
  const range = rangeTo(latestOf(found));
  const planAll = async (bucket: Bucket | 'auto') =>
    await Promise.all(
      found.map(async ({ market, scopeId }) => {
        const request = { ...asked, bucket, scopeId, ...range };
        return { market, request, plan: await planTrends(sql, request) };
      }),
    );
  const first = await planAll(asked.bucket);
  const chosen = first.map(({ plan }) => plan.bucket);
  const bucket = buckets.findLast((one) => chosen.includes(one)) ?? 'book';
  const planned = chosen.every((one) => one === bucket) ? first : await planAll(bucket);
  return {
    bucket,
    range,
    books: planned[0]?.plan.range ?? range,
    maxPoints: planned.reduce((sum, { plan }) => sum + plan.maxPoints, 0),
    markets: planned,
  };
}

type Named<T> = T & { market: string };

/** Returns series, supply and books of all planned markets. Keys start with the market if there are several. */
export async function readMarkets(
  sql: Sql,
  { markets }: MarketsPlan,
): Promise<{
  series: Named<{ key: string; points: TrendPoint[] }>[];
  supply: Named<SupplySeries>[];
  coverage: TrendCoverage;
}> {
  const each = await Promise.all(
    markets.map(async ({ market: { name }, request, plan }) => {
      const [{ series, coverage }, supply] = await Promise.all([
        readTrends(sql, request, plan),
        readSupply(sql, request, plan),
      ]);
      return {
        series: series.map(({ type, gpuName, points }) => ({
          key: seriesKey({ market: name, type, gpuName }, { markets: markets.length, pairs: series.length }),
          market: name,
          points,
        })),
        supply: supply.map((one) => ({ ...one, market: name })),
        coverage,
      };
    }),
  );
  const sum = (pick: keyof TrendCoverage) => each.reduce((total, { coverage }) => total + coverage[pick], 0);
  return {
    series: each.flatMap(({ series }) => series),
    supply: each.flatMap(({ supply }) => supply),
    coverage: {
      books: sum('books'),
      complete: sum('complete'),
      partial: sum('partial'),
      failed: sum('failed'),
    },
  };
}
