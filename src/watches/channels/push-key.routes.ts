import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonAnswer, noQuery } from '../../core/http/route-parts.ts';
import type { WatchesDeps } from '../watches-deps.ts';

const route = createRoute({
  operationId: 'getPushKey',
  method: 'get',
  path: '/api/channels/push-key',
  tags: ['channels'],
  summary: 'The public key that a browser subscribes with; needs the role admin',
  request: { query: noQuery },
  responses: {
    200: jsonAnswer(
      'The key; it is made when it is first asked for',
      z
        .object({
          publicKey: z
            .string()
            .openapi({ description: 'An uncompressed P-256 point, base64url: `applicationServerKey`' }),
        })
        .openapi('PushKey'),
    ),
    ...problemResponses(400, 401, 403, 409, 503),
  },
});

/** `/api/channels/push-key`, before the channels by their id. */
export function mountPushKey(app: ApiApp, { notify }: WatchesDeps): void {
  app.openapi(route, async (c) => {
    requireRole(c, 'admin');
    const keys = await (await notify()).tools.push.keys();
    if (keys !== null) return c.json({ publicKey: keys.publicKey }, 200);
    throw new ApiProblem(
      409,
      'conflict',
      'The key of push messages was encrypted with another SECRETS_KEY: set that one, or remove the channels of browsers.',
    );
  });
}
