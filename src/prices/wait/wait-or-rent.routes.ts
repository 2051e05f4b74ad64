import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets, requireKnownModels } from '../../books/choose-market.ts';
import type { Market } from '../../books/markets.sql.ts';
import { findScope } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import {
  filterParams,
  marketsParam,
  profileParams,
  readFilter,
  readProfile,
  seriesParams,
  wholeHoursParam,
} from '../../core/http/query.ts';
import { jsonAnswer } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { maxWaitHours } from './next-drops.ts';
import { readWaitOrRent } from './wait-or-rent.ts';

const figure = z.number().nullable();
const when = z.string().nullable().openapi({ format: 'date-time' });
const status = z.enum(['ok', 'insufficient']);

/** How the lowest price changed, in API responses. */
export const DropsSchema = z
  .object({
    status,
    books: z.int().openapi({ description: 'Past books that count' }),
    cases: z.int().openapi({ description: 'Number of these at least `hours` apart, chosen oldest first' }),
    neededCases: z.int(),
    drops: z.array(
      z.object({
        percent: z.number(),
        chance: figure.openapi({ description: 'Share of the books, 0 to 1; null: too few cases' }),
        medianHours: figure.openapi({
          description: 'To the first such price; null: never, or too few cases',
        }),
      }),
    ),
  })
  .openapi('PriceDrops');

const MarketWaitSchema = z
  .object({
    market: z.string(),
    observedAt: when.openapi({ description: 'The newest complete book; null: there is none' }),
    type: z.enum(pricingTypes),
    hours: z.int(),
    unit: z.string(),
    priceNow: figure.openapi({ description: 'The lowest price; null: no offer matches' }),
    percentileNow: figure.openapi({
      description: 'Percentile of `priceNow` among the prices of the 7 days before',
    }),
    closeSince: when.openapi({
      description: 'Since then no two complete books were more than 3 hours apart; null: no book',
    }),
    gapHoursBefore: figure.openapi({
      description: 'Median hours of the gaps over 3 hours between complete books before; null: none',
    }),
    overall: DropsSchema,
    similar: DropsSchema,
    bidSurvival: z.object({
      observedAt: when.openapi({ description: 'The newest complete book of bids; null: there is none' }),
      bids: z.array(
        z
          .object({
            hours: z.int(),
            raisePercent: z.number().openapi({ description: 'How far above the minimum bid each bid is' }),
            status,
            share: figure.openapi({ description: 'Never below the minimum bid in time, 0 to 1' }),
            bids: z.int().openapi({ description: 'Bids whose outcome is known' }),
            cases: z.int(),
            unknown: z
              .int()
              .openapi({ description: 'Bids whose listing left the market before the outcome was known' }),
          })
          .openapi('BidSurvival'),
      ),
    }),
  })
  .openapi('MarketWait');

const WaitOrRentSchema = MarketWaitSchema.extend({
  others: z.array(MarketWaitSchema).openapi({ description: 'The same for each further market requested' }),
}).openapi('WaitOrRent');

/** The answer of `GET /api/wait-or-rent`. */
export type WaitOrRentAnswer = z.infer<typeof WaitOrRentSchema>;

const route = createRoute({
  operationId: 'getWaitOrRent',
  method: 'get',
  path: '/api/wait-or-rent',
  tags: ['prices'],
  summary: 'Whether waiting has paid off in the past, and how long bids have lasted',
  request: {
    query: z.strictObject({
      ...marketsParam,
      gpuName: seriesParams.gpuName,
      type: z.enum(pricingTypes).default('on-demand').openapi({ description: 'Pricing type' }),
      hours: wholeHoursParam('Hours until the work must begin', { max: maxWaitHours, unset: 24 }),
      ...filterParams,
      ...profileParams,
    }),
  },
  responses: {
    200: jsonAnswer('How the lowest price changed', WaitOrRentSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/wait-or-rent`. */
export function mountWaitOrRent(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const asked = c.req.valid('query');
    const { type, hours, gpuName: gpuNames = [] } = asked;
    const markets = await chooseMarkets(deps, asked.market);
    await requireKnownModels(deps, markets, gpuNames);
    const waitIn = async ({ id: marketId, name }: Market) => {
      const scopeId = await findScope(deps.sql, marketId);
      const { observedAt, closeSince, bidSurvival, ...answer } = await readWaitOrRent(deps, {
        marketId,
        scopeId,
        type,
        gpuNames,
        hours,
        filter: readFilter(asked),
        profile: readProfile(asked),
      });
      return {
        market: name,
        observedAt: observedAt?.toISOString() ?? null,
        type,
        hours,
        closeSince: closeSince?.toISOString() ?? null,
        ...answer,
        bidSurvival: {
          observedAt: bidSurvival.observedAt?.toISOString() ?? null,
          bids: bidSurvival.bids,
        },
      };
    };
    const [first, ...others] = markets;
    const answer = await waitIn(first);
    return c.json({ ...answer, others: await Promise.all(others.map(waitIn)) }, 200);
  });
}
