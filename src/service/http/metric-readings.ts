import { type RequestBudgetState, readRequestBudgets } from '../../books/budget/request-budget.sql.ts';
import {
  type BookSeries,
  countCrawls,
  newestCompleteBooks,
  newestCrawls,
  type SeriesBook,
  type SeriesCrawl,
} from '../../books/crawl-metrics.sql.ts';
import type { Market } from '../../books/markets.sql.ts';
import type { CoverageCertificate } from '../../core/coverage.ts';
import { type JobCounts, jobCounts, type QueueLoad, queueLoads } from '../../jobs/jobs.sql.ts';
import { newestSyncs, polledInstances } from '../../rentals/instances/account-metrics.sql.ts';
import { countDeliveries } from '../../watches/channels/deliveries.sql.ts';
import { readBackupFamilies } from '../backups/backup-families.ts';
import type { ApiDeps } from './api-deps.ts';
import { counter, gauge, type MetricFamily } from './metric-families.ts';
import { createSlowReading } from './slow-reading.ts';

/** Returns the seconds since a moment. */
type Age = (at: Date) => number;

export const ageAt =
  (now: Date): Age =>
  (at) =>
    Math.max(0, (now.getTime() - at.getTime()) / 1_000);

const listMarkets = async ({ defaultMarket, otherMarkets }: ApiDeps): Promise<Market[]> => [
  await defaultMarket(),
  ...((await otherMarkets?.()) ?? []),
];

/** Returns the markets that are crawled. A recorded one is never updated: its age would raise an alarm forever. */
export const listCrawledMarkets = async (deps: ApiDeps): Promise<Market[]> =>
  (await listMarkets(deps)).filter(({ kind }) => kind !== 'recorded');

/** Reads the metrics of every crawled market from the database; docs/metrics.md explains each. */
export function createMetricReader(deps: ApiDeps): () => Promise<MetricFamily[]> {
  const { sql } = deps;
  const readCrawlCounts = createSlowReading(async () => {
    const counts = (await listMarkets(deps)).map(async ({ id, name: market }) =>
      (await countCrawls(sql, id)).map((count) => ({ market, ...count })),
    );
    return (await Promise.all(counts)).flat();
  });
  return async () => {
    const crawledMarkets = await listCrawledMarkets(deps);
    const now = deps.now();
    const age = ageAt(now);
    const backupTimes = { cron: deps.backups?.cron ?? null, timeZone: deps.timeZone ?? 'UTC' };
    const [crawls, jobs, queues, deliveries, backups, crawled] = await Promise.all([
      readCrawlCounts(),
      jobCounts(sql),
      queueLoads(sql),
      countDeliveries(sql, now),
      readBackupFamilies(sql, backupTimes, now),
      Promise.all(crawledMarkets.map(async (market) => await readCrawled(deps, market, age))),
    ]);
    const counted = (crawls ?? []).map(({ crawls: count, ...labels }) => [labels, count] as const);
    return [
      ...joinFamilies(crawled.flat()),
      counter('offerbook_crawls_total', 'Crawls that have ended, by outcome', counted),
      ...jobFamilies(jobs),
      ...queueFamilies(queues),
      gauge('offerbook_deliveries', 'Notices that wait, are retried, or failed in the last day', [
        [{ state: 'queued' }, deliveries.queued],
        [{ state: 'retrying' }, deliveries.retrying],
        [{ state: 'failed' }, deliveries.failed],
      ]),
      ...backups,
    ];
  };
}

/** Returns one family of each name, with the samples of all of that name. */
function joinFamilies(families: readonly MetricFamily[]): MetricFamily[] {
  const byName = Map.groupBy(families, ({ name }) => name);
  return [...byName.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, samples: [...first.samples, ...others.flatMap(({ samples }) => samples)] }],
  );
}

async function readCrawled({ sql, now }: ApiDeps, { id, name }: Market, age: Age): Promise<MetricFamily[]> {
  const [books, crawls, budgets, readings, polled] = await Promise.all([
    newestCompleteBooks(sql, id),
    newestCrawls(sql, id, { now: now() }),
    readRequestBudgets(sql, id),
    newestSyncs(sql, id),
    polledInstances(sql, id),
  ]);
  return [
    ...bookFamilies(name, books, age),
    ...crawlFamilies(name, crawls),
    ...budgetFamilies(name, budgets),
    gauge(
      'offerbook_last_complete_reading_age_seconds',
      'Since the newest complete sync of invoices or charges began',
      readings.map(({ kind, startedAt }) => [{ market: name, kind }, age(startedAt)]),
    ),
    gauge(
      'offerbook_last_complete_reading_rows',
      'Rows that it read',
      readings.map(({ kind, rows }) => [{ market: name, kind }, rows]),
    ),
    gauge('offerbook_last_instance_poll_age_seconds', 'Since the instances were last listed', [
      [{ market: name }, polled === null ? null : age(polled.polledAt)],
    ]),
    gauge(
      'offerbook_instances',
      'Instances of the account by status; `provisioning` where the market has none yet',
      (polled?.statuses ?? []).map(({ status, instances }) => [
        { market: name, status: status ?? 'provisioning' },
        instances,
      ]),
    ),
  ];
}

