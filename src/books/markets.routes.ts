import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../core/http/api-app.ts';
import { problemResponses } from '../core/http/problem.ts';
import { jsonAnswer, moment, noQuery, wholeList } from '../core/http/route-parts.ts';
import { pricingTypes } from '../core/offer.ts';
import type { BooksDeps } from './books-deps.ts';
import { listMarkets } from './markets.sql.ts';
import { findScope, listedKinds, newestBooks } from './newest-books.sql.ts';
import { statedTrust, TrustSchema } from './stated-trust.sql.ts';

const type = z.enum(pricingTypes);

const MarketSchema = z
  .object({
    name: z.string(),
    kind: z.enum(['live', 'simulated', 'recorded']),
    isDefault: z.boolean().openapi({ description: 'Whether it is used if a request names no market' }),
    gpuNames: z.array(z.string()).openapi({ description: 'Models that the market ever listed' }),
    types: z.array(type),
    trust: TrustSchema,
    rentingFeePercent: z.number().openapi({
      description:
        'What renting costs on top of its prices, which never include it; 0: nothing, as far as known',
    }),
    newestBooks: z.array(z.object({ type, observedAt: moment, verdict: z.enum(['complete', 'partial']) })),
  })
  .openapi('StoredMarket');

const MarketsSchema = wholeList(MarketSchema, 'StoredMarkets');

/** The answer of `GET /api/markets`. */
export type MarketsAnswer = z.infer<typeof MarketsSchema>;

const route = createRoute({
  operationId: 'listMarkets',
  method: 'get',
  path: '/api/markets',
  tags: ['crawls'],
  summary: 'The markets of the database with their newest books, the default one first',
  request: { query: noQuery },
  responses: {
    200: jsonAnswer('All of them', MarketsSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

/** `GET /api/markets`. */
export function mountMarkets(app: ApiApp, { sql, defaultMarket, rentingFees }: BooksDeps): void {
  app.openapi(route, async (c) => {
    // Asking for the default market may create it.
    const { id: defaultId } = await defaultMarket();
    const markets = (await listMarkets(sql)).toSorted(
      (a, b) => Number(b.id === defaultId) - Number(a.id === defaultId),
    );
    const items = markets.map(async ({ id, name, kind }) => {
      const scopeId = await findScope(sql, id);
      const books = scopeId === null ? [] : await newestBooks(sql, scopeId);
      return {
        name,
        kind,
        isDefault: id === defaultId,
        ...(await listedKinds(sql, id)),
        trust: await statedTrust(sql, books),
        rentingFeePercent: rentingFees?.get(name) ?? 0,
        newestBooks: books.map(({ type, observedAt, verdict }) => ({
          type,
          observedAt: observedAt.toISOString(),
          verdict,
        })),
      };
    });
    return c.json({ items: await Promise.all(items), nextCursor: null }, 200);
  });
}
