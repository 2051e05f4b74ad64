import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets } from '../books/choose-market.ts';
import type { ApiApp } from '../core/http/api-app.ts';
import { readPage } from '../core/http/cursor.ts';
import { noSuch, orNoSuch, problemResponses } from '../core/http/problem.ts';
import { marketsParam, pageParams } from '../core/http/query.ts';
import { requireRole } from '../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, noQuery, pageOf } from '../core/http/route-parts.ts';
import { rankingMetrics } from '../core/metric.ts';
import type { Watch } from './watch.ts';
import { NewWatchSchema, SavedFiltersSchema, WatchChangeSchema } from './watch-body.ts';
import { addWatch, editWatch } from './watch-changes.ts';
import { deleteWatch, findWatch, listWatches, type MarketIds } from './watches.sql.ts';
import type { WatchesDeps } from './watches-deps.ts';

const WatchSchema = z
  .object({
    id: z.string(),
    market: z.string().openapi({ description: 'The first of its markets' }),
    markets: z.array(z.string()).openapi({ description: 'All markets that it follows' }),
    name: z.string(),
    filters: SavedFiltersSchema,
    profile: z.object({
      storageGb: z.number(),
      downGb: z.number(),
      upGb: z.number(),
      runningHours: z.number(),
      stoppedHours: z.number(),
    }),
    rankBy: z.enum(rankingMetrics),
    top: z.int(),
    schedule: z.object({ cron: z.string(), timeZone: z.string() }),
    channelIds: z.array(z.string()),
    reportSchedule: z
      .object({ cron: z.string(), timeZone: z.string() })
      .nullable()
      .openapi({ description: 'null: its report is sent only on request' }),
  })
  .openapi('Watch');

/** The answer of `GET /api/watches/{id}`, and an item of `GET /api/watches`. */
export type WatchAnswer = z.infer<typeof WatchSchema>;

const tags = ['watches'];

const listRoute = createRoute({
  operationId: 'listWatches',
  method: 'get',
  path: '/api/watches',
  tags,
  summary: 'The watches of markets by name',
  request: { query: z.strictObject({ ...marketsParam, ...pageParams }) },
  responses: {
    200: jsonAnswer('A page of watches', pageOf(WatchSchema, 'Watches')),
    ...problemResponses(400, 401, 403, 503),
  },
});

const addRoute = createRoute({
  operationId: 'createWatch',
  method: 'post',
  path: '/api/watches',
  tags,
  summary: 'Add a watch; needs the role operator',
  request: {
    query: noQuery,
    body: jsonBody(NewWatchSchema),
  },
  responses: { 201: jsonAnswer('The new watch', WatchSchema), ...problemResponses(400, 401, 403, 409, 503) },
});

const readRoute = createRoute({
  operationId: 'getWatch',
  method: 'get',
  path: '/api/watches/{id}',
  tags,
  summary: 'One watch',
  request: byId,
  responses: { 200: jsonAnswer('The watch', WatchSchema), ...problemResponses(400, 401, 403, 404, 503) },
});

const changeRoute = createRoute({
  operationId: 'updateWatch',
  method: 'patch',
  path: '/api/watches/{id}',
  tags,
  summary: 'Change fields of a watch; needs the role operator',
  request: {
    ...byId,
    body: jsonBody(WatchChangeSchema),
  },
  responses: {
    200: jsonAnswer('The watch as it is now', WatchSchema),
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

const deleteRoute = createRoute({
  operationId: 'deleteWatch',
  method: 'delete',
  path: '/api/watches/{id}',
  tags,
  summary: 'Delete a watch; needs the role operator',
  request: byId,
  responses: {
    204: { description: 'It is deleted; its books stay' },
    ...problemResponses(401, 403, 404, 503),
  },
});

/** `/api/watches`. */
export function mountWatches(app: ApiApp, deps: WatchesDeps): void {
  const { sql, now, timeZone = 'UTC' } = deps;
  app.openapi(listRoute, async (c) => {
    const { market, limit } = c.req.valid('query');
    const marketIds = await idsOf(market);
    const page = await readPage(c, limit, {
      // An id and the name.
      after: z.string().regex(/^[0-9a-f-]{36} /),
      read: (after, count) => {
        const behind = after === null ? null : { id: after.slice(0, 36), name: after.slice(37) };
        return listWatches(sql, { marketIds, after: behind, limit: count });
      },
      keyOf: ({ id, name }) => `${id} ${name}`,
    });
    return c.json({ ...page, items: page.items.map(present) }, 200);
  });
  app.openapi(addRoute, async (c) => {
    requireRole(c, 'operator');
    const { market, ...body } = c.req.valid('json');
    return c.json(present(await addWatch({ sql, now, timeZone }, await idsOf(market), body)), 201);
  });
  app.openapi(readRoute, async (c) => {
    return c.json(present(orNoSuch(await findWatch(sql, c.req.valid('param').id), 'watch')), 200);
  });
  app.openapi(changeRoute, async (c) => {
    requireRole(c, 'operator');
    const { market, ...body } = c.req.valid('json');
    const ids = market === undefined ? undefined : await idsOf(market);
    return c.json(present(await editWatch(deps, c.req.valid('param').id, body, ids)), 200);
  });
  app.openapi(deleteRoute, async (c) => {
    requireRole(c, 'operator');
    if (!(await deleteWatch(sql, c.req.valid('param').id))) throw noSuch('watch');
    return c.body(null, 204);
  });

  async function idsOf(market: string | string[] | undefined): Promise<MarketIds> {
    const [first, ...others] = await chooseMarkets(deps, market);
    return [first.id, ...others.map(({ id }) => id)];
  }
}

function present({ filters, markets, ...watch }: Watch): WatchAnswer {
  const lists = Object.entries(filters).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...value] : value,
  ]);
  return {
    ...watch,
    markets: [...markets],
    filters: Object.fromEntries(lists),
    channelIds: [...watch.channelIds],
  };
}
