import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readCursor, writeCursor } from '../../core/http/cursor.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { marketParam, pageParams } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { readRentals } from '../instances/ledger.ts';
import { LedgerInstanceSchema, presentInstance } from '../instances/ledger-answer.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { findRental, listRentalStates } from './rentals.sql.ts';
import { settleByPerson } from './settle-by-person.ts';

const tags = ['acting'];
const oneRental = {
  params: z.strictObject({ id: z.uuid() }),
  query: z.strictObject({}),
};

const RentalSchema = z
  .object({
    rental: LedgerInstanceSchema,
    quote: z.record(z.string(), z.unknown()),
    wish: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'Of environment and scripts their names and lengths alone' }),
    watchId: z.string().nullable(),
    replacesId: z.string().nullable().openapi({ description: 'The rental that it replaces' }),
    states: z.array(
      z.object({
        at: z.string().openapi({ format: 'date-time' }),
        state: z.string(),
        reason: z.string().nullable(),
      }),
    ),
  })
  .openapi('Rental');

const listRoute = createRoute({
  method: 'get',
  path: '/api/rentals',
  tags,
  summary: 'The ledger of rentals, the newest first',
  request: {
    query: z.strictObject({
      ...marketParam,
      ...pageParams,
      open: z
        .enum(['true', 'false'])
        .optional()
        .openapi({ type: 'boolean', description: 'Those alone that may still change' }),
    }),
  },
  responses: {
    200: {
      description: 'A page of rentals',
      content: {
        'application/json': {
          schema: z
            .object({ items: z.array(LedgerInstanceSchema), nextCursor: z.string().nullable() })
            .openapi('Rentals'),
        },
      },
    },
    ...problemResponses(400, 401, 403, 503),
  },
});

const readRoute = createRoute({
  method: 'get',
  path: '/api/rentals/{id}',
  tags,
  summary: 'One rental with its quote and every state that it has had',
  request: oneRental,
  responses: {
    200: { description: 'The rental', content: { 'application/json': { schema: RentalSchema } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

const settleRoute = createRoute({
  method: 'post',
  path: '/api/rentals/{id}/settle',
  tags,
  summary: 'Say what became of an unsettled rental; needs the role operator',
  request: {
    ...oneRental,
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z
            .strictObject({
              instanceId: z.int().nullable().openapi({ description: 'null: nothing was rented' }),
            })
            .openapi('Settlement'),
        },
      },
    },
  },
  responses: {
    204: { description: 'It is settled' },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

/** `/api/rentals`. */
export function mountRentals(app: ApiApp, deps: RentalsDeps): void {
  const { sql, now } = deps;
  app.openapi(listRoute, async (c) => {
    const { market, limit, open } = c.req.valid('query');
    const place = readCursor(c, 'string');
    const { id: marketId } = await chooseMarket(deps, market);
    const before = place === null ? null : String(place.after);
    const page = { marketId, before, limit: limit + 1, open: open === 'true' };
    const rentals = await readRentals(sql, page, now());
    const items = rentals.slice(0, limit);
    const last = items.at(-1)?.rental?.id;
    const more = rentals.length > limit && last !== undefined;
    const nextCursor = more ? writeCursor(c, { after: last, books: [] }) : null;
    return c.json({ items: items.map(presentInstance), nextCursor }, 200);
  });
  app.openapi(readRoute, async (c) => {
    const { id } = c.req.valid('param');
    const rental = await findRental(sql, id);
    if (rental === null) throw noSuchRental();
    const states = await listRentalStates(sql, id);
    const { marketId, quote, wish, watchId, replacesId } = rental;
    const [shown] = (
      await readRentals(sql, { marketId, before: null, limit: 1, open: false, id }, now())
    ).map(presentInstance);
    if (shown === undefined) throw noSuchRental();
    return c.json(
      {
        ...{ rental: shown, quote, wish, watchId, replacesId },
        states: states.map(({ at, ...state }) => ({ ...state, at: at.toISOString() })),
      },
      200,
    );
  });
  app.openapi(settleRoute, async (c) => {
    const { name } = c.get('credential');
    requireRole(c.get('credential'), 'operator');
    const rental = await findRental(sql, c.req.valid('param').id);
    if (rental === null) throw noSuchRental();
    await settleByPerson(await deps.actor(), rental, { ...c.req.valid('json'), by: name });
    return c.body(null, 204);
  });
}

const noSuchRental = (): ApiProblem => new ApiProblem(404, 'not-found', 'There is no rental with this id.');
