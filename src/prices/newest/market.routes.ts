import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarkets } from '../../books/choose-market.ts';
import type { Market } from '../../books/markets.sql.ts';
import { findScope, type NewestBook, newestBooks } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { marketsParam } from '../../core/http/query.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { type PricingType, pricingTypes } from '../../core/offer.ts';
import { readCheapestClouds } from '../catalogs/cheapest-cloud.ts';
import type { ListPrice } from '../catalogs/cheapest-prices.sql.ts';
import { listPriceFields } from '../catalogs/list-price-schema.ts';
import { PriceChangeSchema } from '../index/price-change-schema.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { createMarketOverview } from './market-overview.ts';
import { bookHead, bookHeadFields } from './newest-offers-request.ts';

const figure = z.number().nullable();

const MarketSchema = z
  .object({
    ...bookHeadFields,
    type: z.enum(pricingTypes),
    unit: z.literal('USD/GPU/hour'),
    items: z.array(
      z
        .object({
          market: z.string(),
          gpuName: z.string(),
          offers: z.int(),
          gpus: z.int().openapi({ description: 'GPUs listed: overlapping chunks count each' }),
          physicalGpus: figure.openapi({
            description: 'Physical GPUs, each once, as in `/api/trends`; null: the book is partial',
          }),
          physicalGpusIsLowerBound: z
            .boolean()
            .nullable()
            .openapi({ description: 'Some machine lists no GPU ids; null where `physicalGpus` is' }),
          machines: z.int(),
          median: figure,
          lowest: figure.openapi({ description: 'The lowest price that is not an outlier' }),
          changes: z
            .array(PriceChangeSchema)
            .openapi({ description: 'Over 1, 7 and 27 days up to the newest complete day, like for like' }),
          sparkline: z
            .array(z.object({ t: moment, median: z.number() }))
            .openapi({ description: 'Medians of the last 30 UTC days that have one' }),
          bidMedian: figure.openapi({ description: 'Median of the minimum bids: a floor' }),
          bidSpreadPercent: figure.openapi({ description: 'How far that is below the median' }),
          cheapestCloud: z
            .object({
              ...listPriceFields,
              abovePercent: figure.openapi({
                description: 'How far it is above the median; negative: below',
              }),
            })
            .nullable()
            .openapi({ description: 'The lowest list price of another seller; null: none is known' }),
        })
        .openapi('MarketModel'),
    ),
  })
  .openapi('Market');

/** The answer of `GET /api/market`. */
export type MarketAnswer = z.infer<typeof MarketSchema>;

const maxAttempts = 5;

const route = createRoute({
  operationId: 'getMarketOverview',
  method: 'get',
  path: '/api/market',
  tags: ['prices'],
  summary: 'One row per model: current price, changes, supply, bid spread',
  request: {
    query: z.strictObject({
      ...marketsParam,
      type: z.enum(pricingTypes).default('on-demand').openapi({ description: 'Pricing type' }),
    }),
  },
  responses: {
    200: jsonAnswer('The market', MarketSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

const aboveMedian = (cloud: ListPrice | undefined, median: number | null) =>
  cloud === undefined
    ? null
    : { ...cloud, abovePercent: median ? 100 * (cloud.usdPerGpuHour / median - 1) : null };

type MarketRow = MarketAnswer['items'][number];

/** `GET /api/market`. */
export function mountMarket(app: ApiApp, deps: PricesDeps): void {
  const readOverview = createMarketOverview();

  /** Returns the rows of one market with their book; null: it has no book of the type. */
  async function readRows(
    market: Market,
    type: PricingType,
  ): Promise<{ book: NewestBook; rows: MarketRow[] } | null> {
    const scopeId = await findScope(deps.sql, market.id);
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const books = scopeId === null ? [] : await newestBooks(deps.sql, scopeId);
      const book = books.find((each) => each.type === type);
      if (scopeId === null || book === undefined) return null;
      const bids = type === 'bid' ? null : (books.find((each) => each.type === 'bid') ?? null);
      const rows = await readOverview(deps, { marketId: market.id, scopeId, book, bids });
      if (rows === 'superseded') continue;
      // Old recordings are compared with the price lists of their time.
      const at = market.kind === 'recorded' ? book.observedAt : deps.now();
      const gpuNames = rows.map(({ gpuName }) => gpuName);
      const clouds = await readCheapestClouds(deps.sql, { type, gpuNames, at });
      return {
        book,
        rows: rows.map(({ sparkline, ...row }) => ({
          market: market.name,
          ...row,
          cheapestCloud: aboveMedian(clouds.get(row.gpuName), row.median),
          sparkline: sparkline.map(({ t, median }) => ({ t: t.toISOString(), median })),
        })),
      };
    }
    throw new ApiProblem(503, 'book-changed', 'Books arrive faster than they can be read: try again.');
  }

  app.openapi(route, async (c) => {
    const { market: names, type } = c.req.valid('query');
    const markets = await chooseMarkets(deps, names);
    const found = await Promise.all(markets.map((market) => readRows(market, type)));
    const read = found.filter((each) => each !== null);
    return c.json(
      {
        ...bookHead(read.map(({ book }) => book)),
        type,
        unit: 'USD/GPU/hour' as const,
        items: read.flatMap(({ rows }) => rows),
      },
      200,
    );
  });
}
