import { createRoute, z } from '@hono/zod-openapi';
import { pingDatabase } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { jsonAnswer, noQuery } from '../../core/http/route-parts.ts';
import { isDiskFullError } from '../../database/disk-full.ts';
import { isServerFull } from '../../database/server-full.ts';
import { isDatabaseUnreachable } from '../../database/unreachable.ts';
import { jobCounts } from '../../jobs/jobs.sql.ts';
import type { ApiDeps } from './api-deps.ts';
import { MarketHealthSchema, readMarketHealth } from './market-health.ts';
import { ReplicaSchema } from './replica-schema.ts';
import { createSharedProbe, databaseAway, serverFull } from './shared-probe.ts';

const health = createRoute({
  operationId: 'getHealth',
  method: 'get',
  path: '/healthz',
  tags: ['health'],
  summary: 'Whether the process answers; no token needed',
  security: [],
  request: { query: noQuery },
  responses: {
    200: jsonAnswer('It answers', z.object({ status: z.literal('ok') }).openapi('Health')),
  },
});

const ReadinessSchema = z
  .object({
    status: z.literal('ready'),
    database: z.literal('reachable'),
    replica: ReplicaSchema.nullable().openapi({ description: 'null: DATABASE_REPLICA_URL is not set' }),
    market: z.string(),
    lastCompleteBook: MarketHealthSchema.shape.lastCompleteBook,
    books: MarketHealthSchema.shape.books,
    markets: z.array(MarketHealthSchema).openapi({
      description: 'Every crawled market, the default one first; the others do not affect readiness',
    }),
    jobs: z.object({ queued: z.int(), active: z.int(), failedJobs: z.int() }).openapi({
      description: 'Queued, active, and failed in the last two weeks; look into failed ones',
    }),
  })
  .openapi('Readiness');

/** The answer of `GET /readyz`. */
export type ReadinessAnswer = z.infer<typeof ReadinessSchema>;

const readiness = createRoute({
  operationId: 'getReadiness',
  method: 'get',
  path: '/readyz',
  tags: ['health'],
  summary: 'Whether the database answers and the data is fresh; no token needed',
  security: [],
  request: { query: noQuery },
  responses: {
    200: jsonAnswer('Ready', ReadinessSchema),
    ...problemResponses(503),
  },
});

/** `/healthz` and `/readyz`. */
export function mountHealth(app: ApiApp, deps: ApiDeps): void {
  const probe = createSharedProbe(() => readReadiness(deps));
  app.openapi(health, (c) => c.json({ status: 'ok' } as const, 200));
  app.openapi(readiness, async (c) => c.json(await probe(), 200));
}

async function readReadiness(deps: ApiDeps): Promise<ReadinessAnswer> {
  const { sql } = deps;
  // Checked first: a server with a full disk may not answer at all.
  if (await deps.isDiskFull?.()) throw diskFull();
  await pingDatabase(sql).catch((cause: unknown) => {
    if (isServerFull(cause)) throw serverFull();
    if (isDiskFullError(cause)) throw diskFull();
    throw isDatabaseUnreachable(cause) ? databaseAway('cannot be reached') : cause;
  });
  const market = await deps.defaultMarket();
  const health = await readMarketHealth(deps, market);
  const { state, detail, lastCompleteBook, books } = health;
  if (state !== 'ready') throw new ApiProblem(503, state, detail ?? '');
  const others = ((await deps.otherMarkets?.()) ?? []).map((other) => readMarketHealth(deps, other));
  return {
    status: 'ready',
    database: 'reachable',
    replica: deps.replica?.() ?? null,
    market: market.name,
    lastCompleteBook,
    books,
    markets: [health, ...(await Promise.all(others))],
    jobs: await jobCounts(sql),
  };
}

const diskFull = (): ApiProblem =>
  new ApiProblem(
    503,
    'disk-full',
    'The disk of the database is full: free some space there. Stored data is intact, and Offerbook resumes by itself within a minute.',
  );
