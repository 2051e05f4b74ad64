import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { UserError } from '../../core/errors.ts';
import type { ApiApp, ApiEnv } from '../../core/http/api-app.ts';
import { roles } from '../../core/http/credential.ts';
import { ApiProblem, badField, problemResponses } from '../../core/http/problem.ts';
import { storableText } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, moment, noQuery, wholeList } from '../../core/http/route-parts.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { listTokens } from './credentials.sql.ts';
import { addToken, endTokens } from './token-changes.sql.ts';

const tags = ['access'];

const limitFields = {
  maxUsdPerHour: z
    .number()
    .gt(0)
    .max(1e6)
    .nullable()
    .openapi({ description: '$/hour of all that it has rented; null: no limit' }),
  maxInstances: z
    .int()
    .min(0)
    .max(1e6)
    .nullable()
    .openapi({ description: 'Instances that it has rented and that still exist; null: no limit' }),
  maxRentsPerDay: z
    .int()
    .min(0)
    .max(1e6)
    .nullable()
    .openapi({ description: 'Rentals in any 24 hours; null: no limit' }),
  markets: z
    .array(storableText(100).min(1))
    .min(1)
    .max(20)
    .nullable()
    .openapi({ description: 'Names of the markets that it is limited to; null: all', example: ['vast'] }),
  label: storableText(200).min(1).nullable().openapi({
    description: 'Label of the instances and orders that it may change; null: no limit',
    example: 'team-a',
  }),
};

const TokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(roles),
    ...limitFields,
    createdAt: moment,
    revokedAt: moment.nullable().openapi({ description: 'null: active' }),
    lastUsedAt: moment
      .nullable()
      .openapi({ description: 'By itself or a session of it, to the minute; null: never' }),
    lastUsedFrom: z.string().nullable().openapi({ description: 'Address of the client; null: unknown' }),
  })
  .openapi('Token');

/** An item of `GET /api/tokens`. */
export type TokenAnswer = z.infer<typeof TokenSchema>;

const listRoute = createRoute({
  operationId: 'listTokens',
  method: 'get',
  path: '/api/tokens',
  tags,
  summary: 'Tokens without their secrets, the newest first; needs the role admin',
  request: { query: noQuery },
  responses: {
    200: jsonAnswer('All tokens, including revoked ones', wholeList(TokenSchema, 'Tokens')),
    ...problemResponses(400, 401, 403, 503),
  },
});

const createTokenRoute = createRoute({
  operationId: 'createToken',
  method: 'post',
  path: '/api/tokens',
  tags,
  summary: 'Create a token; needs the role admin',
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          name: storableText(100).min(1),
          role: z.enum(roles).default('viewer'),
          maxUsdPerHour: limitFields.maxUsdPerHour.default(null),
          maxInstances: limitFields.maxInstances.default(null),
          maxRentsPerDay: limitFields.maxRentsPerDay.default(null),
          markets: limitFields.markets.default(null),
          label: limitFields.label.default(null),
        })
        .openapi('NewToken', { example: { name: 'grafana', role: 'viewer' } }),
    ),
  },
  responses: {
    201: jsonAnswer(
      'Its secret, which is shown only here',
      z.object({ id: z.string(), token: z.string() }).openapi('TokenSecret'),
    ),
    ...problemResponses(400, 401, 403, 503),
  },
});

const revokeRoute = createRoute({
  operationId: 'revokeToken',
  method: 'delete',
  path: '/api/tokens/{id}',
  tags,
  summary: 'Revoke a token and its sessions; needs the role admin',
  request: byId,
  responses: { 204: { description: 'It is revoked' }, ...problemResponses(400, 401, 403, 404, 503) },
});

/** `/api/tokens`. */
export function mountTokens(app: ApiApp, { sql, now }: ApiDeps): void {
  const changeBy = (c: Context<ApiEnv>) => ({ by: c.get('credential').name, at: now() });
  app.openapi(listRoute, async (c) => {
    requireRole(c, 'admin');
    const items = (await listTokens(sql)).map(({ createdAt, revokedAt, lastUsedAt, ...token }) => ({
      ...token,
      createdAt: createdAt.toISOString(),
      revokedAt: revokedAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }));
    return c.json({ items, nextCursor: null }, 200);
  });
  app.openapi(createTokenRoute, async (c) => {
    requireRole(c, 'admin');
    try {
      return c.json(await addToken(sql, c.req.valid('json'), changeBy(c)), 201);
    } catch (error) {
      if (error instanceof UserError) throw badField('name', `is refused: ${error.message}`);
      throw error;
    }
  });
  app.openapi(revokeRoute, async (c) => {
    requireRole(c, 'admin');
    if ((await endTokens(sql, c.req.valid('param').id, changeBy(c))) === 0) {
      throw new ApiProblem(404, 'not-found', 'There is no active token with this id.');
    }
    return c.body(null, 204);
  });
}
