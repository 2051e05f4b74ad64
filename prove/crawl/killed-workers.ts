import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { seriesKey } from '../../src/books/crawl/crawl-alone.ts';
import { crawlOffers } from '../../src/books/crawl/crawl-offers.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { type CrawlScope, defaultScope, rentedScope } from '../../src/core/crawl-scope.ts';
import type { Log } from '../../src/core/log.ts';
import type { PricingType } from '../../src/core/offer.ts';
import type { Sql } from '../../src/database/connection.ts';
import { type JobQueue, openJobQueue } from '../../src/jobs/job-queue.ts';
import { offersQueue } from '../../src/jobs/queues.ts';
import { createMarketClient } from '../../src/market/vast/client.ts';
import { createCrawlBook } from '../../src/market/vast/crawl/crawl-book.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import type { OffersJob } from '../../src/service/job-data.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { addKills, type Kills, noKills, totalOf } from '../import-rounds.ts';
import { type ImportPhase, importPhases } from '../import-task.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases, type ProofDatabase } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';
import { findHalfBooks } from '../whole-books.ts';
import { addressOf, waitUntil } from './service-process.ts';

export interface KilledWorkersOptions extends Omit<ProofOptions, 'bookFiles'> {
  /** Minimum number of kills in each phase. @default 20 */
  killsPerPhase?: number | undefined;
  /** Crawls of each series for each state of the market. @default 10 */
  crawlsPerState?: number | undefined;
  /** Number of states of the market. @default 5 */
  states?: number | undefined;
  /** @default 3 */
  workers?: number | undefined;
}

interface Series {
  scope: CrawlScope;
  type: PricingType;
}

const allSeries: readonly Series[] = [defaultScope, rentedScope].flatMap((scope) =>
  (['on-demand', 'bid'] as const).map((type) => ({ scope, type })),
);
const offersPerType = 1_500;
const marketName = 'killed';
/** A job fails after its fifth attempt, which kills must not cause. */
const maxRetries = 3;
/** Latest kill after a phase has begun, ms: some phases are short. */
const maxDelayMs: Readonly<Record<ImportPhase, number>> = {
  paging: 250,
  copy: 30,
  merge: 120,
  commit: 3,
};
const child = fileURLToPath(new URL('./worker-child.ts', import.meta.url));

/**
 * Worker processes run crawl jobs and are killed with SIGKILL in every phase of a crawl. Afterwards every job has one
 * complete book, and its figures equal those of an undisturbed crawl of the same market.
 */
export async function proveKilledWorkers(options: KilledWorkersOptions): Promise<Proof> {
  const { seed, log, states = 5, crawlsPerState = 10 } = options;
  const databases = await openProofDatabases(options.server, log);
  let nowMs = Date.parse('2026-11-21T12:00:00Z');
  const simulator = createSimulator({ seed, offersPerType, now: () => new Date(nowMs), cap: 400 });
  try {
    const { url } = await simulator.listen();
    const [disturbed, calm] = [await databases.create(), await databases.create()];
    const { id: marketId } = await ensureMarket(disturbed.sql, marketName, 'live');
    const queue = await openJobQueue({ target: disturbed.target, log, supervise: false });
    const workers = startWorkers(disturbed, { url, key: simulator.apiKey }, options);
    const expected = new Map<string, string>();
    const jobs: { id: string; figures: string }[] = [];
    const failures: string[] = [];
    try {
      for (let state = 0; state < states; state += 1) {
        for (const series of allSeries) {
          const name = `${state} ${series.scope.name} ${series.type}`;
          expected.set(name, await crawlCalmly(calm.sql, simulator, url, series, log));
          const ids = Array.from({ length: crawlsPerState }, () => randomUUID());
          await addJobs(queue, marketId, series, ids);
          jobs.push(...ids.map((id) => ({ id, figures: name })));
        }
        await waitUntil('all jobs are done', 1_800, async () => await areDone(disturbed.sql)).catch(
          (error: Error) => failures.push(error.message),
        );
        log.info({ state, kills: workers.kills() }, 'the market goes on by an hour');
        nowMs += 3_600_000;
      }
    } finally {
      await workers.stop();
      await queue.stop();
    }
    const kills = workers.kills();
    const least = options.killsPerPhase ?? 20;
    for (const phase of importPhases) {
      if (kills[phase] < least) failures.push(`only ${kills[phase]} kills in ${phase}, ${least} are stated`);
    }
    const judged = await judge(disturbed.sql, jobs, expected);
    failures.push(...judged.failures, ...(await findHalfBooks(disturbed.sql)));
    await disturbed.drop();
    await calm.drop();
    const counts: Record<string, number> = { 'killed: worker processes': options.workers ?? 3 };
    for (const phase of importPhases) counts[`killed: kills in ${phase}`] = kills[phase];
    return { ok: failures.length === 0, failures, counts: { ...counts, ...judged.counts } };
  } finally {
    await simulator.close();
    await databases.close();
  }
}

