import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { chooseMarket } from '../books/choose-market.ts';
import type { ApiApp } from '../core/http/api-app.ts';
import { badField, noSuch, problemResponses } from '../core/http/problem.ts';
import { marketParam, storableText } from '../core/http/query.ts';
import { requireRole } from '../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, moment, noQuery } from '../core/http/route-parts.ts';
import { readMomentParam } from '../core/http/time-range.ts';
import { deleteBalance, listBalances, type StatementBalance, setBalance } from './balances.sql.ts';
import { readBalance } from './read-spend.ts';
import { BalanceSchema, presentBalance } from './spend.routes.ts';
import type { SpendDeps } from './spend-deps.ts';

/** US dollars as people enter them, with any number of decimals, kept exactly. */
export const decimalText = z
  .string()
  .regex(/^-?\d{1,20}(\.\d{1,20})?$/, 'must be an amount in US dollars like 12.34');

const StatementSchema = z
  .object({
    id: z.string(),
    at: moment,
    amountUsd: z.string(),
    enteredAt: moment,
    enteredBy: z.string(),
  })
  .openapi('StatementBalance');

const BalancesSchema = z
  .object({ items: z.array(StatementSchema), current: BalanceSchema, nextCursor: z.null() })
  .openapi('Balances');

/** The answer of `GET /api/balances`. */
export type BalancesAnswer = z.infer<typeof BalancesSchema>;

const tags = ['spend'];
const listRoute = createRoute({
  operationId: 'listBalances',
  method: 'get',
  path: '/api/balances',
  tags,
  summary: 'The entered balances, the newest first, and the current balance',
  request: { query: z.strictObject(marketParam) },
  responses: {
    200: jsonAnswer('All of them', BalancesSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

const setRoute = createRoute({
  operationId: 'enterBalance',
  method: 'post',
  path: '/api/balances',
  tags,
  summary:
    'Enter a balance as the market shows it; a balance of the same moment is replaced. Needs the role operator',
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          amountUsd: decimalText,
          at: z.string().optional().openapi({ description: 'An instant with its zone. Default: now' }),
          market: storableText(200).min(1).optional(),
        })
        .openapi('NewBalance', { example: { amountUsd: '148.20', at: '2026-07-20T05:19:05Z' } }),
    ),
  },
  responses: {
    201: jsonAnswer('The stored balance', StatementSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

const deleteRoute = createRoute({
  operationId: 'deleteBalance',
  method: 'delete',
  path: '/api/balances/{id}',
  tags,
  summary: 'Delete a balance; needs the role operator',
  request: byId,
  responses: { 204: { description: 'It is deleted' }, ...problemResponses(401, 403, 404, 503) },
});

/** `/api/balances`. */
export function mountBalances(app: ApiApp, deps: SpendDeps): void {
  const { sql, now } = deps;
  app.openapi(listRoute, async (c) => {
    const { id: marketId } = await chooseMarket(deps, c.req.valid('query').market);
    const items = await listBalances(sql, marketId, { until: now(), limit: null });
    const current = presentBalance(await readBalance(sql, marketId, now()));
    return c.json({ items: items.map(present), current, nextCursor: null }, 200);
  });
  app.openapi(setRoute, async (c) => {
    const { name } = requireRole(c, 'operator');
    const { amountUsd, at: atText, market } = c.req.valid('json');
    const { id: marketId } = await chooseMarket(deps, market);
    const at = readMomentParam('at', atText, deps.timeZone ?? 'UTC') ?? now();
    if (at > now()) throw badField('at', 'must not be in the future');
    const entry = { id: uuidv7(), at, amountUsd, enteredAt: now(), enteredBy: name };
    return c.json(present(await setBalance(sql, marketId, entry)), 201);
  });
  app.openapi(deleteRoute, async (c) => {
    requireRole(c, 'operator');
    if (!(await deleteBalance(sql, c.req.valid('param').id))) {
      throw noSuch('balance');
    }
    return c.body(null, 204);
  });
}

const present = ({ at, enteredAt, ...rest }: StatementBalance): z.infer<typeof StatementSchema> => ({
  ...rest,
  at: at.toISOString(),
  enteredAt: enteredAt.toISOString(),
});
