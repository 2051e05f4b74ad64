import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets, requireKnownModels } from '../../books/choose-market.ts';
import { findScope } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { marketsParam, readSeries, seriesParams } from '../../core/http/query.ts';
import { jsonAnswer } from '../../core/http/route-parts.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { seriesKey } from '../series-key.ts';
import { candidates } from './candidates.ts';
import { describeHorizon } from './describe-forecast.ts';
import { forecastMetricNames, forecastMetrics } from './forecast-metrics.ts';
import { readForecasts } from './read-forecasts.ts';

const figure = z.number().nullable();

/** A forecast of one horizon in API responses. */
export const HorizonSchema = z
  .object({
    days: z.int(),
    status: z.enum(['ok', 'withheld']).openapi({
      description: '`withheld`: past forecasts were not 5% better than the last value, or too few are known',
    }),
    value: figure.openapi({
      description: 'null where the forecast is withheld, as are the band and the candidate',
    }),
    low: figure.openapi({ description: 'p10, from the errors of past forecasts' }),
    high: figure.openapi({ description: 'p90' }),
    candidate: z.enum(candidates).nullable(),
    meanErrorPercent: figure.openapi({ description: 'Mean error of past forecasts; null: unknown' }),
    naiveErrorPercent: figure.openapi({ description: 'Mean error of the last value on the same days' }),
    coverage: figure.openapi({ description: 'Share of outcomes within the band, 0 to 1' }),
    origins: z.int().openapi({ description: 'Past days with a known outcome' }),
    missingDays: z.int().openapi({
      description: 'Days with prices that are missing, at least, before a forecast can be judged; 0: none',
    }),
    usualMovePercent: figure.openapi({
      description: 'In 8 of 10 cases the value moved by at most this much',
    }),
  })
  .openapi('HorizonForecast');

const WordedHorizonSchema = HorizonSchema.extend({
  words: z.string().openapi({ description: 'The forecast with its error, or the reason that there is none' }),
}).openapi('WordedForecast');

const ForecastSchema = z
  .object({
    metric: z.enum(forecastMetricNames),
    unit: z.string(),
    series: z.array(
      z.object({
        key: z.string(),
        market: z.string(),
        lastDay: z.string().nullable().openapi({ format: 'date-time', description: 'Last closed UTC day' }),
        lastValue: figure,
        horizons: z.array(WordedHorizonSchema),
      }),
    ),
  })
  .openapi('Forecast');

/** The answer of `GET /api/forecast`. */
export type ForecastAnswer = z.infer<typeof ForecastSchema>;

const route = createRoute({
  operationId: 'getForecast',
  method: 'get',
  path: '/api/forecast',
  tags: ['prices'],
  summary: 'Forecast prices with their errors, if past forecasts beat the last value',
  request: {
    query: z.strictObject({
      ...marketsParam,
      ...seriesParams,
      metric: z.enum(forecastMetricNames).default('median').openapi({
        description: '`median`: the median price per GPU; `index`: prices like for like, for named models',
      }),
    }),
  },
  responses: {
    200: jsonAnswer('One series per type and model', ForecastSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/forecast`. */
export function mountForecast(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const { market: names, metric, ...pairs } = c.req.valid('query');
    const markets = await chooseMarkets(deps, names);
    const { types, gpuNames } = readSeries(pairs, markets.length);
    if (metric === 'index' && gpuNames.length === 0)
      throw badField('gpuName', 'is required: the index is per model');
    await requireKnownModels(deps, markets, gpuNames);
    const asked = { types, gpuNames, metric, now: deps.now() };
    const { unit } = forecastMetrics[metric];
    const each = await Promise.all(
      markets.map(async ({ id: marketId, name: market }) => {
        const scopeId = await findScope(deps.sql, marketId);
        const found = await readForecasts(deps.sql, { ...asked, marketId, scopeId });
        return found.map(({ type, gpuName, lastDay, horizons, ...forecast }) => ({
          key: seriesKey({ market, type, gpuName }, { markets: markets.length, pairs: found.length }),
          market,
          lastDay: lastDay?.toISOString() ?? null,
          ...forecast,
          horizons: horizons.map((horizon) => ({
            ...horizon,
            words: describeHorizon(horizon, forecastMetrics[metric], { lastDay, now: asked.now }),
          })),
        }));
      }),
    );
    return c.json({ metric, unit, series: each.flat() }, 200);
  });
}