/** Kills workers in the phases that still lack kills, and restarts them. */
function startWorkers(
  { target, sql }: ProofDatabase,
  market: { url: string; key: string },
  options: KilledWorkersOptions,
) {
  const { killsPerPhase = 20, workers = 3 } = options;
  const random = createRandom(options.seed);
  const kills = noKills();
  const alive = new Set<ChildProcess>();
  let stopped = false;
  let retries = 0;
  const { PATH = '', HOME = '/', NODE_COMPILE_CACHE = '' } = process.env;
  const env = {
    ...{
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      DATABASE_URL: addressOf(target),
      ROLE: 'worker',
      SEARCHES_PER_MINUTE: '1000000',
    },
    ...{ MARKET_URL: market.url, MARKET_API_KEY: market.key, MARKET_NAME: marketName },
    ...{ CRAWL_OFFERS: 'off', CRAWL_INVOICES: 'off', CRAWL_INSTANCES: 'off' },
  };
  const start = (): void => {
    const worker = spawn(process.execPath, [child], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let phase: ImportPhase = 'paging';
    alive.add(worker);
    void once(worker, 'close').then(() => {
      alive.delete(worker);
      if (!stopped) start();
    });
    createInterface({ input: worker.stdout }).on('line', (line) => {
      const told = importPhases.find((each) => each === line);
      if (told === undefined) return;
      phase = told;
      if (kills[told] >= killsPerPhase || retries >= maxRetries || random() > 0.4) return;
      void sleep(random() * maxDelayMs[told]).then(() => {
        // It may have continued meanwhile: its last phase counts.
        if (stopped || worker.killed || !worker.kill('SIGKILL')) return;
        addKills(kills, { ...noKills(), [phase]: 1 });
      });
    });
  };
  const watch = async (): Promise<void> => {
    const [row] = await sql<{ retries: number }[]>`
      select coalesce(max(retry_count), 0)::int as retries from offerbook_jobs.job where state = 'active'`;
    retries = row?.retries ?? 0;
  };
  const watching = setInterval(() => void watch().catch(() => {}), 200);
  for (let number = 0; number < workers; number += 1) start();
  return {
    kills: (): Kills => ({ ...kills }),
    stop: async (): Promise<number> => {
      stopped = true;
      clearInterval(watching);
      const ends = [...alive].map(async (worker) => {
        const gone = once(worker, 'close');
        worker.kill('SIGKILL');
        await gone;
      });
      await Promise.all(ends);
      return totalOf(kills);
    },
  };
}

async function addJobs(
  queue: JobQueue,
  marketId: number,
  { scope, type }: Series,
  ids: readonly string[],
): Promise<void> {
  const key = seriesKey(marketId, scope.name, type);
  const jobs = ids.map((id) => {
    const data: OffersJob = { marketId, cause: 'cron', tickAt: null, crawlId: uuidv7(), scope, type };
    return { id, key, data, priority: 0 };
  });
  await queue.add(offersQueue(type), jobs);
}

async function areDone(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ open: number }[]>`
    select count(*) as open from offerbook_jobs.job where state <= 'active' and name like 'crawl-%'`;
  return row?.open === 0;
}

