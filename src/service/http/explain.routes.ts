import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiApp } from '../../core/http/api-app.ts';
import { badField, problemResponses } from '../../core/http/problem.ts';
import { jsonAnswer } from '../../core/http/route-parts.ts';
import { answerPrices, ExplanationSchema, explainPriceParams } from '../../prices/explain/explain-answer.ts';
import { answerSpend, explainSpendParams, SpendExplanationSchema } from '../../spend/explain-answer.ts';
import type { ApiDeps } from './api-deps.ts';

const query = z.strictObject({
  of: z.enum(['book', 'ranking', 'bucket', 'spend']).openapi({ description: 'What the figure is of' }),
  ...explainPriceParams,
  ...explainSpendParams,
});
type Of = z.output<typeof query>['of'];

const route = createRoute({
  method: 'get',
  path: '/api/explain',
  tags: ['prices'],
  summary: 'What a figure was made of, and what was left out and why',
  request: { query },
  responses: {
    200: jsonAnswer('The rows', z.union([ExplanationSchema, SpendExplanationSchema])),
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

/** `GET /api/explain`. `spend`: what bills are read from, where `asOf` means the same for all. */
export function mountExplain(app: ApiApp, prices: ApiDeps, spend: ApiDeps): void {
  app.openapi(route, async (c) => {
    const asked = c.req.valid('query');
    const { of } = asked;
    requireOwnParams(c, of);
    if (of === 'spend') return c.json(await answerSpend(c, spend, asked), 200);
    return c.json(await answerPrices(c, prices, { ...asked, of }), 200);
  });
}

const commonParams = new Set(['of', 'market', 'rows', 'limit', 'cursor']);

/** Throws a 400 for parameters that mean nothing for what the figure is of. */
function requireOwnParams(c: Context, of: Of): void {
  for (const name of Object.keys(c.req.query())) {
    if (commonParams.has(name)) continue;
    if (name in explainSpendParams !== (of === 'spend'))
      throw badField(name, `is not a parameter of \`of=${of}\``);
  }
}
