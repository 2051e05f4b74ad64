import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket, requireKnownModels } from '../../books/choose-market.ts';
import { findNewest } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { flagParam, marketParam, rangeParams, readSeries, seriesParams } from '../../core/http/query.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { readRange } from '../../core/http/time-range.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { describeChanges } from './index-change.ts';
import { PriceChangeSchema } from './price-change-schema.ts';
import { addRebased, readIndex } from './read-index.ts';

const percent = z.number().nullable();

const IndexPointSchema = z
  .object({
    t: moment.openapi({ description: 'Start of the UTC day' }),
    index: z.number().openapi({ description: '100 on the first day and where it restarts' }),
    movementPercent: percent.openapi({ description: 'Since the last comparable day; null: it restarts' }),
    stderrPercent: percent.openapi({ description: 'Of the movement; null: fewer than 3 hosts' }),
    listings: z.int().openapi({ description: 'Listings seen on two days or more of the window' }),
    observations: z.int().openapi({ description: 'Listings and days of the window' }),
    restarted: z.boolean().openapi({ description: 'No day before can be compared with' }),
    open: z.boolean().openapi({ description: 'The day is not over' }),
    rebased: z
      .number()
      .optional()
      .openapi({ description: 'With `rebase`: 100 on `base`, else on the first day linked with it' }),
    rebasedLow: percent.optional().openapi({ description: 'Two standard errors lower; null: unknown' }),
    rebasedHigh: percent.optional().openapi({ description: 'Two standard errors higher' }),
  })
  .openapi('IndexPoint');

const base = moment
  .nullable()
  .openapi({ description: 'First day that all series have; null: there is none, or it is not asked for' });

const IndexSchema = z
  .object({
    base,
    series: z.array(
      z.object({
        key: z.string(),
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
  method: 'get',
  path: '/api/index',
  tags: ['prices'],
  summary: 'How prices moved like for like, whatever mix of machines was free',
  request: {
    query: z.strictObject({
      ...marketParam,
      ...seriesParams,
      ...rangeParams,
      rebase: flagParam('Levels against a day that all series have, with bands of two standard errors'),
    }),
  },
  responses: {
    200: jsonAnswer('One series a pair of type and model', IndexSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/index`. */
export function mountPriceIndex(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const asked = c.req.valid('query');
    const { types, gpuNames } = readSeries(asked);
    if (gpuNames.length === 0) throw badField('gpuName', 'is required: the index is of single models');
    const market = await chooseMarket(deps, asked.market);
    const [{ scopeId, newest }] = await Promise.all([
      findNewest(deps.sql, market.id, types),
      requireKnownModels(deps, market.id, gpuNames),
    ]);
    const now = deps.now();
    const range = readRange(asked, newest, now);
    const isPlural = types.length * gpuNames.length > 1;
    const pairs = types.flatMap((type) => gpuNames.map((gpuName) => ({ type, gpuName })));
    const found =
      scopeId === null
        ? []
        : await Promise.all(
            pairs.map(async (pair) => {
              const query = { scopeId, ...pair, ...range };
              return { query, found: await readIndex(deps.sql, query, now) };
            }),
          );
    const baseDay = asked.rebase === true ? await addRebased(deps.sql, found) : null;
    const series = pairs.map(({ type, gpuName }, place) => {
      const { points = [], changes = describeChanges(null, () => null) } = found[place]?.found ?? {};
      return {
        key: isPlural ? `${type}|${gpuName}` : gpuName,
        points: points.map((point) => ({ ...point, t: point.t.toISOString() })),
        changes,
      };
    });
    return c.json({ base: baseDay?.toISOString() ?? null, series }, 200);
  });
}
