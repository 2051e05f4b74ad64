import { z } from '@hono/zod-openapi';
import { buckets } from '../../core/bucket.ts';
import { wholeHoursParam } from '../../core/http/query.ts';
import { defaultMetric, defaultRanking, rankingMetrics, trendMetrics } from '../../core/metric.ts';
import { forecastMetricNames } from '../forecast/forecast-metrics.ts';
import { newestOffersParams } from '../newest/newest-offers-request.ts';
import { maxWaitHours } from '../wait/next-drops.ts';

/** Parameters of explanations of prices. */
export const explainPriceParams = {
  at: z.string().optional().openapi({ description: "A point's `t`; of verdicts and rankings there is none" }),
  bucket: z.enum(buckets.slice(1)).optional().openapi({ description: 'Of `bucket`' }),
  metric: z.enum(trendMetrics).default(defaultMetric).openapi({ description: 'Of books and buckets' }),
  by: z.enum(rankingMetrics).default(defaultRanking).openapi({ description: 'Of rankings' }),
  listingId: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a listing')
    .optional()
    .openapi({ description: 'Of rankings, verdicts and listings' }),
  days: z
    .enum(['1', '7', '27', '30', '90'])
    .transform(Number)
    .optional()
    .openapi({ description: 'Of verdicts 7, 30 or 90, of changes 1, 7 or 27, of forecasts 1, 7 or 30' }),
  forecastOf: z.enum(forecastMetricNames).default('median').openapi({ description: 'Of forecasts' }),
  hours: wholeHoursParam('Of `wait`: hours until the work must begin', { max: maxWaitHours, unset: 24 }),
  rows: z.enum(['taken', 'rejected']).default('taken').openapi({ description: 'Which rows to list' }),
  ...newestOffersParams,
};

/** A request for an explanation of prices. */
export type AskedPrices = z.output<z.ZodObject<typeof explainPriceParams>>;
