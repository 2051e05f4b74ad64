import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { marketParam, storableLine } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonAnswer, jsonBody, jsonContent, noQuery } from '../../core/http/route-parts.ts';
import { actorFor } from '../agent.ts';
import { callMarket } from '../market-refusal.ts';
import { bidSchema } from '../rent/bids.ts';
import { answerQuote, QuoteSchema } from '../rent/quotes.routes.ts';
import { rent } from '../rent/rent.ts';
import { RentBodySchema, requestOf } from '../rent/rent-body.ts';
import { openStates, type Rental } from '../rental.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { changeInstance } from './change-instance.ts';
import { changedEndFields, isAboutEnds } from './end-limits.ts';
import { findListed } from './find-listed.ts';
import { ledgerUsdPerHour, readInstance, readLedger, unpricedInstances } from './ledger.ts';
import { LedgerInstanceSchema, presentInstance } from './ledger-answer.ts';
import { nameInstance } from './name-instance.ts';
import type { WantedState } from './plans.sql.ts';

const tags = ['acting'];

/** The parameters of a route of one instance. */
export const oneInstance = {
  params: z.strictObject({
    id: z
      .string()
      .regex(/^\d{1,15}$/, 'must be the id of an instance')
      .openapi({ type: 'integer' }),
  }),
  query: noQuery,
};

/** A rental as it is now. */
export const RentedSchema = z
  .object({
    rentalId: z.string(),
    instanceId: z.int().nullable().openapi({ description: 'null: not known yet, or nothing was rented' }),
    offerId: z.int(),
    machineId: z.int(),
    gpuName: z.string(),
    numGpus: z.int(),
    usdPerHour: z.string(),
    state: z.string(),
    reason: z.string().nullable(),
  })
  .openapi('Rented');

/** The answer of `POST /api/instances`. */
export type RentedAnswer = z.infer<typeof RentedSchema>;

const rentedJson = jsonContent(RentedSchema);
const replayHeader = {
  'Idempotent-Replay': { schema: { type: 'string' as const }, description: '`true` if the key was known' },
};

/** The header that makes a request to rent one of its kind. */
export const idempotencyHeader = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .openapi({ description: 'A text of your choice, unique per request; required unless `dryRun`' }),
});

/** The answers of a request to rent that was sent. */
export const rentedAnswers = {
  201: { description: 'Rented', headers: replayHeader, content: rentedJson },
  202: {
    description: '`creating`, `settling` or `unsettled`: whether there is an instance is not known yet',
    headers: replayHeader,
    content: rentedJson,
  },
};

const listRoute = createRoute({
  operationId: 'listInstances',
  method: 'get',
  path: '/api/instances',
  tags,
  summary: "The account's instances, whoever rented them, and rentals that are not settled",
  request: { query: z.strictObject(marketParam) },
  responses: {
    200: jsonAnswer(
      'All of them, by id; those without an id last',
      z
        .object({
          items: z.array(LedgerInstanceSchema),
          totalUsdPerHour: z.string().openapi({ description: 'Sum of the known prices' }),
          unpriced: z
            .int()
            .openapi({ description: 'Instances of unknown price, which the total leaves out' }),
          nextCursor: z.null(),
        })
        .openapi('Instances'),
    ),
    ...problemResponses(400, 401, 403, 503),
  },
});

const rentRoute = createRoute({
  operationId: 'rentInstance',
  method: 'post',
  path: '/api/instances',
  tags,
  summary: 'Rent an instance: at most once per key, whatever happens; needs the role operator',
  request: {
    query: noQuery,
    headers: idempotencyHeader,
    body: jsonBody(RentBodySchema),
  },
  responses: {
    200: jsonAnswer(
      'With `dryRun` the quote; otherwise a known key with which nothing was rented',
      z.union([RentedSchema, QuoteSchema]),
    ),
    ...rentedAnswers,
    ...problemResponses(400, 401, 403, 409, 410, 422, 502, 503),
  },
});

/** The outcome of a stop, a start or a destroy. */
export const ChangedSchema = z
  .object({
    instanceId: z.int(),
    wanted: z.enum(['running', 'stopped', 'destroyed']),
    outcome: z.enum(['accepted', 'pending']).openapi({
      description: '`pending`: sent again until a list shows it',
    }),
    problem: z.string().nullable(),
    stoppedUsdPerDay: z
      .string()
      .nullable()
      .openapi({ description: 'Cost of its disk per day until it is destroyed' }),
  })
  .openapi('InstanceChanged');

const changeRoute = (described: {
  operationId: string;
  method: 'post' | 'delete';
  path: string;
  summary: string;
}) =>
  createRoute({
    ...described,
    tags,
    request: oneInstance,
    responses: {
      200: jsonAnswer('The outcome', ChangedSchema),
      ...problemResponses(400, 401, 403, 404, 409, 502, 503),
    },
  });

