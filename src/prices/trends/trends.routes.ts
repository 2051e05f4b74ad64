import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets, requireKnownModels } from '../../books/choose-market.ts';
import type { Market } from '../../books/markets.sql.ts';
import { buckets } from '../../core/bucket.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import {
  filterParams,
  marketsParam,
  profileParams,
  rangeParams,
  readFilter,
  readProfile,
  readSeries,
  seriesParams,
} from '../../core/http/query.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { readRange } from '../../core/http/time-range.ts';
import { defaultMetric, metrics, trendMetrics } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { planMarkets, readMarkets } from './market-trends.ts';

const maxAnsweredPoints = 200_000;
const price = z.number().nullable();

const meanPerBook = z.number().openapi({ description: 'Mean per complete book' });
const meanPerRound = z
  .number()
  .openapi({ description: 'Mean per round; a machine that several types list counts once' });

const PointSchema = z
  .object({
    t: moment.openapi({ description: 'Start of the bucket; for single books the time of the book' }),
    books: z.int().openapi({ description: 'Complete books of the bucket' }),
    observations: z.int().openapi({ description: 'Prices pooled' }),
    offers: meanPerBook,
    gpus: meanPerBook,
    machines: meanPerBook,
    physicalGpus: meanPerBook,
    physicalGpusIsLowerBound: z.boolean(),
    min: price,
    p10: price,
    p25: price,
    median: price,
    p75: price,
    p90: price,
    max: price,
  })
  .openapi('TrendPoint');

const SupplyPointSchema = z
  .object({
    t: moment,
    rounds: z
      .int()
      .openapi({ description: 'Rounds: each time every type had a new complete book since the last round' }),
    machines: meanPerRound,
    physicalGpus: meanPerRound,
    physicalGpusIsLowerBound: z.boolean(),
  })
  .openapi('SupplyPoint');

const TrendsSchema = z
  .object({
    bucket: z.enum(buckets),
    from: moment,
    to: moment,
    metric: z.enum(trendMetrics),
    unit: z.string(),
    attributesAsOf: z.literal('day'),
    series: z.array(z.object({ key: z.string(), market: z.string(), points: z.array(PointSchema) })),
    supply: z
      .array(
        z.object({
          market: z.string(),
          gpuName: z.string().nullable(),
          points: z.array(SupplyPointSchema),
        }),
      )
      .openapi({
        description:
          'Supply of several types of a market together, by model; null: all models. Empty for one type',
      }),
    coverage: z.object({
      books: z.int(),
      complete: z.int(),
      partial: z.int(),
      failed: z.int(),
      expected: z.int().nullable().openapi({ description: 'null: no schedule covers this range' }),
    }),
  })
  .openapi('Trends');

/** The answer of `GET /api/trends`. */
export type TrendsAnswer = z.infer<typeof TrendsSchema>;

const query = z.strictObject({
  ...marketsParam,
  ...seriesParams,
  metric: z.enum(trendMetrics).default(defaultMetric),
  bucket: z.enum(['auto', ...buckets]).default('auto'),
  ...rangeParams,
  ...filterParams,
  ...profileParams,
});

const route = createRoute({
  operationId: 'getTrends',
  method: 'get',
  path: '/api/trends',
  tags: ['prices'],
  summary: 'Prices and supply over time',
  request: { query },
  responses: {
    200: jsonAnswer('One series per type and model', TrendsSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/trends`. */
export function mountTrends(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const asked = c.req.valid('query');
    const { metric } = asked;
    const markets = await chooseMarkets(deps, asked.market);
    const { types, gpuNames } = readSeries(asked, markets.length);
    const profile = readProfile(asked);
    const request = { types, gpuNames, metric, bucket: asked.bucket, profile, filter: readFilter(asked) };
    const plans = await planMarkets(deps.sql, markets, request, (newest) =>
      readRange(asked, newest, deps.now()),
    );
    const { bucket, range, maxPoints } = plans;
    if (maxPoints > maxAnsweredPoints) {
      const coarser = bucket === 'book' ? '`1h` or `1d`' : '`1d` or `1w`';
      throw badField(
        'bucket',
        `gives up to ${maxPoints} points, more than ${maxAnsweredPoints}: choose ${coarser}`,
      );
    }
    const [{ series, supply, coverage }, expected] = await Promise.all([
      readMarkets(deps.sql, plans),
      expectedBooks(deps, markets, types, plans.books),
      requireKnownModels(deps, markets, gpuNames),
    ]);
    return c.json(
      {
        bucket,
        from: range.from.toISOString(),
        to: range.to.toISOString(),
        metric,
        unit: metrics[metric].unit,
        attributesAsOf: 'day' as const,
        series: series.map(({ points, ...one }) => ({ ...one, points: withIsoTimes(points) })),
        supply: supply.map(({ points, ...one }) => ({ ...one, points: withIsoTimes(points) })),
        coverage: { ...coverage, expected },
      },
      200,
    );
  });
}

const withIsoTimes = <Point extends { t: Date }>(points: readonly Point[]) =>
  points.map((point) => ({ ...point, t: point.t.toISOString() }));

/** Returns the sum over markets and types; null: no schedule covers the range. */
async function expectedBooks(
  deps: PricesDeps,
  markets: readonly Market[],
  types: readonly PricingType[],
  range: { from: Date; to: Date },
): Promise<number | null> {
  const series = markets.flatMap((market) => types.map((type) => ({ market, type })));
  const each = await Promise.all(
    series.map(({ market, type }) => deps.expectedBooks?.(market, type, range) ?? null),
  );
  const known = each.filter((books) => books !== null);
  return known.length === 0 ? null : known.reduce((sum, books) => sum + books, 0);
}
