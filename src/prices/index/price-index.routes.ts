import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets, requireKnownModels } from '../../books/choose-market.ts';
import { findNewest, latestOf } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { flagParam, marketsParam, rangeParams, readSeries, seriesParams } from '../../core/http/query.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { readRange } from '../../core/http/time-range.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { seriesKey } from '../series-key.ts';
import { describeChanges } from './index-change.ts';
import { PriceChangeSchema } from './price-change-schema.ts';
import { addRebased, readIndex } from './read-index.ts';

const percent = z.number().nullable();

const IndexPointSchema = z
  .object({
    t: moment.openapi({ description: 'Start of the UTC day' }),
    index: z.number().openapi({ description: '100 on the first day and on each restart' }),
    movementPercent: percent.openapi({ description: 'Since the last comparable day; null: it restarts' }),
    stderrPercent: percent.openapi({ description: 'Of the movement; null: fewer than 3 hosts' }),
    listings: z.int().openapi({ description: 'Listings seen on two or more days of the window' }),
    observations: z.int().openapi({ description: 'Listings and days of the window' }),
    restarted: z.boolean().openapi({ description: 'No earlier day can be compared' }),
    open: z.boolean().openapi({ description: 'The day has not ended' }),
    rebased: z
      .number()
      .optional()
      .openapi({ description: 'With `rebase`: 100 on `base`, or on the first day linked with it' }),
    rebasedLow: percent.optional().openapi({ description: 'Two standard errors lower; null: unknown' }),
    rebasedHigh: percent.optional().openapi({ description: 'Two standard errors higher' }),
  })
  .openapi('IndexPoint');

const base = moment
  .nullable()
  .openapi({ description: 'First day that all series have; null: none, or not requested' });

const IndexSchema = z
  .object({
    base,
    series: z.array(
      z.object({
        key: z.string(),
        market: z.string(),
        points: z.array(IndexPointSchema),
        changes: z
          .array(PriceChangeSchema)
          .openapi({ description: 'Over 1, 7 and 27 days up to the last point' }),
      }),
    ),
  })
  .openapi('PriceIndex');

/** The answer of `GET /api/index`. */
export type IndexAnswer = z.infer<typeof IndexSchema>;

const route = createRoute({
  operationId: 'getPriceIndex',
  method: 'get',
  path: '/api/index',
  tags: ['prices'],
  summary: 'How prices moved like for like, whatever mix of machines was free',
  request: {
    query: z.strictObject({
      ...marketsParam,
      ...seriesParams,
      ...rangeParams,
      rebase: flagParam(
        'Also return levels relative to a day that all series have, with bands of two standard errors',
      ),
    }),
  },
  responses: {
    200: jsonAnswer('One series per type and model', IndexSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/index`. */
export function mountPriceIndex(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const asked = c.req.valid('query');
    const markets = await chooseMarkets(deps, asked.market);
    const { types, gpuNames } = readSeries(asked, markets.length);
    if (gpuNames.length === 0) throw badField('gpuName', 'is required: the index is per model');
    await requireKnownModels(deps, markets, gpuNames);
    const places = await Promise.all(
      markets.map(async ({ id, name }) => ({ market: name, ...(await findNewest(deps.sql, id, types)) })),
    );
    const now = deps.now();
    const range = readRange(asked, latestOf(places), now);
    const asksOf = places.flatMap(({ market, scopeId }) =>
      types.flatMap((type) => gpuNames.map((gpuName) => ({ market, scopeId, type, gpuName }))),
    );
    const read = await Promise.all(
      asksOf.map(async ({ market, scopeId, type, gpuName }) => {
        const query = scopeId === null ? null : { scopeId, type, gpuName, ...range };
        const found = query === null ? null : { query, found: await readIndex(deps.sql, query, now) };
        return { market, type, gpuName, found };
      }),
    );
    const known = read.flatMap(({ found }) => (found === null ? [] : [found]));
    const baseDay = asked.rebase === true ? await addRebased(deps.sql, known) : null;
    const series = read.map(({ market, type, gpuName, found }) => {
      const { points = [], changes = describeChanges(null, () => null) } = found?.found ?? {};
      return {
        key: seriesKey({ market, type, gpuName }, { markets: markets.length, pairs: asksOf.length }),
        market,
        points: points.map((point) => ({ ...point, t: point.t.toISOString() })),
        changes,
      };
    });
    return c.json({ base: baseDay?.toISOString() ?? null, series }, 200);
  });
}