const changes: Record<WantedState, ReturnType<typeof changeRoute>> = {
  stopped: changeRoute({
    operationId: 'stopInstance',
    method: 'post',
    path: '/api/instances/{id}/stop',
    summary: 'Stop an instance; its disk still costs money; needs the role operator',
  }),
  running: changeRoute({
    operationId: 'startInstance',
    method: 'post',
    path: '/api/instances/{id}/start',
    summary: 'Start an instance again; needs the role operator',
  }),
  destroyed: changeRoute({
    operationId: 'destroyInstance',
    method: 'delete',
    path: '/api/instances/{id}',
    summary: 'Destroy an instance and its data; needs the role operator',
  }),
};

const line = storableLine(200).nullable().optional();
const ChangeSchema = z
  .strictObject({
    label: line,
    costCenter: line,
    bidUsdPerHour: bidSchema.optional(),
    ...changedEndFields,
  })
  .openapi('InstanceChange', { example: { label: 'fine-tuning', costCenter: 'research', maxHours: 48 } });

const patchRoute = createRoute({
  operationId: 'updateInstance',
  method: 'patch',
  path: '/api/instances/{id}',
  tags,
  summary: 'Change label, cost center, bid or limits; needs the role operator',
  request: {
    ...oneInstance,
    body: jsonBody(ChangeSchema),
  },
  responses: {
    200: jsonAnswer('The instance as it is now', LedgerInstanceSchema),
    ...problemResponses(400, 401, 403, 404, 409, 502, 503),
  },
});

/** `/api/instances`. */
export function mountInstances(app: ApiApp, deps: RentalsDeps): void {
  const { sql, now } = deps;
  app.openapi(listRoute, async (c) => {
    const { id: marketId } = await chooseMarket(deps, c.req.valid('query').market);
    const ledger = await readLedger(sql, marketId, now());
    return c.json(
      {
        items: ledger.map(presentInstance),
        totalUsdPerHour: ledgerUsdPerHour(ledger),
        unpriced: unpricedInstances(ledger),
        nextCursor: null,
      },
      200,
    );
  });
  app.openapi(rentRoute, async (c) => {
    const { name } = requireRole(c, 'operator');
    const body = c.req.valid('json');
    const actor = await actorFor(c, deps);
    const { signal } = c.req.raw;
    if (body.dryRun === true)
      return c.json(await answerQuote(actor, requestOf(body), { by: name, signal }), 200);
    const key = readKey(c.req.header('idempotency-key'));
    // A client that disconnects cancels nothing: a sent request is followed to its end.
    const { rental, isReplay } = await rent(actor, requestOf(body), { key, by: name, quoteId: body.quoteId });
    if (isReplay) c.header('Idempotent-Replay', 'true');
    await deps.pollSoon();
    return c.json(presentRented(rental), statusOf(rental));
  });
  for (const wanted of ['stopped', 'running', 'destroyed'] as const) {
    app.openapi(changes[wanted], async (c) => {
      const { name } = requireRole(c, 'operator');
      const actor = await actorFor(c, deps);
      const instanceId = Number(c.req.valid('param').id);
      const end = await changeInstance(actor, instanceId, { wanted, by: name });
      await deps.pollSoon();
      const found = await readInstance(sql, actor.market.id, instanceId, now());
      return c.json({ ...end, stoppedUsdPerDay: found?.stoppedUsdPerDay ?? null }, 200);
    });
  }
  app.openapi(patchRoute, async (c) => {
    const { name } = requireRole(c, 'operator');
    const actor = await actorFor(c, deps);
    const instanceId = Number(c.req.valid('param').id);
    const { label, costCenter, ...change } = c.req.valid('json');
    const given = { ...change, label: unlessEmpty(label), costCenter: unlessEmpty(costCenter) };
    const sent = { label, bidUsdPerHour: change.bidUsdPerHour };
    await callMarket(sent, () => nameInstance(actor, instanceId, given, { by: name }));
    // The next poll shows whether a limit is near.
    if (isAboutEnds(change)) await deps.pollSoon();
    return c.json(await findListed(deps, actor.market.id, instanceId), 200);
  });
}

/** An empty name removes the label. */
const unlessEmpty = (text: string | null | undefined): string | null | undefined =>
  text === '' ? null : text;

/** Returns the key of a request to rent. Throws a 400 if there is none. */
export function readKey(key: string | undefined): string {
  if (key !== undefined && /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw badField(
    'Idempotency-Key',
    'is required: a header of 1 to 200 visible characters, unique per request and repeated when you retry',
  );
}

/** Returns a rental for the API. */
export const presentRented = (rental: Rental): RentedAnswer => ({
  rentalId: rental.id,
  instanceId: rental.instanceId,
  offerId: rental.offerId,
  machineId: rental.machineId,
  gpuName: rental.gpuName,
  numGpus: rental.numGpus,
  usdPerHour: rental.usdPerHour,
  state: rental.state,
  reason: rental.reason,
});

/** Returns the status of the answer with a rental. */
export function statusOf({ state }: Rental): 200 | 201 | 202 {
  if (openStates.includes(state)) return 202;
  return state === 'failed' ? 200 : 201;
}
