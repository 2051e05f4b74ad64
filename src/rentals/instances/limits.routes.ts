import { createRoute } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonAnswer } from '../../core/http/route-parts.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { extendLimit } from './extend-limit.ts';
import { findListed } from './find-listed.ts';
import { oneInstance } from './instances.routes.ts';
import { LedgerInstanceSchema } from './ledger-answer.ts';

const extendRoute = createRoute({
  operationId: 'extendInstance',
  method: 'post',
  path: '/api/instances/{id}/extend',
  tags: ['acting'],
  summary: 'Put off the end that `ending` announces; needs the role operator',
  request: oneInstance,
  responses: {
    200: jsonAnswer('The instance as it is now', LedgerInstanceSchema),
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

/** `/api/instances/{id}/extend`. */
export function mountLimits(app: ApiApp, deps: RentalsDeps): void {
  app.openapi(extendRoute, async (c) => {
    const { name } = requireRole(c, 'operator');
    const actor = await deps.actor();
    const instanceId = Number(c.req.valid('param').id);
    await extendLimit(actor, instanceId, { by: name });
    return c.json(await findListed(deps, actor.market.id, instanceId), 200);
  });
}
