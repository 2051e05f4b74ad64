import { createRoute, z } from '@hono/zod-openapi';
import { rankNewestOffers } from '../analytics/newest-offers.ts';
import { rankingFigures, rankingUnits } from '../domain/metric.ts';
import { pricingTypes, verificationTiers } from '../domain/offer.ts';
import type { ApiApp, ApiDeps } from './deps.ts';
import {
  bookHead,
  newestOffersParams,
  nextOffersCursor,
  readNewestOffersRequest,
} from './newest-offers-request.ts';
import { problemResponses } from './problem.ts';

const RankedOfferSchema = z
  .object({
    rank: z.int(),
    offerId: z.int(),
    listingId: z.string(),
    machineId: z.int(),
    hostId: z.int().nullable(),
    gpuName: z.string(),
    numGpus: z.int(),
    type: z.enum(pricingTypes),
    value: z.number().openapi({ description: 'The figure ranked by' }),
    unit: z.string(),
    usdPerHour: z.number().openapi({ description: 'Whole offer; of a bid the minimum bid' }),
    usdPerGpuHour: z.number(),
    allInUsdPerHour: z.number().nullable(),
    dlperf: z.number().nullable(),
    reliability: z.number().nullable(),
    verification: z.enum(verificationTiers).nullable(),
    country: z.string().nullable(),
    joke: z.boolean().nullable().openapi({
      description: "Below a quarter or above four times its segment's 30-day median; null: no median",
    }),
    verdict: z.null().openapi({ description: 'Not computed yet' }),
  })
  .openapi('RankedOffer');

const RankingsSchema = z
  .object({
    observedAt: z.string().nullable().openapi({ format: 'date-time' }),
    bookVerdict: z.enum(['complete', 'partial']).nullable(),
    by: z.enum(rankingFigures),
    items: z.array(RankedOfferSchema),
    unranked: z.array(z.object({ reason: z.string(), offers: z.int() })),
    nextCursor: z.string().nullable(),
  })
  .openapi('Rankings');

/** The answer of `GET /api/rankings`. */
export type RankingsAnswer = z.infer<typeof RankingsSchema>;

const route = createRoute({
  method: 'get',
  path: '/api/rankings',
  tags: ['prices'],
  summary: 'Offers of the newest book, the cheapest first',
  request: {
    query: z.strictObject({ by: z.enum(rankingFigures).default('usdPerDlperfHour'), ...newestOffersParams }),
  },
  responses: {
    200: {
      description: 'A page of the ranking',
      content: { 'application/json': { schema: RankingsSchema } },
    },
    ...problemResponses(400, 401, 403, 409, 503),
  },
});

/** `GET /api/rankings`. */
export function mountRankings(app: ApiApp, deps: ApiDeps): void {
  app.openapi(route, async (c) => {
    const asked = c.req.valid('query');
    const request = await readNewestOffersRequest(c, deps, asked);
    if (request === null) {
      return c.json({ ...bookHead([]), by: asked.by, items: [], unranked: [], nextCursor: null }, 200);
    }
    const { by, items, unranked, more } = await rankNewestOffers(deps, request, asked.by);
    return c.json(
      {
        ...bookHead(request.books),
        by,
        items: items.map((item) => ({
          rank: item.rank,
          offerId: item.offerId,
          listingId: String(item.listingId),
          machineId: item.machineId,
          hostId: item.hostId,
          gpuName: item.gpuName,
          numGpus: item.numGpus,
          type: item.type,
          value: item.value,
          unit: rankingUnits[by],
          usdPerHour: item.usdPerHour,
          usdPerGpuHour: item.usdPerGpuHour,
          allInUsdPerHour: item.allInUsdPerHour,
          dlperf: item.dlperf,
          reliability: item.reliability,
          verification: item.verification,
          country: item.country,
          joke: item.joke,
          verdict: null,
        })),
        unranked,
        nextCursor: nextOffersCursor(c, request, more),
      },
      200,
    );
  });
}