const labelsOf = (market: string, { scope, type }: BookSeries) => ({ market, scope, type });

const bookFamilies = (market: string, books: readonly SeriesBook[], age: Age): MetricFamily[] => [
  gauge(
    'offerbook_last_complete_book_age_seconds',
    'Since the newest complete book was observed',
    books.map((book) => [labelsOf(market, book), age(book.observedAt)]),
  ),
  gauge(
    'offerbook_last_complete_book_offers',
    'Offers of the newest complete book',
    books.map((book) => [labelsOf(market, book), book.offers]),
  ),
];

type Figure = (certificate: Partial<CoverageCertificate>) => number | null | undefined;

/** Metrics from the certificate of a series' newest crawl. */
const crawlStatistics: [name: string, help: string, of: Figure][] = [
  ['duration_seconds', 'How long the newest crawl took', (c) => c.durationMs && c.durationMs / 1_000],
  ['pages', 'Pages that the newest crawl requested', (c) => c.pages],
  ['rows', 'Rows in its responses', (c) => c.rows],
  ['rejected_rows', 'Rows that could not be read', (c) => c.rejected && sum(Object.values(c.rejected))],
  ['retries', 'Retried requests', (c) => c.retries],
  ['throttles', 'Throttled responses', (c) => c.throttles],
  [
    'estimated_missing_ratio',
    'Estimated share of the offers that no pass saw',
    (c) => c.estimatedMissingShare,
  ],
];

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

function crawlFamilies(market: string, crawls: readonly SeriesCrawl[]): MetricFamily[] {
  const figures = crawlStatistics.map(([name, help, of]) =>
    gauge(
      `offerbook_last_crawl_${name}`,
      help,
      crawls.map((crawl) => [labelsOf(market, crawl), of(crawl.certificate ?? {}) ?? null]),
    ),
  );
  const isComplete = ({ outcome }: SeriesCrawl) => outcome === 'complete' || outcome === 'unchanged';
  const complete = gauge(
    'offerbook_last_crawl_complete',
    'Whether the newest crawl gave a complete book',
    crawls.map((crawl) => [labelsOf(market, crawl), Number(isComplete(crawl))]),
  );
  return [complete, ...figures];
}

function budgetFamilies(market: string, budgets: readonly RequestBudgetState[]): MetricFamily[] {
  const of = (value: (budget: RequestBudgetState) => number): MetricFamily['samples'] =>
    budgets.map((budget) => [{ market, endpoint: budget.endpoint }, value(budget)]);
  return [
    counter(
      'offerbook_requests_granted_total',
      'Requests that the shared budget allowed',
      of((budget) => budget.granted),
    ),
    gauge(
      'offerbook_requests_granted_last_minute',
      'Requests that the shared budget allowed in the last minute',
      of((budget) => budget.grantedLastMinute),
    ),
    counter(
      'offerbook_requests_throttled_total',
      'Throttled responses',
      of((budget) => budget.throttled),
    ),
    gauge(
      'offerbook_requests_yielding',
      'Whether crawls pause because the market throttled a request',
      of((budget) => Number(budget.yieldUntil !== null)),
    ),
    gauge(
      'offerbook_requests_person_waiting',
      'Whether crawls pause because a person is waiting',
      of((budget) => Number(budget.personWaiting)),
    ),
  ];
}

const jobFamilies = ({ queued, active, failedJobs }: JobCounts): MetricFamily[] => [
  gauge('offerbook_jobs', 'Queued and active jobs', [
    [{ state: 'queued' }, queued],
    [{ state: 'active' }, active],
  ]),
  gauge('offerbook_failed_jobs', 'Jobs whose last attempt failed, in the last two weeks', [[{}, failedJobs]]),
];

const queueFamilies = (queues: readonly QueueLoad[]): MetricFamily[] => [
  gauge(
    'offerbook_queue_jobs',
    'Jobs of each queue',
    queues.flatMap(({ queue, waiting, running }) => [
      [{ queue, state: 'waiting' }, waiting] as const,
      [{ queue, state: 'running' }, running] as const,
    ]),
  ),
  gauge(
    'offerbook_queue_oldest_seconds',
    'Since the oldest waiting job of a queue became due',
    queues.map(({ queue, oldestDueSeconds }) => [{ queue }, oldestDueSeconds ?? 0]),
  ),
];
