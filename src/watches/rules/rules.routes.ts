import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { readCursor, writeCursor } from '../../core/http/cursor.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { marketParam, pageParams } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import { type Rule, unitOfRule } from './rule.ts';
import { AlertSchema, BacktestAnswerSchema, type RuleAnswer, RuleSchema } from './rule-answers.ts';
import { BacktestSchema, NewRuleSchema, RuleChangeSchema } from './rule-body.ts';
import { addRule, editRule, noSuchRule, tryRule } from './rule-changes.ts';
import { deleteRule, findRule, listAlerts, listRules } from './rules.sql.ts';

const tags = ['rules'];
const json = <T extends z.ZodType>(schema: T) => ({ content: { 'application/json': { schema } } });
const required = <T extends z.ZodType>(schema: T) => ({ required: true, ...json(schema) });
const listOf = <T extends z.ZodType>(item: T, name: string) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() }).openapi(name);
const one = { params: z.object({ id: z.uuid() }), query: z.strictObject({}) };
const path = '/api/rules/{id}';

const listRoute = createRoute({
  ...{ method: 'get', path: '/api/rules', tags, summary: "A market's rules, in the order of making" },
  request: { query: z.strictObject({ ...marketParam, watchId: z.uuid().optional(), ...pageParams }) },
  responses: {
    200: { description: 'A page of rules', ...json(listOf(RuleSchema, 'Rules')) },
    ...problemResponses(400, 401, 403, 503),
  },
});
const addRoute = createRoute({
  ...{ method: 'post', path: '/api/rules', tags, summary: 'Add a rule; needs the role operator' },
  request: { query: z.strictObject({}), body: required(NewRuleSchema) },
  responses: {
    201: { description: 'The new rule', ...json(RuleSchema) },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const backtestRoute = createRoute({
  ...{ method: 'post', path: '/api/rules/backtest', tags },
  summary: 'When a rule would have fired',
  request: { query: z.strictObject({}), body: required(BacktestSchema) },
  responses: {
    200: { description: 'Its firings', ...json(BacktestAnswerSchema) },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const readRoute = createRoute({
  ...{ method: 'get', path, tags, summary: 'One rule' },
  request: one,
  responses: {
    200: { description: 'The rule', ...json(RuleSchema) },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const changeRoute = createRoute({
  ...{ method: 'patch', path, tags, summary: 'Change fields of a rule; needs the role operator' },
  request: { ...one, body: required(RuleChangeSchema) },
  responses: {
    200: { description: 'The rule as it is now', ...json(RuleSchema) },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});
const deleteRoute = createRoute({
  ...{ method: 'delete', path, tags, summary: 'End a rule with its alerts; needs the role operator' },
  request: one,
  responses: { 204: { description: 'It is gone' }, ...problemResponses(400, 401, 403, 404, 503) },
});
const alertsRoute = createRoute({
  ...{ method: 'get', path: '/api/rules/{id}/alerts', tags, summary: 'Firings of a rule, the newest first' },
  request: { params: one.params, query: z.strictObject(pageParams) },
  responses: {
    200: { description: 'A page of alerts', ...json(listOf(AlertSchema, 'Alerts')) },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

/** `/api/rules`. */
export function mountRules(app: ApiApp, deps: WatchesDeps): void {
  const { sql } = deps;
  app.openapi(listRoute, async (c) => {
    const { market, watchId = null, limit } = c.req.valid('query');
    const place = readCursor(c, 'string');
    const { id: marketId } = await chooseMarket(deps, market);
    const after = place === null ? null : String(place.after);
    const found = await listRules(sql, { marketId, watchId, after, limit: limit + 1 });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    const more = found.length > limit && last !== undefined;
    const nextCursor = more ? writeCursor(c, { after: last.id, books: [] }) : null;
    return c.json({ items: items.map(present), nextCursor }, 200);
  });
  app.openapi(backtestRoute, async (c) => c.json(await tryRule(deps, c.req.valid('json')), 200));
  app.openapi(addRoute, async (c) => {
    requireRole(c.get('credential'), 'operator');
    return c.json(present(await addRule(deps, c.req.valid('json'))), 201);
  });
  app.openapi(readRoute, async (c) => c.json(present(await find(c.req.valid('param').id)), 200));
  app.openapi(changeRoute, async (c) => {
    requireRole(c.get('credential'), 'operator');
    const before = await find(c.req.valid('param').id);
    return c.json(present(await editRule(deps, before, c.req.valid('json'))), 200);
  });
  app.openapi(deleteRoute, async (c) => {
    requireRole(c.get('credential'), 'operator');
    if (!(await deleteRule(sql, c.req.valid('param').id))) throw noSuchRule();
    return c.body(null, 204);
  });
  app.openapi(alertsRoute, async (c) => {
    const { id: ruleId } = await find(c.req.valid('param').id);
    const { limit } = c.req.valid('query');
    const place = readCursor(c, 'string');
    const after = place === null ? null : String(place.after);
    const found = await listAlerts(sql, { ruleId, after, limit: limit + 1 });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    const more = found.length > limit && last !== undefined;
    const nextCursor = more ? writeCursor(c, { after: last.id, books: [] }) : null;
    const presented = items.map(
      ({ id, at, bookId, title, value, baseline, previous, unit: ofValue, heldUntil, suppressed }) => ({
        ...{ id, title, value, baseline, previous, unit: ofValue, suppressed },
        at: at.toISOString(),
        bookId: bookId === null ? null : String(bookId),
        heldUntil: heldUntil?.toISOString() ?? null,
      }),
    );
    return c.json({ items: presented, nextCursor }, 200);
  });

  async function find(id: string): Promise<Rule> {
    const rule = await findRule(sql, id);
    if (rule === null) throw noSuchRule();
    return rule;
  }
}

const present = ({ params, channelIds, ...rule }: Rule): RuleAnswer => {
  const { id, market, watchId, kind, of, hysteresisPercent, cooldownMinutes, rearm } = rule;
  const { quietHours, dailyCap, digest, enabled } = rule;
  return {
    ...{ id, market, watchId, kind, of, hysteresisPercent, cooldownMinutes, rearm },
    ...{ quietHours, dailyCap, digest, enabled },
    params: { ...params },
    unit: unitOfRule({ kind, params }),
    channelIds: [...channelIds],
  };
};
