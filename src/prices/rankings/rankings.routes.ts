import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { fieldSchemas } from '../../core/http/offer-schema.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { flagParam } from '../../core/http/query.ts';
import { jsonAnswer } from '../../core/http/route-parts.ts';
import { defaultRanking, metrics, rankingMetrics } from '../../core/metric.ts';
import { pricingTypes } from '../../core/offer.ts';
import {
  bookHead,
  bookHeadFields,
  comparedOffersParams,
  nextOffersCursor,
  withNewestBooksOf,
} from '../newest/newest-offers-request.ts';
import type { CurrentOffer } from '../newest/offers.sql.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { VerdictSchema } from '../verdicts/verdict-schema.ts';
import { type RankingColumn, rankingColumnNames } from './ranking-columns.ts';
import { sortNames, sortOrders } from './ranking-order.ts';
import { listRanking } from './sorted-ranking.ts';

const RankedOfferSchema = z
  .object({
    rank: z.int().openapi({ description: 'By the metric, whatever the list is sorted by' }),
    market: z.string(),
    offerId: z.int(),
    listingId: z.string(),
    machineId: z.int(),
    hostId: z.int().nullable(),
    gpuName: z.string(),
    numGpus: z.int(),
    type: z.enum(pricingTypes),
    value: z.number().openapi({ description: 'The ranking metric' }),
    unit: z.string(),
    usdPerHour: z.number().openapi({ description: 'For the whole offer; for a bid the minimum bid' }),
    usdPerGpuHour: z.number(),
    allInUsdPerHour: z.number().nullable(),
    ...fieldSchemas(rankingColumnNames),
    isOutlier: z.boolean().nullable().openapi({
      description: "Below a quarter or above four times its segment's 30-day median; null: no median",
    }),
    preferred: z.boolean().openapi({ description: 'Preferred on the block list' }),
    verdict: VerdictSchema.nullable().openapi({ description: 'null: the book is not complete' }),
  })
  .openapi('RankedOffer');

const RankingsSchema = z
  .object({
    ...bookHeadFields,
    by: z.enum(rankingMetrics),
    items: z.array(RankedOfferSchema),
    total: z.int().openapi({ description: 'Number of ranked offers, on all pages' }),
    unranked: z.array(z.object({ reason: z.string(), offers: z.int() })),
    nextCursor: z.string().nullable(),
  })
  .openapi('Rankings');

/** The answer of `GET /api/rankings`. */
export type RankingsAnswer = z.infer<typeof RankingsSchema>;

const route = createRoute({
  operationId: 'getRankings',
  method: 'get',
  path: '/api/rankings',
  tags: ['prices'],
  summary: 'Offers of the newest book, the cheapest first',
  request: {
    query: z.strictObject({
      by: z.enum(rankingMetrics).default(defaultRanking),
      sort: z.enum(sortNames).default('rank').openapi({
        description: 'Column to sort the ranked offers by; unknown values come last',
      }),
      order: z.enum(sortOrders).default('asc'),
      deverifiedLast: flagParam('List offers of deverified machines after all others'),
      outliersLast: flagParam('List offers with an outlier price after all others'),
      endingLast: flagParam(
        'List offers that the host ends before the `runningHours` of the usage profile after all others',
      ),
      ...comparedOffersParams,
    }),
  },
  responses: {
    200: jsonAnswer('A page of the ranking', RankingsSchema),
    ...problemResponses(400, 401, 403, 409, 503),
  },
});

const pickColumns = (offer: Pick<CurrentOffer, RankingColumn>): Pick<CurrentOffer, RankingColumn> =>
  Object.fromEntries(rankingColumnNames.map((name) => [name, offer[name]])) as typeof offer;

/** `GET /api/rankings`. */
export function mountRankings(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const asked = c.req.valid('query');
    const answer = await withNewestBooksOf(c, deps, asked, (requests) =>
      listRanking(deps, requests, asked.by, {
        sort: asked.sort,
        order: asked.order,
        deverifiedLast: asked.deverifiedLast === true,
        outliersLast: asked.outliersLast === true,
        endingLast: asked.endingLast === true,
      }),
    );
    if (answer === null) {
      return c.json(
        { ...bookHead([]), by: asked.by, items: [], total: 0, unranked: [], nextCursor: null },
        200,
      );
    }
    const { requests, result } = answer;
    const { by, items, total, unranked, more } = result;
    return c.json(
      {
        ...bookHead(requests.flatMap(({ books }) => books)),
        by,
        items: items.map((item) => ({
          rank: item.rank,
          market: item.market,
          offerId: item.offerId,
          listingId: String(item.listingId),
          machineId: item.machineId,
          hostId: item.hostId,
          gpuName: item.gpuName,
          numGpus: item.numGpus,
          type: item.type,
          value: item.value,
          unit: metrics[by].unit,
          usdPerHour: item.usdPerHour,
          usdPerGpuHour: item.usdPerGpuHour,
          allInUsdPerHour: item.allInUsdPerHour,
          ...pickColumns(item),
          isOutlier: item.isOutlier,
          preferred: item.preferred,
          verdict: item.verdict,
        })),
        total,
        unranked,
        nextCursor: nextOffersCursor(c, requests, more),
      },
      200,
    );
  });
}
