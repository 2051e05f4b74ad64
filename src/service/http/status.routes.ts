import { createRoute, z } from '@hono/zod-openapi';
import { chooseMarket } from '../../books/choose-market.ts';
import { lastCrawls } from '../../books/crawl-history.sql.ts';
import { newestCrawls } from '../../books/crawl-metrics.sql.ts';
import type { Market, MarketKind } from '../../books/markets.sql.ts';
import { findScope, listedKinds, newestBooks } from '../../books/newest-books.sql.ts';
import { statedTrust, TrustSchema } from '../../books/stated-trust.sql.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { roles } from '../../core/http/credential.ts';
import { problemResponses } from '../../core/http/problem.ts';
import { marketParam } from '../../core/http/query.ts';
import { jsonAnswer, moment } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import { jobCounts } from '../../jobs/jobs.sql.ts';
import type { MarketKind as MarketplaceKind } from '../../market/marketplace.ts';
import { defaultKind } from '../../market/registry.ts';
import { lacksIndex } from '../../prices/index/index-days.sql.ts';
import { polledInstances } from '../../rentals/instances/account-metrics.sql.ts';
import { readBackupState } from '../backups/backup-state.ts';
import { viewOf } from '../backups/backup-words.ts';
import type { ApiDeps, Mode } from './api-deps.ts';
import { BackupsSchema } from './backups-schema.ts';
import { MarketHealthSchema, readMarketHealth } from './market-health.ts';
import { ReplicaSchema } from './replica-schema.ts';

const type = z.enum(pricingTypes);

const EndedCrawlSchema = z.object({
  type,
  endedAt: moment,
  outcome: z.enum(['complete', 'partial', 'failed', 'unchanged']),
  reason: z.string().nullable(),
});

const StatusSchema = z
  .object({
    version: z.string(),
    role: z.enum(roles).openapi({ description: 'Of the token or session that asks: what it may do' }),
    market: z.object({ name: z.string(), kind: z.enum(['live', 'simulated', 'recorded']) }),
    mode: z.enum(['live', 'simulated', 'replay']),
    replica: ReplicaSchema.nullable().openapi({ description: 'null: DATABASE_REPLICA_URL is not set' }),
    gpuNames: z.array(z.string()).openapi({ description: 'Models that the market ever listed, sorted' }),
    types: z.array(type),
    trust: TrustSchema,
    newestBooks: z.array(
      z.object({
        type,
        observedAt: moment,
        verdict: z.enum(['complete', 'partial']).openapi({ description: 'Coverage of the book' }),
        offers: z.int(),
      }),
    ),
    typesWithoutIndex: z.array(type).openapi({
      description: 'Types whose books were stored before there was an index: `offerbook rebuild` makes it',
    }),
    dataAgeMinutes: z
      .int()
      .nullable()
      .openapi({ description: 'Since the newest complete book; null: none, or a recorded market' }),
    maxDataAgeMinutes: z
      .number()
      .openapi({ description: 'From this age on the newest complete book is too old' }),
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
    lastEnded: z
      .array(EndedCrawlSchema)
      .openapi({ description: 'The newest ended crawl of each pricing type in the default scope' }),
    markets: z
      .array(MarketHealthSchema.extend({ lastEnded: z.array(EndedCrawlSchema) }).openapi('CrawledMarket'))
      .openapi({ description: 'Every crawled market, the default one first' }),
    instances: z
      .object({
        polledAt: moment,
        statuses: z.array(
          z.object({
            status: z
              .string()
              .nullable()
              .openapi({ description: 'As the market names it; null: being provisioned' }),
            instances: z.int(),
          }),
        ),
      })
      .nullable()
      .openapi({ description: "The account's instances at the last poll; null: never polled" }),
    seeding: z.object({ done: z.int(), total: z.int() }).nullable(),
    schedule: z
      .array(
        z.object({
          kind: z.enum(['offers', 'invoices', 'charges', 'instances']),
          scope: z.string().nullable().openapi({ description: 'Of offers; null for the others' }),
          type: type.nullable(),
          cron: z.string(),
          timeZone: z.string(),
          everyMinutes: z.int().nullable().openapi({
            description: "The interval that the request budget allows; null: the cron's own",
          }),
          reason: z.string().nullable().openapi({ description: 'Why it is stretched; null: it is not' }),
          nextAt: moment.nullable(),
        }),
      )
      .openapi({
        description: 'Scheduled crawls of the market; empty for one that the settings do not name',
      }),
    backups: BackupsSchema,
    failedJobs: z.int().openapi({ description: 'Jobs whose last attempt failed, in the last two weeks' }),
    jobs: z
      .object({ queued: z.int(), active: z.int() })
      .openapi({ description: 'Of all markets: queued and active' }),
    actions: z.object({ enabled: z.boolean() }),
    capabilities: z
      .object({
        label: z.string(),
        types: z.array(type),
        currencies: z.array(z.string()),
        account: z.boolean().openapi({ description: 'Instances can be rented and managed' }),
        bills: z.boolean().openapi({ description: 'Invoices and charges are read' }),
      })
      .openapi({ description: 'What the default market can do through Offerbook' }),
  })
  .openapi('Status');

