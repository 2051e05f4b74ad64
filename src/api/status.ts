import { createRoute, z } from '@hono/zod-openapi';
import { lastRuns } from '../db/crawl-history.ts';
import { findScope, listedKinds, newestBooks } from '../db/market-view.ts';
import type { MarketKind } from '../db/markets.ts';
import { pricingTypes } from '../domain/offer.ts';
import type { ApiApp, ApiDeps, Mode } from './deps.ts';
import { chooseMarket } from './market-choice.ts';
import { problemResponses } from './problem.ts';
import { marketParam } from './query.ts';

const type = z.enum(pricingTypes);
const moment = z.string().openapi({ format: 'date-time' });

const StatusSchema = z
  .object({
    version: z.string(),
    market: z.object({ name: z.string(), kind: z.enum(['live', 'simulated', 'recorded']) }),
    mode: z.enum(['live', 'simulated', 'replay']),
    gpuNames: z.array(z.string()).openapi({ description: 'Models that the market ever listed, sorted' }),
    types: z.array(type),
    newestBooks: z.array(
      z.object({
        type,
        observedAt: moment,
        verdict: z.enum(['complete', 'partial']),
        offers: z.int(),
      }),
    ),
    dataAgeMinutes: z
      .int()
      .nullable()
      .openapi({ description: 'Since the newest complete book; null: none, or a recorded market' }),
    lastCrawls: z.array(
      z.object({
        id: z.string(),
        type: type.nullable(),
        startedAt: moment,
        endedAt: moment.nullable(),
        outcome: z.enum(['complete', 'partial', 'failed', 'unchanged']).nullable(),
        reason: z.string().nullable(),
      }),
    ),
    seeding: z.object({ done: z.int(), total: z.int() }).nullable(),
    deadLetters: z.int().openapi({ description: 'Jobs given up' }),
    actions: z.object({ enabled: z.boolean() }),
  })
  .openapi('Status');

/** The answer of `GET /api/status`. */
export type StatusAnswer = z.infer<typeof StatusSchema>;

const route = createRoute({
  method: 'get',
  path: '/api/status',
  tags: ['health'],
  summary: 'Market, mode, newest books, last crawls and what is under way',
  request: { query: z.strictObject(marketParam) },
  responses: {
    200: { description: 'The state', content: { 'application/json': { schema: StatusSchema } } },
    ...problemResponses(400, 401, 403, 503),
  },
});

const modes: Record<MarketKind, Mode> = { live: 'live', simulated: 'simulated', recorded: 'replay' };

/** `GET /api/status`. */
export function mountStatus(app: ApiApp, deps: ApiDeps): void {
  app.openapi(route, async (c) => {
    const { market: name } = c.req.valid('query');
    const market = await chooseMarket(deps, name);
    const scopeId = await findScope(deps.sql, market.id);
    const [kinds, books, runs, mode] = await Promise.all([
      listedKinds(deps.sql, market.id),
      scopeId === null ? [] : newestBooks(deps.sql, scopeId),
      lastRuns(deps.sql, market.id),
      name === undefined ? deps.mode() : modes[market.kind],
    ]);
    const complete = books
      .filter((book) => book.verdict === 'complete')
      .map((book) => book.observedAt.getTime());
    const ageMs = deps.now().getTime() - Math.max(...complete);
    const hasAge = complete.length > 0 && market.kind !== 'recorded';
    return c.json(
      {
        version: deps.version,
        market: { name: market.name, kind: market.kind },
        mode,
        ...kinds,
        newestBooks: books.map(({ id: _, observedAt, ...book }) => ({
          ...book,
          observedAt: observedAt.toISOString(),
        })),
        dataAgeMinutes: hasAge ? Math.max(0, Math.floor(ageMs / 60_000)) : null,
        lastCrawls: runs.map((run) => ({
          id: run.id,
          type: run.type,
          startedAt: run.startedAt.toISOString(),
          endedAt: run.endedAt?.toISOString() ?? null,
          outcome: run.outcome,
          reason: run.reason,
        })),
        seeding: deps.seeding(),
        deadLetters: 0,
        actions: { enabled: deps.actionsEnabled },
      },
      200,
    );
  });
}
