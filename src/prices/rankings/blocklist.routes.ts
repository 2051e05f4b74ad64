import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket, chooseMarkets } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readPage } from '../../core/http/cursor.ts';
import { badField, noSuch, problemResponses } from '../../core/http/problem.ts';
import { marketsParam, pageParams, storableLine, storableText } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, moment, noQuery, pageOf } from '../../core/http/route-parts.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { listBlocklist, putOnBlocklist, removeFromBlocklist } from './blocklist.sql.ts';
import { type BlocklistEntry, blocklistKinds } from './blocklist.ts';

const EntrySchema = z
  .object({
    id: z.string(),
    market: z.string(),
    kind: z
      .enum(blocklistKinds)
      .openapi({ description: '`block`: never rent there; `prefer`: marked as preferred' }),
    machineId: z.int().nullable().openapi({ description: 'null: it is a host' }),
    hostId: z.int().nullable().openapi({ description: 'null: it is a machine' }),
    note: z.string().nullable(),
    addedAt: moment,
  })
  .openapi('BlocklistEntry');

/** An item of `GET /api/blocklist`. */
export type BlocklistEntryAnswer = z.infer<typeof EntrySchema>;

const NewEntrySchema = z
  .strictObject({
    market: storableText(200).min(1).optional().openapi({ description: 'Default: the configured market' }),
    kind: z.enum(blocklistKinds).default('block'),
    machineId: z.int().min(0).optional(),
    hostId: z.int().min(0).optional(),
    note: storableLine(1000).optional(),
  })
  .openapi('NewBlocklistEntry', {
    example: { kind: 'block', machineId: 48213, note: 'drops its network every night' },
    description: 'A machine or a host, not both',
  });

const tags = ['acting'];

const listRoute = createRoute({
  operationId: 'listBlocklist',
  method: 'get',
  path: '/api/blocklist',
  tags,
  summary: 'Machines and hosts that are blocked or preferred',
  request: {
    query: z.strictObject({
      ...marketsParam,
      kind: z.enum(blocklistKinds).optional().openapi({ description: 'Only entries of this kind' }),
      ...pageParams,
    }),
  },
  responses: {
    200: jsonAnswer(
      'A page of entries, in the order in which they were added',
      pageOf(EntrySchema, 'Blocklist'),
    ),
    ...problemResponses(400, 401, 403, 503),
  },
});

const addRoute = createRoute({
  operationId: 'addBlocklistEntry',
  method: 'post',
  path: '/api/blocklist',
  tags,
  summary: 'Block or prefer a machine or a host; needs the role operator',
  request: {
    query: noQuery,
    body: jsonBody(NewEntrySchema),
  },
  responses: {
    201: jsonAnswer('The entry; an existing one has the new kind and note', EntrySchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

const removeRoute = createRoute({
  operationId: 'deleteBlocklistEntry',
  method: 'delete',
  path: '/api/blocklist/{id}',
  tags,
  summary: 'Delete an entry; needs the role operator',
  request: byId,
  responses: { 204: { description: 'It is deleted' }, ...problemResponses(401, 403, 404, 503) },
});

/** `/api/blocklist`. */
export function mountBlocklist(app: ApiApp, deps: PricesDeps): void {
  const { sql, now } = deps;
  app.openapi(listRoute, async (c) => {
    const { market, kind = null, limit } = c.req.valid('query');
    const marketIds = (await chooseMarkets(deps, market)).map(({ id }) => id);
    const page = await readPage(c, limit, {
      after: z.uuid(),
      read: (after, count) => listBlocklist(sql, { marketIds, kind, after, limit: count }),
      keyOf: ({ id }) => id,
    });
    return c.json({ ...page, items: page.items.map(present) }, 200);
  });
  app.openapi(addRoute, async (c) => {
    requireRole(c, 'operator');
    const { market, kind, note, ...body } = c.req.valid('json');
    const { id: marketId } = await chooseMarket(deps, market);
    const target = readTarget(body);
    const entry = { marketId, kind, note: note || null, at: now(), ...target };
    return c.json(present(await putOnBlocklist(sql, entry)), 201);
  });
  app.openapi(removeRoute, async (c) => {
    requireRole(c, 'operator');
    if (!(await removeFromBlocklist(sql, c.req.valid('param').id))) throw noSuch('entry');
    return c.body(null, 204);
  });
}

function readTarget({ machineId, hostId }: { machineId?: number | undefined; hostId?: number | undefined }) {
  if (machineId !== undefined && hostId === undefined) return { machineId, hostId: null };
  if (hostId !== undefined && machineId === undefined) return { machineId: null, hostId };
  throw badField('machineId', 'or `hostId` must be given, and not both');
}

const present = (entry: BlocklistEntry): BlocklistEntryAnswer => ({
  ...entry,
  addedAt: entry.addedAt.toISOString(),
});
