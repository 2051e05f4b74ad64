import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { marketsParam } from '../../core/http/query.ts';
import { jsonAnswer } from '../../core/http/route-parts.ts';
import { answerPoint } from '../../prices/explain/explain-answer.ts';
import { answerFigures } from '../../prices/explain/explain-figures.ts';
import { explainPriceParams } from '../../prices/explain/explain-params.ts';
import { explainPatternParams } from '../../prices/explain/explain-pattern-params.ts';
import { answerRanking } from '../../prices/explain/explain-rank.ts';
import {
  accountFigureKinds,
  ExplanationSchema,
  FigureExplanationSchema,
  figureKinds,
} from '../../prices/explain/explanation-schema.ts';
import {
  answerAccountFigure,
  answerSpend,
  explainSpendParams,
  SpendExplanationSchema,
} from '../../spend/explain-answer.ts';
import type { ApiDeps } from './api-deps.ts';

const query = z.strictObject({
  of: z
    .enum(['book', 'ranking', 'bucket', ...figureKinds, 'spend'])
    .openapi({ description: 'The kind of figure' }),
  ...explainPriceParams,
  ...explainPatternParams,
  ...marketsParam,
  ...explainSpendParams,
});
type Of = z.output<typeof query>['of'];

const route = createRoute({
  operationId: 'explainFigure',
  method: 'get',
  path: '/api/explain',
  tags: ['prices'],
  summary: 'How a figure was computed, what was left out and why, and the figure recomputed',
  request: { query },
  responses: {
    200: jsonAnswer(
      'The rows',
      z.union([ExplanationSchema, FigureExplanationSchema, SpendExplanationSchema]),
    ),
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

/** `GET /api/explain`. For `spend`, `asOf` means the same as in all reads of bills. */
export function mountExplain(app: ApiApp, prices: ApiDeps, spend: ApiDeps): void {
  app.openapi(route, async (c) => {
    const { of, market: markets, ...given } = c.req.valid('query');
    requireOwnParams(c, of);
    if (of === 'ranking') return c.json(await answerRanking(c, prices, { ...given, market: markets }), 200);
    const [market, other] = markets ?? [];
    if (other !== undefined) throw badField('market', 'may be given only once here');
    const asked = { ...given, market };
    if (of === 'spend') return c.json(await answerSpend(c, spend, asked), 200);
    if (isOfAccount(of)) return c.json(await answerAccountFigure(c, spend, { ...asked, of }), 200);
    if (of === 'book' || of === 'bucket') return c.json(await answerPoint(c, prices, { ...asked, of }), 200);
    return c.json(await answerFigures(c, prices, { ...asked, of }), 200);
  });
}

const isOfAccount = (of: Of): of is (typeof accountFigureKinds)[number] =>
  (accountFigureKinds as readonly Of[]).includes(of);

const commonParams = new Set(['of', 'market', 'rows', 'limit', 'cursor']);
/** Parameters that identify a sum of spend. */
const sumParams = ['groupBy', 'key', 'stackBy', 'subkey', 'category', 'basis'];
const patterns: readonly Of[] = ['week', 'volatility'];
const ranged: readonly Of[] = [...patterns, 'range', 'spend', 'vs-market', 'adjustment', 'difference'];
/** Parameters that only some kinds of figures have; others apply to all prices, or to the whole account. */
const paramsOf: Record<string, readonly Of[]> = {
  bucket: ['bucket', 'range', 'supply'],
  listingId: ['ranking', 'verdict', 'listing'],
  days: ['verdict', 'change', 'forecast'],
  forecastOf: ['forecast'],
  hours: ['wait'],
  weekday: ['week'],
  hour: ['week'],
  ...Object.fromEntries(sumParams.map((name) => [name, ['spend']])),
  source: ['vs-market'],
  budgetId: ['budget'],
  instanceId: ['instance'],
  month: ['adjustment'],
  kind: ['difference'],
  subject: ['difference'],
  from: [...ranged, 'listing'],
  to: [...ranged, 'listing'],
  timeZone: [...ranged, 'projection'],
};

/** Throws a 400 for parameters that have no meaning for this kind of figure. */
function requireOwnParams(c: Context, of: Of): void {
  const isSpend = of === 'spend' || isOfAccount(of);
  for (const name of Object.keys(c.req.query())) {
    if (commonParams.has(name)) continue;
    const isOwn = paramsOf[name]?.includes(of) ?? name in explainSpendParams === isSpend;
    if (!isOwn) throw badField(name, `is not a parameter of \`of=${of}\``);
  }
}
