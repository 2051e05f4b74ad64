import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readPage } from '../../core/http/cursor.ts';
import { noSuch, orNoSuch, problemResponses } from '../../core/http/problem.ts';
import { marketParam, pageParams } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, moment, pageOf } from '../../core/http/route-parts.ts';
import { readRentals } from '../instances/ledger.ts';
import { LedgerInstanceSchema, presentInstance } from '../instances/ledger-answer.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { findRental, listRentalStates } from './rentals.sql.ts';
import { settleByPerson } from './settle-by-person.ts';

const tags = ['acting'];

const RentalSchema = z
  .object({
    rental: LedgerInstanceSchema,
    quote: z.record(z.string(), z.unknown()),
    request: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'Names and lengths only of environment variables and scripts' }),
    watchId: z.string().nullable(),
    replacesId: z.string().nullable().openapi({ description: 'The rental that it replaces' }),
    states: z.array(
      z.object({
        at: moment,
        state: z.string(),
        reason: z.string().nullable(),
      }),
    ),
  })
  .openapi('Rental');

const listRoute = createRoute({
  operationId: 'listRentals',
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
        .openapi({ type: 'boolean', description: 'Only those that may still change' }),
    }),
  },
  responses: {
    200: jsonAnswer('A page of rentals', pageOf(LedgerInstanceSchema, 'Rentals')),
    ...problemResponses(400, 401, 403, 503),
  },
});

const readRoute = createRoute({
  operationId: 'getRental',
  method: 'get',
  path: '/api/rentals/{id}',
  tags,
  summary: 'One rental with its quote and every state that it has had',
  request: byId,
  responses: {
    200: jsonAnswer('The rental', RentalSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

const settleRoute = createRoute({
  operationId: 'settleRental',
  method: 'post',
  path: '/api/rentals/{id}/settle',
  tags,
  summary: 'Decide an unsettled rental; needs the role operator',
  request: {
    ...byId,
    body: jsonBody(
      z
        .strictObject({
          instanceId: z.int().nullable().openapi({ description: 'null: nothing was rented' }),
        })
        .openapi('Settlement', { example: { instanceId: 31245872 } }),
    ),
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
    const { id: marketId } = await chooseMarket(deps, market);
    const page = await readPage(c, limit, {
      after: z.string(),
      read: (before, count) =>
        readRentals(sql, { marketId, before, limit: count, open: open === 'true' }, now()),
      keyOf: ({ rental }) => rental?.id,
    });
    return c.json({ ...page, items: page.items.map(presentInstance) }, 200);
  });
  app.openapi(readRoute, async (c) => {
    const { id } = c.req.valid('param');
    const rental = orNoSuch(await findRental(sql, id), 'rental');
    const states = await listRentalStates(sql, id);
    const { marketId, quote, request, watchId, replacesId } = rental;
    const [shown] = (
      await readRentals(sql, { marketId, before: null, limit: 1, open: false, ids: [id] }, now())
    ).map(presentInstance);
    if (shown === undefined) throw noSuch('rental');
    return c.json(
      {
        rental: shown,
        quote,
        request,
        watchId,
        replacesId,
        states: states.map(({ at, ...state }) => ({ ...state, at: at.toISOString() })),
      },
      200,
    );
  });
  app.openapi(settleRoute, async (c) => {
    const { name } = requireRole(c, 'operator');
    const rental = orNoSuch(await findRental(sql, c.req.valid('param').id), 'rental');
    await settleByPerson(await deps.actor(), rental, { ...c.req.valid('json'), by: name });
    return c.body(null, 204);
  });
}
