import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readCursor, writeCursor } from '../../core/http/cursor.ts';
import { ApiProblem, badField, problemResponses } from '../../core/http/problem.ts';
import { marketParam, pageParams, storableLine, storableText } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { listBlocklist, putOnBlocklist, removeFromBlocklist } from './blocklist.sql.ts';
import { type BlocklistEntry, blocklistKinds } from './blocklist.ts';

const EntrySchema = z
  .object({
    id: z.string(),
    market: z.string(),
    kind: z.enum(blocklistKinds).openapi({ description: '`block`: never; `prefer`: gladly' }),
    machineId: z.int().nullable().openapi({ description: 'null: it is a host' }),
    hostId: z.int().nullable().openapi({ description: 'null: it is a machine' }),
    note: z.string().nullable(),
    addedAt: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('BlocklistEntry');

/** An item of `GET /api/blocklist`. */
export type BlocklistEntryAnswer = z.infer<typeof EntrySchema>;

const NewEntrySchema = z
  .strictObject({
    market: storableText(200).min(1).optional().openapi({ description: 'Default: as in reads' }),
    kind: z.enum(blocklistKinds).default('block'),
    machineId: z.int().min(0).optional(),
    hostId: z.int().min(0).optional(),
    note: storableLine(1000).optional(),
  })
  .openapi('NewBlocklistEntry', { description: 'A machine or a host, one of the two' });

const tags = ['act'];

const listRoute = createRoute({
  method: 'get',
  path: '/api/blocklist',
  tags,
  summary: 'Machines and hosts that are blocked or preferred',
  request: {
    query: z.strictObject({
      ...marketParam,
      kind: z.enum(blocklistKinds).optional().openapi({ description: 'Entries of this kind alone' }),
      ...pageParams,
    }),
  },
  responses: {
    200: {
      description: 'A page of entries, in the order in which they were added',
      content: {
        'application/json': {
          schema: z
            .object({ items: z.array(EntrySchema), nextCursor: z.string().nullable() })
            .openapi('Blocklist'),
        },
      },
    },
    ...problemResponses(400, 401, 403, 503),
  },
});

const addRoute = createRoute({
  method: 'post',
  path: '/api/blocklist',
  tags,
  summary: 'Block or prefer a machine or a host; needs the role operator',
  request: {
    query: z.strictObject({}),
    body: { required: true, content: { 'application/json': { schema: NewEntrySchema } } },
  },
  responses: {
    201: {
      description: 'The entry; what was listed already has the new kind and note',
      content: { 'application/json': { schema: EntrySchema } },
    },
    ...problemResponses(400, 401, 403, 503),
  },
});

const removeRoute = createRoute({
  method: 'delete',
  path: '/api/blocklist/{id}',
  tags,
  summary: 'Take an entry off the list; needs the role operator',
  request: { params: z.object({ id: z.uuid() }), query: z.strictObject({}) },
  responses: { 204: { description: 'It is gone' }, ...problemResponses(401, 403, 404, 503) },
});

/** `/api/blocklist`. */
export function mountBlocklist(app: ApiApp, deps: PricesDeps): void {
  const { sql, now } = deps;
  app.openapi(listRoute, async (c) => {
    const { market, kind = null, limit } = c.req.valid('query');
    const place = readCursor(c, 'string');
    const after = place === null ? null : readId(String(place.after));
    const { id: marketId } = await chooseMarket(deps, market);
    const entries = await listBlocklist(sql, { marketId, kind, after, limit: limit + 1 });
    const items = entries.slice(0, limit);
    const last = items.at(-1);
    const more = entries.length > limit && last !== undefined;
    const nextCursor = more ? writeCursor(c, { after: last.id, books: [] }) : null;
    return c.json({ items: items.map(present), nextCursor }, 200);
  });
  app.openapi(addRoute, async (c) => {
    requireRole(c.get('credential'), 'operator');
    const { market, kind, note, ...body } = c.req.valid('json');
    const { id: marketId } = await chooseMarket(deps, market);
    const target = readTarget(body);
    const entry = { marketId, kind, note: note || null, at: now(), ...target };
    return c.json(present(await putOnBlocklist(sql, entry)), 201);
  });
  app.openapi(removeRoute, async (c) => {
    requireRole(c.get('credential'), 'operator');
    if (!(await removeFromBlocklist(sql, c.req.valid('param').id))) {
      throw new ApiProblem(404, 'not-found', 'There is no entry with this id.');
    }
    return c.body(null, 204);
  });
}

function readTarget({ machineId, hostId }: { machineId?: number | undefined; hostId?: number | undefined }) {
  if (machineId !== undefined && hostId === undefined) return { machineId, hostId: null };
  if (hostId !== undefined && machineId === undefined) return { machineId: null, hostId };
  throw badField('machineId', 'or `hostId` must be given, one of the two');
}

function readId(text: string): string {
  if (z.uuid().safeParse(text).success) return text;
  throw badField('cursor', 'is not a `nextCursor` of this list');
}

const present = (entry: BlocklistEntry): BlocklistEntryAnswer => ({
  ...entry,
  addedAt: entry.addedAt.toISOString(),
});
