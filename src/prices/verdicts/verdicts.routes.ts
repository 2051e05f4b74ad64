import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { filterParams, marketsParam, profileParams, seriesParams } from '../../core/http/query.ts';
import { jsonAnswer, moment, wholeList } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import { withNewestBooksOf } from '../newest/newest-offers-request.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { JudgedOfferSchema, presentJudged } from './judged-offer-schema.ts';
import { readLowestVerdicts } from './lowest-verdicts.ts';
import { PriceTimingSchema } from './verdict-schema.ts';

const LowestVerdictSchema = z
  .object({
    market: z.string(),
    type: z.enum(pricingTypes),
    gpuName: z.string(),
    observedAt: moment,
    bookVerdict: z.enum(['complete', 'partial']),
    offers: z.int().openapi({ description: 'Offers that match and have a price' }),
    outliers: z.int().openapi({ description: 'Those of them that are left out as outliers' }),
    pricedFrom: moment.nullable().openapi({
      description: 'The first UTC day with a price, filters aside; null: none, or not computed yet',
    }),
    pricedTo: moment.nullable().openapi({ description: 'The end of the last such day' }),
    lowest: JudgedOfferSchema.nullable().openapi({
      description: 'The cheapest offer that is no outlier; null: there is none',
    }),
    timing: PriceTimingSchema.nullable().openapi({
      description: 'Whether its price is low for this model; null: too little history, or no complete book',
    }),
    lowestVerified: JudgedOfferSchema.nullable().openapi({
      description: 'The cheapest one on a verified machine; null: there is none',
    }),
    verifiedTiming: PriceTimingSchema.nullable().openapi({
      description: 'Whether its price is low for verified ones of this model',
    }),
  })
  .openapi('LowestVerdict');

const LowestVerdictsSchema = wholeList(LowestVerdictSchema, 'LowestVerdicts');

/** The answer of `GET /api/verdicts`. */
export type LowestVerdictsAnswer = z.infer<typeof LowestVerdictsSchema>;

const route = createRoute({
  operationId: 'listLowestVerdicts',
  method: 'get',
  path: '/api/verdicts',
  tags: ['prices'],
  summary: "How unusual each model's lowest price is now",
  request: {
    query: z.strictObject({
      ...marketsParam,
      ...seriesParams,
      gpuName: seriesParams.gpuName.openapi({
        description:
          'GPU model as the market spells it; repeatable; default: the model with the most GPUs listed',
      }),
      ...filterParams,
      ...profileParams,
    }),
  },
  responses: {
    200: jsonAnswer('One item per model, type and market with a book', LowestVerdictsSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/verdicts`. */
export function mountVerdicts(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const asked = { ...c.req.valid('query'), limit: 1 };
    const answer = await withNewestBooksOf(c, deps, asked, async (requests) => {
      const each = await Promise.all(requests.map((request) => readLowestVerdicts(deps, request)));
      const found = each.filter((lowest) => lowest !== 'superseded');
      return found.length < each.length ? ('superseded' as const) : found.flat();
    });
    const items = (answer?.result ?? []).map(({ book, priced, lowest, lowestVerified, ...rest }) => ({
      ...rest,
      type: book.type,
      observedAt: book.observedAt.toISOString(),
      bookVerdict: book.verdict,
      pricedFrom: priced?.from.toISOString() ?? null,
      pricedTo: priced?.to.toISOString() ?? null,
      lowest: presentJudged(lowest),
      lowestVerified: presentJudged(lowestVerified),
    }));
    return c.json({ items, nextCursor: null }, 200);
  });
}
