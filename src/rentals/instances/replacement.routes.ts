import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonAnswer, jsonBody } from '../../core/http/route-parts.ts';
import { actorFor } from '../agent.ts';
import { answerQuote, QuoteSchema } from '../rent/quotes.routes.ts';
import { rent } from '../rent/rent.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import {
  idempotencyHeader,
  oneInstance,
  presentRented,
  RentedSchema,
  readKey,
  rentedAnswers,
  statusOf,
} from './instances.routes.ts';
import { requestReplacement } from './rent-replacement.ts';

const route = createRoute({
  operationId: 'rentReplacement',
  method: 'post',
  path: '/api/instances/{id}/replacement',
  tags: ['acting'],
  summary:
    'Rent an instance again with another offer, for no more than it costs; it stays, and no data is copied; needs the role operator',
  request: {
    ...oneInstance,
    headers: idempotencyHeader,
    body: jsonBody(
      z
        .strictObject({
          offerId: z.int().min(0),
          maxUsdPerHour: z.number().gt(0).max(1e6).optional().openapi({
            description: 'Cap on the whole machine with its disk; default: what the instance costs',
          }),
          dryRun: z.boolean().optional(),
        })
        .openapi('ReplacementRequest', { example: { offerId: 26378126, maxUsdPerHour: 0.35 } }),
    ),
  },
  responses: {
    200: jsonAnswer(
      'With `dryRun` the quote; otherwise a known key with which nothing was rented',
      z.union([RentedSchema, QuoteSchema]),
    ),
    ...rentedAnswers,
    ...problemResponses(400, 401, 403, 404, 409, 410, 422, 502, 503),
  },
});

/** `POST /api/instances/{id}/replacement`. */
export function mountReplacement(app: ApiApp, deps: RentalsDeps): void {
  app.openapi(route, async (c) => {
    const { name } = requireRole(c, 'operator');
    const { offerId, maxUsdPerHour, dryRun } = c.req.valid('json');
    const actor = await actorFor(c, deps);
    const instanceId = Number(c.req.valid('param').id);
    const { request, rental: old } = await requestReplacement(actor, instanceId, { offerId, maxUsdPerHour });
    const { signal } = c.req.raw;
    if (dryRun === true) return c.json(await answerQuote(actor, request, { by: name, signal }), 200);
    const key = readKey(c.req.header('idempotency-key'));
    const options = { key, by: name, replacesId: old.id, exceptMachines: [old.machineId] };
    const { rental, isReplay } = await rent(actor, request, options);
    if (isReplay) c.header('Idempotent-Replay', 'true');
    await deps.pollSoon();
    return c.json(presentRented(rental), statusOf(rental));
  });
}
