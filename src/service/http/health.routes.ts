import { createRoute, z } from '@hono/zod-openapi';
import { maxAheadMs } from '../../books/landing/plausible-moment.sql.ts';
import { findScope, newestBooks, pingDatabase } from '../../books/newest-books.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { jsonAnswer, noQuery } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import { isDiskFullError } from '../../database/disk-full.ts';
import { isServerFull } from '../../database/server-full.ts';
import { isDatabaseUnreachable } from '../../database/unreachable.ts';
import { jobCounts } from '../../jobs/jobs.sql.ts';
import type { ApiDeps } from './api-deps.ts';
import { ReplicaSchema } from './replica-schema.ts';
import { createSharedProbe, databaseAway, serverFull } from './shared-probe.ts';

const health = createRoute({
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

const BookAgeSchema = z.object({ observedAt: z.string(), ageMinutes: z.int() });

const ReadinessSchema = z
  .object({
    status: z.literal('ready'),
    database: z.literal('reachable'),
    replica: ReplicaSchema.nullable().openapi({ description: 'null: DATABASE_REPLICA_URL is not set' }),
    market: z.string(),
    lastCompleteBook: BookAgeSchema.nullable().openapi({
      description: 'null: a recorded market without a complete book',
    }),
    books: z
      .array(BookAgeSchema.extend({ type: z.enum(pricingTypes) }))
      .openapi({ description: 'The newest complete book of each pricing type; empty for a recorded market' }),
    jobs: z.object({ queued: z.int(), active: z.int(), failedJobs: z.int() }).openapi({
      description: 'Queued, active, and failed in the last two weeks; look into failed ones',
    }),
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
  const { sql, now } = deps;
  // Checked first: a server with a full disk may not answer at all.
  if (await deps.isDiskFull?.()) throw diskFull();
  await pingDatabase(sql).catch((cause: unknown) => {
    if (isServerFull(cause)) throw serverFull();
    if (isDiskFullError(cause)) throw diskFull();
    throw isDatabaseUnreachable(cause) ? databaseAway('cannot be reached') : cause;
  });
  const market = await deps.defaultMarket();
  const scopeId = await findScope(sql, market.id);
  const newest = scopeId === null ? [] : await newestBooks(sql, scopeId);
  const books = newest
    .filter(({ verdict }) => verdict === 'complete')
    .map(({ type, observedAt }) => ({
      type,
      observedAt: observedAt.toISOString(),
      ageMinutes: Math.max(0, Math.floor((now().getTime() - observedAt.getTime()) / 60_000)),
    }));
  // A recorded market is never crawled, so its age has no meaning.
  const isCrawled = market.kind !== 'recorded';
  if (isCrawled) {
    requirePast(now(), market.name, books);
    requireFresh(deps, market.name, books);
  }
  const youngest = books.toSorted((a, b) => a.observedAt.localeCompare(b.observedAt)).at(-1);
  const { observedAt, ageMinutes } = youngest ?? {};
  return {
    status: 'ready',
    database: 'reachable',
    replica: deps.replica?.() ?? null,
    market: market.name,
    lastCompleteBook:
      observedAt === undefined || ageMinutes === undefined ? null : { observedAt, ageMinutes },
    books: isCrawled ? books : [],
    jobs: await jobCounts(sql),
  };
}

const diskFull = (): ApiProblem =>
  new ApiProblem(
    503,
    'disk-full',
    'The disk of the database is full: free some space there. Stored data is intact, and Offerbook resumes by itself within a minute.',
  );

/** Throws a 503 for a book ahead of the clock, as earlier versions accepted: newer crawls sort behind it. */
function requirePast(now: Date, market: string, books: ReadinessAnswer['books']): void {
  const ahead = books.find(({ observedAt }) => Date.parse(observedAt) > now.getTime() + maxAheadMs.live);
  if (ahead === undefined) return;
  const detail =
    `The market ${market} has a book of ${ahead.type} offers dated ${ahead.observedAt}, ahead of the clock, which says ` +
    `${now.toISOString()}: newer books do not show until then. If the clock is wrong, correct it.`;
  throw new ApiProblem(503, 'book-ahead', detail);
}

/** Throws a 503 unless every scheduled type that ever had a complete book has a fresh one. */
function requireFresh(deps: ApiDeps, market: string, books: ReadinessAnswer['books']): void {
  const seeding = deps.seeding();
  if (books.length === 0) {
    const detail =
      seeding === null
        ? `The market ${market} has no complete book yet: wait for the first crawl. If that fails, GET /api/crawls says why and \`offerbook doctor\` checks the market.`
        : firstHistory(market, seeding);
    throw new ApiProblem(503, 'no-complete-book', detail);
  }
  // `reserved` has no schedule, so its age is a person's choice.
  const old = books.filter(
    ({ type, ageMinutes }) => type !== 'reserved' && ageMinutes > deps.maxDataAgeMinutes,
  );
  if (old.length === 0) return;
  const ages = old.map(({ type, ageMinutes }) => `of ${type} offers is ${ageMinutes} minutes old`);
  const detail =
    seeding === null
      ? `The market ${market}: the last complete book ${ages.join(', ')}; MAX_DATA_AGE_MINUTES allows ${deps.maxDataAgeMinutes}. GET /api/crawls says why later crawls gave none.`
      : firstHistory(market, seeding);
  throw new ApiProblem(503, 'data-too-old', detail);
}

const firstHistory = (market: string, { done, total }: { done: number; total: number }): string =>
  `The market ${market} is getting its first history, book ${done} of ${total}: wait, the first crawl follows.`;
