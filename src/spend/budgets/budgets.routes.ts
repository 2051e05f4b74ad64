import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { chooseMarket } from '../../books/choose-market.ts';
import { findMarket } from '../../books/markets.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, noSuch, problemResponses } from '../../core/http/problem.ts';
import { marketParam, storableLine, storableText } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, moment, noQuery, wholeList } from '../../core/http/route-parts.ts';
import { decimalText } from '../balances.routes.ts';
import type { SpendDeps } from '../spend-deps.ts';
import { spendZone } from '../spend-request.ts';
import { type BudgetState, readBudgetStates } from './budget-states.ts';
import { changeBudget, deleteBudget, insertBudget } from './budgets.sql.ts';

/** Fields of a month's spend and its projection. */
export const projectionFields = {
  month: z.string(),
  from: moment,
  to: moment,
  spentUsd: z.string(),
  burnUsdPerHour: z
    .string()
    .nullable()
    .openapi({ description: 'Of instances with a known price; null: none has one' }),
  unpriced: z.int().openapi({ description: 'Instances whose price is unknown, in part or in full' }),
  knownEndsUsd: z
    .string()
    .openapi({ description: 'What instances will not cost after their known ends: limits, ends of offers' }),
  projectedUsd: z.string().nullable().openapi({ description: 'null: the burn rate is unknown' }),
  projectionMethod: z.string(),
};

const BudgetSchema = z
  .object({
    id: z.string(),
    market: z.string(),
    label: z.string().nullable().openapi({ description: 'The label that it is for; null: everything' }),
    monthlyUsd: z.string(),
    alertAt: z.array(z.number()),
    blockRentals: z.boolean(),
    timeZone: z.string(),
    state: z.object({
      ...projectionFields,
      share: z.number(),
      leftUsd: z.string().openapi({ description: 'Negative: that much more was spent' }),
      reached: z.array(z.number()),
      usedUp: z.boolean(),
    }),
  })
  .openapi('Budget');

/** An item of `GET /api/budgets`. */
export type BudgetAnswer = z.infer<typeof BudgetSchema>;
const BudgetsSchema = wholeList(BudgetSchema, 'Budgets');
/** The answer of `GET /api/budgets`. */
export type BudgetsAnswer = z.infer<typeof BudgetsSchema>;

const usd = decimalText.refine((text) => Number(text) > 0, 'must be above 0');
const shares = z
  .array(z.number().gt(0).max(10))
  .max(20)
  .transform((given) => [...new Set(given)].sort((a, b) => a - b));
const NewBudgetSchema = z
  .strictObject({
    label: storableLine(200).min(1).nullable().default(null),
    monthlyUsd: usd,
    alertAt: shares.default([0.5, 0.8, 1]).openapi({ description: 'Shares that alert: 0.8 for 80%' }),
    blockRentals: z.boolean().default(false).openapi({ description: 'Refuse rentals once it is used up' }),
    timeZone: spendZone
      .optional()
      .openapi({ description: 'Time zone of its months. Default: TZ of the service' }),
    market: storableText(200).min(1).optional(),
  })
  .openapi('NewBudget', {
    example: { label: 'training', monthlyUsd: '400', alertAt: [0.5, 0.8, 1], blockRentals: true },
  });
const ChangeSchema = z
  .strictObject({ monthlyUsd: usd, alertAt: shares, blockRentals: z.boolean(), timeZone: spendZone })
  .partial()
  .openapi('BudgetChange', { example: { monthlyUsd: '600' } });

const tags = ['spend'];

const listRoute = createRoute({
  operationId: 'listBudgets',
  method: 'get',
  path: '/api/budgets',
  tags,
  summary: "Budgets with this month's spend and projection",
  request: { query: z.strictObject(marketParam) },
  responses: {
    200: jsonAnswer('All of them', BudgetsSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});
const addRoute = createRoute({
  operationId: 'createBudget',
  method: 'post',
  path: '/api/budgets',
  tags,
  summary: 'Set a budget; needs the role operator',
  request: { query: noQuery, body: jsonBody(NewBudgetSchema) },
  responses: {
    201: jsonAnswer('The new budget', BudgetSchema),
    ...problemResponses(400, 401, 403, 409, 503),
  },
});
const changeRoute = createRoute({
  operationId: 'updateBudget',
  method: 'patch',
  path: '/api/budgets/{id}',
  tags,
  summary: 'Change a budget; needs the role operator',
  request: { ...byId, body: jsonBody(ChangeSchema) },
  responses: {
    200: jsonAnswer('The budget as it is now', BudgetSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const deleteRoute = createRoute({
  operationId: 'deleteBudget',
  method: 'delete',
  path: '/api/budgets/{id}',
  tags,
  summary: 'Delete a budget; needs the role operator',
  request: byId,
  responses: { 204: { description: 'It is deleted' }, ...problemResponses(401, 403, 404, 503) },
});

/** `/api/budgets`. */
export function mountBudgets(app: ApiApp, deps: SpendDeps): void {
  const { sql, now } = deps;
  const stateOf = async (marketId: number, id: string): Promise<BudgetAnswer> => {
    const state = (await readBudgetStates(sql, marketId, now())).find((each) => each.id === id);
    if (state === undefined) throw noSuch('budget');
    return present(state);
  };
  app.openapi(listRoute, async (c) => {
    const { id: marketId } = await chooseMarket(deps, c.req.valid('query').market);
    const items = (await readBudgetStates(sql, marketId, now())).map(present);
    return c.json({ items, nextCursor: null }, 200);
  });
  app.openapi(addRoute, async (c) => {
    requireRole(c, 'operator');
    const { market, timeZone = deps.timeZone ?? 'UTC', ...fields } = c.req.valid('json');
    const { id: marketId } = await chooseMarket(deps, market);
    const budget = { ...fields, timeZone, id: uuidv7(), createdAt: now() };
    if ((await insertBudget(sql, marketId, budget)) === null) {
      const which = fields.label === null ? 'for everything' : `for ${JSON.stringify(fields.label)}`;
      throw new ApiProblem(409, 'name-taken', `There already is a budget ${which}: change that one.`);
    }
    return c.json(await stateOf(marketId, budget.id), 201);
  });
  app.openapi(changeRoute, async (c) => {
    requireRole(c, 'operator');
    const changed = await changeBudget(sql, c.req.valid('param').id, c.req.valid('json'));
    const market = changed === null ? null : await findMarket(sql, changed.market);
    if (changed === null || market === null) throw noSuch('budget');
    return c.json(await stateOf(market.id, changed.id), 200);
  });
  app.openapi(deleteRoute, async (c) => {
    requireRole(c, 'operator');
    if (!(await deleteBudget(sql, c.req.valid('param').id))) throw noSuch('budget');
    return c.body(null, 204);
  });
}

function present(budget: BudgetState): BudgetAnswer {
  const { id, market, label, monthlyUsd, alertAt, blockRentals, timeZone, from, to, ...state } = budget;
  return {
    id,
    market,
    label,
    monthlyUsd,
    alertAt,
    blockRentals,
    timeZone,
    state: { ...state, from: from.toISOString(), to: to.toISOString() },
  };
}