/** The answer of `GET /api/status`. */
export type StatusAnswer = z.infer<typeof StatusSchema>;

const route = createRoute({
  operationId: 'getStatus',
  method: 'get',
  path: '/api/status',
  tags: ['health'],
  summary: 'Market, mode, newest books, last crawls and running work',
  request: { query: z.strictObject(marketParam) },
  responses: {
    200: jsonAnswer('The state', StatusSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});

const capabilitiesOf = ({ label, types, currencies, parts }: MarketplaceKind) => ({
  label,
  types: [...types],
  currencies: [...currencies],
  account: parts.includes('account'),
  bills: parts.includes('bills'),
});

const modes: Record<MarketKind, Mode> = { live: 'live', simulated: 'simulated', recorded: 'replay' };

/** Returns the newest ended crawl of each pricing type of a market. */
async function lastEnded({ sql, now }: ApiDeps, { id }: Market): Promise<z.infer<typeof EndedCrawlSchema>[]> {
  const crawls = await newestCrawls(sql, id, { now: now(), scope: 'default' });
  return crawls.map(({ type, endedAt, outcome, reason }) => ({
    type,
    endedAt: endedAt.toISOString(),
    outcome,
    reason,
  }));
}

/** `GET /api/status`. */
export function mountStatus(app: ApiApp, deps: ApiDeps): void {
  app.openapi(route, async (c) => {
    const { market: name } = c.req.valid('query');
    const market = await chooseMarket(deps, name);
    const scopeId = await findScope(deps.sql, market.id);
    const { cron = null, to = null } = deps.backups ?? {};
    const backupTimes = { cron, timeZone: deps.timeZone ?? 'UTC' };
    const [kinds, books, crawls, ended, mode, polled, { failedJobs, ...jobs }, schedule, backups] =
      await Promise.all([
        listedKinds(deps.sql, market.id),
        scopeId === null ? [] : newestBooks(deps.sql, scopeId),
        lastCrawls(deps.sql, market.id, deps.now()),
        lastEnded(deps, market),
        name === undefined ? deps.mode() : modes[market.kind],
        polledInstances(deps.sql, market.id),
        jobCounts(deps.sql),
        deps.schedule?.(market.id) ?? [],
        readBackupState(deps.sql, backupTimes, deps.now()),
      ]);
    const lacking = await Promise.all(
      books.map(async ({ type }) => scopeId !== null && (await lacksIndex(deps.sql, { scopeId, type }))),
    );
    const crawled = [await deps.defaultMarket(), ...((await deps.otherMarkets?.()) ?? [])];
    const complete = books
      .filter((book) => book.verdict === 'complete')
      .map((book) => book.observedAt.getTime());
    const ageMs = deps.now().getTime() - Math.max(...complete);
    const hasAge = complete.length > 0 && market.kind !== 'recorded';
    return c.json(
      {
        version: deps.version,
        role: c.get('credential').role,
        market: { name: market.name, kind: market.kind },
        mode,
        replica: deps.replica?.() ?? null,
        ...kinds,
        trust: await statedTrust(deps.sql, books),
        newestBooks: books.map(({ id: _, observedAt, ...book }) => ({
          ...book,
          observedAt: observedAt.toISOString(),
        })),
        typesWithoutIndex: books.filter((_, place) => lacking[place]).map(({ type }) => type),
        dataAgeMinutes: hasAge ? Math.max(0, Math.floor(ageMs / 60_000)) : null,
        maxDataAgeMinutes: deps.maxDataAgeMinutes,
        lastCrawls: crawls.map((crawl) => ({
          id: crawl.id,
          type: crawl.type,
          startedAt: crawl.startedAt.toISOString(),
          endedAt: crawl.endedAt?.toISOString() ?? null,
          outcome: crawl.outcome,
          reason: crawl.reason,
        })),
        lastEnded: ended,
        markets: await Promise.all(
          crawled.map(async (each) => ({
            ...(await readMarketHealth(deps, each)),
            lastEnded: await lastEnded(deps, each),
          })),
        ),
        instances:
          polled === null ? null : { polledAt: polled.polledAt.toISOString(), statuses: polled.statuses },
        seeding: deps.seeding(),
        schedule: schedule.map((one) => ({ ...one, nextAt: one.nextAt?.toISOString() ?? null })),
        backups: {
          cron,
          place: to,
          nextAt: backups.nextAt?.toISOString() ?? null,
          ...viewOf(backups),
        },
        failedJobs,
        jobs,
        actions: { enabled: deps.actionsEnabled },
        capabilities: capabilitiesOf(deps.marketKind ?? defaultKind),
      },
      200,
    );
  });
}
