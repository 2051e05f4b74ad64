import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { fieldSchemas } from '../../core/http/offer-schema.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { jsonAnswer } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import { allFields } from '../../core/offer-fields.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { listMarketOffers } from './market-offers.ts';
import {
  bookHead,
  bookHeadFields,
  comparedOffersParams,
  nextOffersCursor,
  withNewestBooksOf,
} from './newest-offers-request.ts';

const figure = z.number().nullable();

const OfferSchema = z
  .object({
    market: z.string(),
    offerId: z.int(),
    listingId: z.string(),
    gpuName: z.string(),
    type: z.enum(pricingTypes),
    usdPerHour: figure.openapi({ description: "With the profile's storage; for a bid the minimum bid" }),
    usdPerGpuHour: figure,
    allInUsdPerHour: figure,
    ...fieldSchemas(allFields),
    isOutlier: z.boolean().nullable(),
  })
  .openapi('Offer');

const OffersSchema = z
  .object({
    ...bookHeadFields,
    items: z.array(OfferSchema),
    nextCursor: z.string().nullable(),
  })
  .openapi('Offers');

/** The answer of `GET /api/offers`. */
export type OffersAnswer = z.infer<typeof OffersSchema>;

const route = createRoute({
  operationId: 'listOffers',
  method: 'get',
  path: '/api/offers',
  tags: ['prices'],
  summary: 'Offers of the newest book, by model and price per GPU',
  request: { query: z.strictObject(comparedOffersParams) },
  responses: {
    200: jsonAnswer('A page of offers', OffersSchema),
    ...problemResponses(400, 401, 403, 409, 503),
  },
});

/** `GET /api/offers`. */
export function mountOffers(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const answer = await withNewestBooksOf(c, deps, c.req.valid('query'), (requests) =>
      listMarketOffers(deps, requests),
    );
    if (answer === null) return c.json({ ...bookHead([]), items: [], nextCursor: null }, 200);
    const { requests, result } = answer;
    const { items, more } = result;
    return c.json(
      {
        ...bookHead(requests.flatMap(({ books }) => books)),
        items: items.map(({ listingId, listedUsdPerGpuHour: _, ...offer }) => ({
          ...offer,
          listingId: String(listingId),
        })),
        nextCursor: nextOffersCursor(c, requests, more),
      },
      200,
    );
  });
}
