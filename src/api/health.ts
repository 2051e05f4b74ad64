import { createRoute, z } from '@hono/zod-openapi';
import { findScope, newestBooks, pingDatabase } from '../db/market-view.ts';
import type { ApiApp, ApiDeps } from './deps.ts';
import { ApiProblem, problemResponses } from './problem.ts';

const probeMs = 1_500;

const health = createRoute({
  method: 'get',
  path: '/healthz',
  tags: ['health'],
  summary: 'Whether the process answers; no token needed',
  security: [],
  request: { query: z.strictObject({}) },
  responses: {
    200: {
      description: 'It does',
      content: { 'application/json': { schema: z.object({ status: z.literal('ok') }).openapi('Health') } },
    },
  },
});

const ReadinessSchema = z
  .object({
    status: z.literal('ready'),
    database: z.literal('reachable'),
    market: z.string(),
    lastCompleteBook: z
      .object({ observedAt: z.string(), ageMinutes: z.number() })
      .nullable()
      .openapi({ description: 'null: a recorded market without one' }),
  })
  .openapi('Readiness');

/** The answer of `GET /readyz`. */
export type ReadinessAnswer = z.infer<typeof ReadinessSchema>;

const readiness = createRoute({
  method: 'get',
  path: '/readyz',
  tags: ['health'],
  summary: 'Whether the database answers and the data is fresh; no token needed',
  security: [],
  request: { query: z.strictObject({}) },
  responses: {
    200: { description: 'Ready', content: { 'application/json': { schema: ReadinessSchema } } },
    ...problemResponses(503),
  },
});

/** `/healthz` and `/readyz`. */
export function mountHealth(app: ApiApp, deps: ApiDeps): void {
  const probe = createProbe(deps);
  app.openapi(health, (c) => c.json({ status: 'ok' } as const, 200));
  app.openapi(readiness, async (c) => c.json(await probe(), 200));
}

/** One probe at a time, shared by all who ask meanwhile: a database that hangs is not asked more and more. */
function createProbe(deps: ApiDeps): () => Promise<ReadinessAnswer> {
  let current: Promise<ReadinessAnswer> | null = null;
  return async () => {
    current ??= readReadiness(deps).finally(() => {
      current = null;
    });
    return await within(probeMs, current);
  };
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const late = new ApiProblem(
      503,
      'database-unreachable',
      `The database did not answer within ${limitMs} ms.`,
    );
    timer = setTimeout(() => reject(late), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

async function readReadiness(deps: ApiDeps): Promise<ReadinessAnswer> {
  const { sql, now, maxDataAgeMinutes } = deps;
  await pingDatabase(sql);
  const market = await deps.defaultMarket();
  const scopeId = await findScope(sql, market.id);
  const books = scopeId === null ? [] : await newestBooks(sql, scopeId);
  const moments = books
    .filter((book) => book.verdict === 'complete')
    .map((book) => book.observedAt.getTime());
  const newest = moments.length === 0 ? null : Math.max(...moments);
  const ageMinutes = newest === null ? null : Math.max(0, Math.floor((now().getTime() - newest) / 60_000));
  // A recorded market is never crawled: its age says nothing.
  if (market.kind !== 'recorded') {
    if (ageMinutes === null) throw new ApiProblem(503, 'no-complete-book', 'There is no complete book yet.');
    if (ageMinutes > maxDataAgeMinutes) {
      const detail = `The last complete book is ${ageMinutes} minutes old; ${maxDataAgeMinutes} are allowed.`;
      throw new ApiProblem(503, 'data-too-old', detail);
    }
  }
  const lastCompleteBook =
    newest === null || ageMinutes === null
      ? null
      : { observedAt: new Date(newest).toISOString(), ageMinutes };
  return { status: 'ready', database: 'reachable', market: market.name, lastCompleteBook };
}
