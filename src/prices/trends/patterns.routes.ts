import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets, requireKnownModels } from '../../books/choose-market.ts';
import type { Market } from '../../books/markets.sql.ts';
import { findNewest } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { problemResponses } from '../../core/http/problem.ts';
import {
  budgetParam,
  filterParams,
  marketsParam,
  profileParams,
  rangeParams,
  readFilter,
  readProfile,
  storableText,
} from '../../core/http/query.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { readRange } from '../../core/http/time-range.ts';
import { pricingTypes } from '../../core/offer.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { readPatterns } from './read-patterns.ts';

const HourSchema = z
  .object({
    weekday: z.int().openapi({ description: '1 is Monday' }),
    hour: z.int(),
    median: z.number().openapi({ description: "Median of the hours' medians" }),
    hours: z.int().openapi({ description: 'Hours of the range that it is the median of' }),
  })
  .openapi('HourOfWeek');

const MarketPatternsSchema = z
  .object({
    market: z.string(),
    from: moment,
    to: moment,
    timeZone: z.string(),
    type: z.enum(pricingTypes),
    gpuName: z.string(),
    unit: z.literal('USD/GPU/hour'),
    hoursOfWeek: z.array(HourSchema),
    cheapestHour: HourSchema.nullable().openapi({
      description: 'The cheapest with at least `neededHours` hours; null: there is none',
    }),
    neededHours: z.int(),
    volatilityPercent: z.number().nullable().openapi({
      description: "Standard deviation of the daily median's relative changes; null: under three days",
    }),
    days: z.int(),
    budget: z
      .object({
        usdPerHour: z.number(),
        books: z.int(),
        booksWithin: z.int(),
        share: z.number().nullable().openapi({ description: 'Of complete books; null: there is none' }),
      })
      .nullable(),
  })
  .openapi('MarketPatterns');

const PatternsSchema = MarketPatternsSchema.extend({
  others: z
    .array(MarketPatternsSchema)
    .openapi({ description: 'The same for each further market requested' }),
}).openapi('Patterns');

/** The answer of `GET /api/patterns`. */
export type PatternsAnswer = z.infer<typeof PatternsSchema>;

const route = createRoute({
  operationId: 'getPatterns',
  method: 'get',
  path: '/api/patterns',
  tags: ['prices'],
  summary: 'When a model is cheap, how much its price moves, and how often a budget was enough',
  request: {
    query: z.strictObject({
      ...marketsParam,
      gpuName: storableText(200).min(1).openapi({ description: 'GPU model as the market spells it' }),
      type: z.enum(pricingTypes).default('on-demand').openapi({ description: 'Pricing type' }),
      ...budgetParam,
      ...rangeParams,
      ...filterParams,
      ...profileParams,
    }),
  },
  responses: {
    200: jsonAnswer('Patterns of the range', PatternsSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/patterns`. */
export function mountPatterns(app: ApiApp, deps: PricesDeps): void {
  app.openapi(route, async (c) => {
    const asked = c.req.valid('query');
    const { gpuName, type, timeZone, budgetUsdPerHour = null } = asked;
    const markets = await chooseMarkets(deps, asked.market);
    await requireKnownModels(deps, markets, [gpuName]);
    const patternsIn = async ({ id, name }: Market) => {
      const { scopeId, newest } = await findNewest(deps.sql, id, [type]);
      const { from, to } = readRange(asked, newest, deps.now());
      const patterns = await readPatterns(deps.sql, {
        scopeId,
        type,
        gpuName,
        from,
        to,
        timeZone,
        budgetUsdPerHour,
        filter: readFilter(asked),
        profile: readProfile(asked),
      });
      return {
        market: name,
        from: from.toISOString(),
        to: to.toISOString(),
        timeZone,
        type,
        gpuName,
        unit: 'USD/GPU/hour' as const,
        ...patterns,
      };
    };
    const [first, ...others] = markets;
    const answer = await patternsIn(first);
    return c.json({ ...answer, others: await Promise.all(others.map(patternsIn)) }, 200);
  });
}