/** An undisturbed crawl; returns the figures of its book. */
async function crawlCalmly(
  sql: Sql,
  simulator: Simulator,
  url: string,
  { scope, type }: Series,
  log: Log,
): Promise<string> {
  const { id: marketId } = await ensureMarket(sql, marketName, 'live');
  const client = createMarketClient({
    ...{ baseUrl: url, apiKey: simulator.apiKey, maxBodyBytes: 2 ** 28, log },
    dialect: withoutIntervals(defaultDialect),
  });
  try {
    const crawler = {
      ...{ sql, marketId, log, now: () => new Date() },
      crawlBook: createCrawlBook(client, { ...defaultDialect.search, pageLimit: 5_000 }),
      ...{ allocatedStorageGb: 8, statistics: pointStatistics, maxBookMinutes: 120 },
    };
    const run = { crawlId: uuidv7(), scope, cause: 'command', tickAt: null, jobId: null } as const;
    await crawlOffers(crawler, { type, crawls: [run] });
    const [figures] = (await figuresOfRuns(sql, [run.crawlId])).values();
    return figures ?? 'no complete book';
  } finally {
    await client.close();
  }
}

/**
 * Returns the statistics of the complete books of crawls as text, by the crawl's id. Physical GPUs are left out: they
 * depend on the GPU ids in the first book of the day, from whichever scope it came.
 */
async function figuresOfRuns(sql: Sql, crawlIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; figures: string }[]>`
    select r.id, string_agg(concat_ws(' ', coalesce(m.name, '*'), p.offers, p.gpus, p.machines,
      p.min, p.p10, p.p25, p.median, p.p75, p.p90, p.max), E'\n' order by m.name nulls first) as figures
    from crawl r join book b on b.id = r.book_id
    join point_cell c on c.scope_id = b.scope_id and c.type = b.type and c.num_gpus = 0
    join book_point p on p.cell_id = c.id and p.t = b.observed_at
    left join gpu_model m on m.id = c.gpu_model_id
    where r.id = any(${[...crawlIds]}::uuid[]) and r.outcome = 'complete' and b.verdict = 'complete'
    group by r.id`;
  return new Map(rows.map(({ id, figures }) => [id, figures]));
}

async function judge(
  sql: Sql,
  jobs: readonly { id: string; figures: string }[],
  expected: ReadonlyMap<string, string>,
) {
  const failures: string[] = [];
  const runs = await sql<{ id: string; jobId: string }[]>`
    select id, job_id as "jobId" from crawl where outcome = 'complete'`;
  const figures = await figuresOfRuns(
    sql,
    runs.map(({ id }) => id),
  );
  const byJob = Map.groupBy(runs, ({ jobId }) => jobId);
  let [lost, twice, other] = [0, 0, 0];
  for (const { id, figures: name } of jobs) {
    const [run, second] = byJob.get(id) ?? [];
    if (run === undefined) lost += 1;
    if (second !== undefined) twice += 1;
    if (run !== undefined && figures.get(run.id) !== expected.get(name)) other += 1;
  }
  const [row] = await sql<{ books: number; interrupted: number; open: number; failed: number }[]>`
    select (select count(*) from book) as books,
      (select count(*) from crawl where outcome = 'failed') as interrupted,
      (select count(*) from crawl where outcome is null) as open,
      (select count(*) from offerbook_jobs.job where name = 'dead-letters') as failed`;
  const { books = 0, interrupted = 0, open = 0, failed = 0 } = row ?? {};
  if (lost > 0) failures.push(`${lost} jobs have no book`);
  if (twice > 0) failures.push(`${twice} jobs have two`);
  if (other > 0) failures.push(`${other} books have other figures than an undisturbed crawl`);
  if (books !== jobs.length) failures.push(`${books} books of ${jobs.length} jobs`);
  if (open > 0) failures.push(`${open} runs never ended`);
  if (failed > 0) failures.push(`${failed} jobs failed`);
  return {
    failures,
    counts: {
      'killed: crawls': jobs.length,
      'killed: books': books,
      'killed: attempts that were interrupted': interrupted,
      'killed: books with other figures than undisturbed': other,
      'killed: books lost or stored twice': lost + twice,
    },
  };
}
