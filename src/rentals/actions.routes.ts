import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../core/http/api-app.ts';
import { placeByNumber, readPage } from '../core/http/cursor.ts';
import { problemResponses } from '../core/http/problem.ts';
import { listed, listOf, pageParams, storableText } from '../core/http/query.ts';
import { requireRole } from '../core/http/require-role.ts';
import { jsonAnswer, jsonBody, moment, noQuery, pageOf } from '../core/http/route-parts.ts';
import { readActionSwitch } from './action-switch.sql.ts';
import { listAudit, verifyAudit } from './audit.sql.ts';
import { switchActions } from './instances/change-instance.ts';
import { type LimitName, type Limits, limitNames } from './limits.ts';
import type { RentalsDeps } from './rentals-deps.ts';

const tags = ['acting'];

const ActionsSchema = z
  .object({
    enabled: z.boolean().openapi({ description: 'Whether ACTIONS and the kill switch allow new rentals' }),
    setting: z.boolean().openapi({ description: 'ACTIONS of the settings' }),
    killSwitch: z
      .object({
        enabled: z.boolean(),
        changedAt: moment,
        changedBy: z.string(),
      })
      .nullable()
      .openapi({ description: 'null: never used' }),
    limits: z
      .object(
        Object.fromEntries(limitNames.map((name) => [name, z.number().nullable()])) as Record<
          LimitName,
          z.ZodNullable<z.ZodNumber>
        >,
      )
      .nullable()
      .openapi({ description: 'null: no actions here' }),
  })
  .openapi('Actions');

/** The answer of `GET` and `POST /api/actions`. */
export type ActionsAnswer = z.infer<typeof ActionsSchema>;

const answer = {
  200: jsonAnswer('The state', ActionsSchema),
};

const readRoute = createRoute({
  operationId: 'getActions',
  method: 'get',
  path: '/api/actions',
  tags,
  summary: 'Whether new rentals are allowed, and their limits',
  request: { query: noQuery },
  responses: { ...answer, ...problemResponses(400, 401, 403, 503) },
});

const switchRoute = createRoute({
  operationId: 'switchActions',
  method: 'post',
  path: '/api/actions',
  tags,
  summary: 'Kill switch: stop new rentals in every process, or allow them again; needs the role operator',
  request: {
    query: noQuery,
    body: jsonBody(
      z.strictObject({ enabled: z.boolean() }).openapi('ActionSwitch', { example: { enabled: false } }),
    ),
  },
  responses: { ...answer, ...problemResponses(400, 401, 403, 409, 503) },
});

const AuditEntrySchema = z
  .object({
    seq: z.int(),
    at: moment,
    market: z.string(),
    actor: z.string(),
    action: z.string(),
    phase: z.string(),
    rentalId: z.string().nullable(),
    instanceId: z.int().nullable(),
    detail: z.unknown(),
    hash: z.string(),
  })
  .openapi('AuditEntry');

const auditRoute = createRoute({
  operationId: 'listAuditEntries',
  method: 'get',
  path: '/api/audit',
  tags,
  summary: 'The audit log: sign-ins, tokens, and changes of the account; needs the role admin',
  request: {
    query: z.strictObject({
      ...pageParams,
      action: listOf(storableText(100)).openapi(
        listed('Entries of these actions, such as `sign-in`, `create-token` or `rent`; repeatable', {
          type: 'string',
        }),
      ),
      order: z
        .enum(['asc', 'desc'])
        .default('asc')
        .openapi({ description: '`asc`: oldest first', default: 'asc' }),
    }),
  },
  responses: {
    200: jsonAnswer('A page of entries', pageOf(AuditEntrySchema, 'AuditLog')),
    ...problemResponses(400, 401, 403, 503),
  },
});

const VerdictSchema = z
  .object({
    entries: z.int(),
    head: z.string().nullable().openapi({ description: 'Hash of the last entry; store it elsewhere' }),
    problem: z.object({ seq: z.int(), what: z.string() }).nullable(),
  })
  .openapi('AuditVerdict');

const verifyRoute = createRoute({
  operationId: 'verifyAuditLog',
  method: 'get',
  path: '/api/audit/verify',
  tags,
  summary: 'Check that no entry of the audit log was changed; needs the role admin',
  request: {
    query: z.strictObject({
      head: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be a hash of an earlier check')
        .optional()
        .openapi({ description: 'A hash from an earlier check, which must still exist' }),
    }),
  },
  responses: {
    200: jsonAnswer('The result', VerdictSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

const pickLimits = (limits: Limits): Limits =>
  Object.fromEntries(limitNames.map((name) => [name, limits[name]])) as Limits;

/** `/api/actions` and `/api/audit`. */
export function mountActions(app: ApiApp, deps: RentalsDeps): void {
  const { sql } = deps;
  const present = async (): Promise<ActionsAnswer> => {
    const stands = await readActionSwitch(sql);
    const limits = await deps.actor().then(
      (actor) => actor.limits,
      () => null,
    );
    const setting = limits?.actions ?? deps.actionsEnabled;
    return {
      enabled: setting && stands?.enabled !== false,
      setting,
      killSwitch: stands === null ? null : { ...stands, changedAt: stands.changedAt.toISOString() },
      limits: limits && pickLimits(limits),
    };
  };
  app.openapi(readRoute, async (c) => c.json(await present(), 200));
  app.openapi(switchRoute, async (c) => {
    const { name } = requireRole(c, 'operator');
    const { enabled } = c.req.valid('json');
    const market = await deps.defaultMarket();
    await switchActions({ sql, now: deps.now, market }, { enabled, by: name });
    return c.json(await present(), 200);
  });
  app.openapi(auditRoute, async (c) => {
    requireRole(c, 'admin');
    const { limit, order, action = [] } = c.req.valid('query');
    const page = await readPage(c, limit, {
      after: placeByNumber,
      read: (afterSeq, count) => listAudit(sql, { afterSeq, limit: count, order, actions: action }),
      keyOf: ({ seq }) => seq,
    });
    const items = page.items.map(({ at, previousHash: _, detail, ...row }) => ({
      ...row,
      at: at.toISOString(),
      detail: JSON.parse(detail) as unknown,
    }));
    return c.json({ ...page, items }, 200);
  });
  app.openapi(verifyRoute, async (c) => {
    requireRole(c, 'admin');
    return c.json(await verifyAudit(sql, c.req.valid('query').head ?? null), 200);
  });
}
