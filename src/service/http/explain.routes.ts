import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { jsonAnswer } from '../../core/http/route-parts.ts';
import { answerPoint } from '../../prices/explain/explain-answer.ts';
import { answerFigures } from '../../prices/explain/explain-figures.ts';
import { explainPriceParams } from '../../prices/explain/explain-params.ts';
import { answerRanking } from '../../prices/explain/explain-rank.ts';
import {
  ExplanationSchema,
  FigureExplanationSchema,
  figureKinds,
} from '../../prices/explain/explanation-schema.ts';
import {
  answerComparison,
  answerSpend,
  explainSpendParams,
  SpendExplanationSchema,
} from '../../spend/explain-answer.ts';
import type { ApiDeps } from './api-deps.ts';

const query = z.strictObject({
  of: z
    .enum(['book', 'ranking', 'bucket', ...figureKinds, 'spend'])
    .openapi({ description: 'What the figure is of' }),
  ...explainPriceParams,
  ...explainSpendParams,
});
type Of = z.output<typeof query>['of'];

const route = createRoute({
  method: 'get',
  path: '/api/explain',
  tags: ['prices'],
  summary: 'What a figure was made of, what was left out and why, and the figure made again',
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
    const asked = c.req.valid('query');
    const { of } = asked;
    requireOwnParams(c, of);
    if (of === 'spend') return c.json(await answerSpend(c, spend, asked), 200);
    if (of === 'vs-market') return c.json(await answerComparison(c, spend, asked), 200);
    if (of === 'ranking') return c.json(await answerRanking(c, prices, asked), 200);
    if (of === 'book' || of === 'bucket') return c.json(await answerPoint(c, prices, { ...asked, of }), 200);
    return c.json(await answerFigures(c, prices, { ...asked, of }), 200);
  });
}

const commonParams = new Set(['of', 'market', 'rows', 'limit', 'cursor']);
/** What names one sum of spend. */
const sumParams = ['groupBy', 'key', 'stackBy', 'subkey', 'category', 'basis'];
/** Parameters that only some kinds of figures have. */
const paramsOf: Record<string, readonly Of[]> = {
  bucket: ['bucket'],
  listingId: ['ranking', 'verdict', 'listing'],
  days: ['verdict', 'change', 'forecast'],
  forecastOf: ['forecast'],
  hours: ['wait'],
  ...Object.fromEntries(sumParams.map((name) => [name, ['spend']])),
  source: ['vs-market'],
};

/** What a listing's history takes of what spend does. */
const rangeNames = ['from', 'to'];

/** Throws a 400 for parameters that have no meaning for this kind of figure. */
function requireOwnParams(c: Context, of: Of): void {
  const isOfSpend = of === 'spend' || of === 'vs-market';
  for (const name of Object.keys(c.req.query())) {
    if (commonParams.has(name) || (of === 'listing' && rangeNames.includes(name))) continue;
    const isOwn = name in explainSpendParams === isOfSpend && (paramsOf[name]?.includes(of) ?? true);
    if (!isOwn) throw badField(name, `is not a parameter of \`of=${of}\``);
  }
}
