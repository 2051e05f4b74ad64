import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { jsonAnswer } from '../../core/http/route-parts.ts';
import { defaultRanking, metrics, rankingMetrics } from '../../core/metric.ts';
import {
  bookHead,
  bookHeadFields,
  comparedOffersParams,
  withNewestBooksOf,
} from '../newest/newest-offers-request.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { groupings, groupNewestOffers } from './ranking-groups.ts';

const GroupsSchema = z
  .object({
    ...bookHeadFields,
    by: z.enum(rankingMetrics),
    unit: z.string(),
    groups: z.array(
      z
        .object({
          market: z.string().optional().openapi({ description: 'Only if several markets were requested' }),
          gpuName: z.string().nullable().openapi({ description: 'null: not grouped by it' }),
          country: z.string().nullable().openapi({ description: 'null: not grouped by it, or unknown' }),
          offers: z.int(),
          gpus: z.int(),
          machines: z.int(),
          min: z.number(),
          lowest: z.number().nullable().openapi({
            description: 'Of an offer whose price is no outlier; null: there is none',
          }),
          median: z.number(),
          max: z.number(),
          best: z.object({ rank: z.int(), offerId: z.int(), listingId: z.string() }),
        })
        .openapi('RankingGroup'),
    ),
    unranked: z.array(z.object({ reason: z.string(), offers: z.int() })),
  })
  .openapi('RankingGroups');

/** The answer of `GET /api/rankings/groups`. */
export type RankingGroupsAnswer = z.infer<typeof GroupsSchema>;

const { limit: _, cursor: __, ...params } = comparedOffersParams;
const groupBy = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [...new Set([given].flat())])
  .pipe(z.array(z.enum(groupings)))
  .default([...groupings])
  .openapi({
    type: 'array',
    items: { type: 'string', enum: [...groupings] },
    description: 'Repeatable; default both',
  });

const route = createRoute({
  operationId: 'listRankingGroups',
  method: 'get',
  path: '/api/rankings/groups',
  tags: ['prices'],
  summary: 'The ranking by model and country: number of offers and range of prices',
  request: {
    query: z.strictObject({ by: z.enum(rankingMetrics).default(defaultRanking), groupBy, ...params }),
  },
  responses: {
    200: jsonAnswer('The groups', GroupsSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/rankings/groups`. */
export function mountRankingGroups(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const asked = c.req.valid('query');
    const answer = await withNewestBooksOf(c, deps, { ...asked, limit: 1 }, (requests) =>
      groupNewestOffers(deps, requests, asked.by, asked.groupBy),
    );
    if (answer === null) {
      const unit = metrics[asked.by].unit;
      return c.json({ ...bookHead([]), by: asked.by, unit, groups: [], unranked: [] }, 200);
    }
    const { by, groups, unranked } = answer.result;
    const isPlural = (asked.market?.length ?? 0) > 1;
    return c.json(
      {
        ...bookHead(answer.requests.flatMap(({ books }) => books)),
        by,
        unit: metrics[by].unit,
        groups: groups.map(({ best, market, ...group }) => ({
          ...(isPlural ? { market } : {}),
          ...group,
          best: { ...best, listingId: String(best.listingId) },
        })),
        unranked,
      },
      200,
    );
  });
}
