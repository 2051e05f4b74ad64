import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readPage } from '../../core/http/cursor.ts';
import { noSuch, orNoSuch, problemResponses } from '../../core/http/problem.ts';
import { marketsParam, pageParams } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, noQuery, pageOf } from '../../core/http/route-parts.ts';
import { watchPlaces } from '../watches.sql.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import { type LastFiring, lastFirings, listAlerts } from './kept-alerts.sql.ts';
import { type Rule, unitOfRule } from './rule.ts';
import { AlertSchema, BacktestAnswerSchema, type RuleAnswer, RuleSchema } from './rule-answers.ts';
import { BacktestSchema, NewRuleSchema, RuleChangeSchema } from './rule-body.ts';
import { addRule, editRule, tryRule } from './rule-changes.ts';
import { deleteRule, findRule, listRules } from './rules.sql.ts';

const tags = ['rules'];
const path = '/api/rules/{id}';

const listRoute = createRoute({
  operationId: 'listRules',
  method: 'get',
  path: '/api/rules',
  tags,
  summary: 'The rules of markets, in the order of creation',
  request: { query: z.strictObject({ ...marketsParam, watchId: z.uuid().optional(), ...pageParams }) },
  responses: {
    200: jsonAnswer('A page of rules', pageOf(RuleSchema, 'Rules')),
    ...problemResponses(400, 401, 403, 503),
  },
});
const addRoute = createRoute({
  operationId: 'createRule',
  method: 'post',
  path: '/api/rules',
  tags,
  summary: 'Add a rule; needs the role operator',
  request: { query: noQuery, body: jsonBody(NewRuleSchema) },
  responses: {
    201: jsonAnswer('The new rule', RuleSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const backtestRoute = createRoute({
  operationId: 'backtestRule',
  method: 'post',
  path: '/api/rules/backtest',
  tags,
  summary: 'When a rule would have fired',
  request: { query: noQuery, body: jsonBody(BacktestSchema) },
  responses: {
    200: jsonAnswer('Its firings', BacktestAnswerSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const readRoute = createRoute({
  operationId: 'getRule',
  method: 'get',
  path,
  tags,
  summary: 'One rule',
  request: byId,
  responses: {
    200: jsonAnswer('The rule', RuleSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const changeRoute = createRoute({
  operationId: 'updateRule',
  method: 'patch',
  path,
  tags,
  summary: 'Change fields of a rule; needs the role operator',
  request: { ...byId, body: jsonBody(RuleChangeSchema) },
  responses: {
    200: jsonAnswer('The rule as it is now', RuleSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const deleteRoute = createRoute({
  operationId: 'deleteRule',
  method: 'delete',
  path,
  tags,
  summary: 'Delete a rule with its alerts; needs the role operator',
  request: byId,
  responses: { 204: { description: 'It is deleted' }, ...problemResponses(400, 401, 403, 404, 503) },
});
const alertsRoute = createRoute({
  operationId: 'listRuleAlerts',
  method: 'get',
  path: '/api/rules/{id}/alerts',
  tags,
  summary: 'Alerts of a rule, the newest first',
  request: { params: byId.params, query: z.strictObject(pageParams) },
  responses: {
    200: jsonAnswer('A page of alerts', pageOf(AlertSchema, 'Alerts')),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

/** `/api/rules`. */
export function mountRules(app: ApiApp, deps: WatchesDeps): void {
  const { sql } = deps;
  app.openapi(listRoute, async (c) => {
    const { market, watchId = null, limit } = c.req.valid('query');
    // A watch is named by its id, whichever markets it follows.
    const places = watchId === null || market !== undefined ? [] : await watchPlaces(sql, watchId);
    const marketIds =
      places.length > 0
        ? places.map(({ marketId }) => marketId)
        : (await chooseMarkets(deps, market)).map(({ id }) => id);
    const page = await readPage(c, limit, {
      after: z.string(),
      read: (after, count) => listRules(sql, { marketIds, watchId, after, limit: count }),
      keyOf: ({ id }) => id,
    });
    return c.json({ ...page, items: await presentAll(page.items) }, 200);
  });
  app.openapi(backtestRoute, async (c) => c.json(await tryRule(deps, c.req.valid('json')), 200));
  app.openapi(addRoute, async (c) => {
    requireRole(c, 'operator');
    return c.json(await present(await addRule(deps, c.req.valid('json'))), 201);
  });
  app.openapi(readRoute, async (c) => c.json(await present(await find(c.req.valid('param').id)), 200));
  app.openapi(changeRoute, async (c) => {
    requireRole(c, 'operator');
    const before = await find(c.req.valid('param').id);
    return c.json(await present(await editRule(deps, before, c.req.valid('json'))), 200);
  });
  app.openapi(deleteRoute, async (c) => {
    requireRole(c, 'operator');
    if (!(await deleteRule(sql, c.req.valid('param').id))) throw noSuch('rule');
    return c.body(null, 204);
  });
  app.openapi(alertsRoute, async (c) => {
    const { id: ruleId } = await find(c.req.valid('param').id);
    const { limit } = c.req.valid('query');
    const page = await readPage(c, limit, {
      after: z.string(),
      read: (after, count) => listAlerts(sql, { ruleId, after, limit: count }),
      keyOf: ({ id }) => id,
    });
    const items = page.items.map(
      ({
        id,
        market,
        at,
        bookId,
        title,
        value,
        baseline,
        previous,
        unit: ofValue,
        heldUntil,
        suppressed,
        undeliveredTo,
        deliveries,
      }) => ({
        id,
        market,
        title,
        value,
        baseline,
        previous,
        unit: ofValue,
        suppressed,
        undeliveredTo,
        deliveries,
        at: at.toISOString(),
        bookId: bookId === null ? null : String(bookId),
        heldUntil: heldUntil?.toISOString() ?? null,
      }),
    );
    return c.json({ ...page, items }, 200);
  });

  async function find(id: string): Promise<Rule> {
    return orNoSuch(await findRule(sql, id), 'rule');
  }

  async function presentAll(rules: readonly Rule[]): Promise<RuleAnswer[]> {
    const fired = await lastFirings(
      sql,
      rules.map(({ id }) => id),
    );
    return rules.map((rule) => presentWith(rule, fired.get(rule.id)));
  }

  async function present(rule: Rule): Promise<RuleAnswer> {
    return presentWith(rule, (await lastFirings(sql, [rule.id])).get(rule.id));
  }
}

const presentWith = ({ params, channelIds, ...rule }: Rule, last: LastFiring | undefined): RuleAnswer => {
  const { id, market, watchId, kind, of, hysteresisPercent, cooldownMinutes, rearm } = rule;
  const { quietHours, dailyCap, digest, enabled } = rule;
  return {
    id,
    market,
    watchId,
    kind,
    of,
    hysteresisPercent,
    cooldownMinutes,
    rearm,
    quietHours,
    dailyCap,
    digest,
    enabled,
    params: { ...params },
    unit: unitOfRule({ kind, params }),
    channelIds: [...channelIds],
    lastFiredAt: last?.at.toISOString() ?? null,
    lastDeliveries: last?.deliveries ?? [],
  };
};
