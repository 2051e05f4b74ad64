import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { seriesKey } from '../../src/books/crawl/crawl-alone.ts';
import { defaultScope } from '../../src/core/crawl-scope.ts';
import type { Log } from '../../src/core/log.ts';
import type { Sql } from '../../src/database/connection.ts';
import { openJobQueue } from '../../src/jobs/job-queue.ts';
import { jobPriority, offersQueue } from '../../src/jobs/queues.ts';
import type { OffersJob } from '../../src/service/job-data.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases, type ProofDatabase } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';
import { type ServiceProcess, startServiceProcess, waitUntil } from './service-process.ts';

export interface TicksProofOptions extends Omit<ProofOptions, 'bookFiles'> {
  /** Number of seconds of ticks. @default 600 */
  seconds?: number | undefined;
  /** Whether there is a third process that is suspended for a while. @default true */
  withStopped?: boolean | undefined;
  /** Searches per minute of all processes together. @default 560 */
  searchesPerMinute?: number | undefined;
  /** Unscheduled crawls of each type, queued early so that jobs wait for minutes. @default 120 */
  backlog?: number | undefined;
}

const types = ['on-demand', 'bid'] as const;
const minShare = 0.9;
/** Services report on their jobs every 3 seconds. */
const silentSeconds = 5;
const minuteMs = 60_000;
/** Time for the backlog on a busy machine: its length is counted, not judged. */
const patienceSeconds = 900;

/**
 * Services in separate processes share a database and a schedule with a tick every second. One is killed, one is suspended
 * and later resumed. Every tick must have exactly one successful crawl of each type with its book. According to the
 * simulator's list no minute has more searches than the budget, and while jobs are waiting at least 90% of it is used.
 * Extra crawls are queued so that jobs do wait: the proof fails if they never waited for a minute. Without such a backlog
 * the use is not judged.
 */
export async function proveTicks(options: TicksProofOptions): Promise<Proof> {
  const { seconds = 600, searchesPerMinute = 560, backlog = 120, log } = options;
  const databases = await openProofDatabases(options.server, log);
  const simulator = createSimulator({ seed: options.seed, offersPerType: 30 });
  try {
    const { url } = await simulator.listen();
    const database = await databases.create();
    const settings = {
      ...{ MARKET_URL: url, MARKET_API_KEY: simulator.apiKey, MARKET_NAME: 'ticking', ROLE: 'worker' },
      ...{ CRAWL_OFFERS: '* * * * * *', CRAWL_INVOICES: 'off', CRAWL_INSTANCES: 'off', LOG_LEVEL: 'info' },
      SEARCHES_PER_MINUTE: String(searchesPerMinute),
    };
    const start = () => startServiceProcess(database.target, settings);
    const random = createRandom(options.seed);
    const played = await play({ ...options, database, start, seconds, backlog, random });
    const judged = await judgeRuns(database.sql, played.from, seconds);
    // Without a backlog jobs wait for the machine, not for the budget.
    const searches = judgeSearches(simulator, searchesPerMinute, backlog > 0 ? played.waiting : []);
    if (backlog > 0 && searches.waitedMs < minuteMs) {
      searches.failures.push('jobs never waited for a whole minute: the use of the budget was not seen');
    }
    await database.drop();
    const failures = [...played.failures, ...judged.failures, ...searches.failures];
    return {
      ok: failures.length === 0,
      failures,
      counts: { ...played.counts, ...judged.counts, ...searches.counts },
    };
  } finally {
    await simulator.close();
    await databases.close();
  }
}

interface Play {
  database: ProofDatabase;
  start: () => Promise<ServiceProcess>;
  seconds: number;
  backlog: number;
  random: () => number;
  withStopped?: boolean | undefined;
  log: Log;
}

/** Lets the processes run for that time. */
async function play(options: Play) {
  const { start, withStopped = true } = options;
  const services = [await start(), ...(withStopped ? [await start()] : []), await start()];
  const watch = watchQueue(options.database.sql);
  try {
    return await disturb(services, watch, options);
  } finally {
    await watch.stop();
    for (const { child, gone } of services) {
      child.kill('SIGKILL');
      await gone;
    }
  }
}

/** Kills the first process, suspends the second for a while, and stops the others when the jobs are done. */
async function disturb(services: readonly ServiceProcess[], watch: QueueWatch, options: Play) {
  const {
    database: { sql },
    seconds,
    backlog,
    random,
    withStopped = true,
  } = options;
  const [killed, stopped] = services;
  if (killed === undefined || stopped === undefined) throw new Error('no processes');
  await waitUntil('every type has a run', 300, async () => {
    const rows =
      await sql`select distinct type from crawl where outcome = 'complete' and tick_at is not null`;
    return rows.length === types.length;
  });
  const from = Math.ceil(Date.now() / 1_000 + 1) * 1_000;
  const until = (share: number): Promise<void> =>
    sleep(Math.max(0, from + share * seconds * 1_000 - Date.now()));
  if (backlog > 0) await queueCrawls(options);
  const killShare = 0.15 + 0.2 * random();
  const stopShare = 0.4 + 0.1 * random();
  await until(killShare);
  let heldBack = false;
  killed.child.kill('SIGKILL');
  await killed.gone;
  if (withStopped) {
    await until(stopShare);
    heldBack = await stopInTheMiddle(sql, stopped);
    await until(0.75 + 0.1 * random());
    stopped.child.kill('SIGCONT');
  }
  await until(1);
  const failures: string[] = [];
  if (withStopped && !heldBack) failures.push('the stopped process was never in the middle of a crawl');
  const end = from + seconds * 1_000;
  await waitUntil('the jobs of the time are done', patienceSeconds, async () => {
    const [row] = await sql<{ open: number }[]>`
      select count(*) as open from offerbook_jobs.job where state <= 'active' and name like 'crawl-%'
        and (data ->> 'tickAt')::timestamptz < ${new Date(end)}`;
    return row?.open === 0;
  }).catch((error: Error) => failures.push(error.message));
  const backlogSeconds = Math.max(0, Math.ceil((Date.now() - end) / 1_000));
  const waiting = await watch.stop();
  const ends = await Promise.all(services.slice(1).map((service) => service.end()));
  const slowest = Math.max(...ends);
  if (slowest > 10) failures.push(`a process took ${slowest.toFixed(1)} s to end after SIGTERM`);
  const crashes = services.slice(1).filter(({ child }) => child.exitCode !== 0);
  failures.push(...crashes.map(({ log }) => `a process ended badly: ${log.at(-1) ?? 'without a word'}`));
  return {
    ...{ from: new Date(from), failures, waiting },
    counts: {
      processes: services.length,
      'of them killed': services.filter(({ child }) => child.signalCode === 'SIGKILL').length,
      'seconds until the last tick was run': backlogSeconds,
      'seconds to end after SIGTERM, at most': Math.ceil(slowest),
    },
  };
}

/** Queues unscheduled crawls of every type, alternating with those of the ticks. */
async function queueCrawls({ database: { sql, target }, backlog, log }: Play): Promise<void> {
  const [market] = await sql<{ id: number }[]>`select id from market`;
  if (market === undefined) throw new Error('no market');
  const queue = await openJobQueue({ target, log, supervise: false });
  try {
    for (const type of types) {
      const jobs = Array.from({ length: backlog }, () => {
        const data: OffersJob = {
          ...{ marketId: market.id, cause: 'api', tickAt: null, crawlId: uuidv7() },
          ...{ scope: defaultScope, type },
        };
        const key = seriesKey(market.id, defaultScope.name, type);
        return { id: randomUUID(), key, data, priority: jobPriority.scheduled };
      });
      await queue.add(offersQueue(type), jobs);
    }
  } finally {
    await queue.stop();
  }
}

/** Suspends the process repeatedly until one of its crawls stays open; returns whether one did. */
async function stopInTheMiddle(sql: Sql, { child }: ServiceProcess): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    child.kill('SIGSTOP');
    await sleep(5_000);
    // The others report on their jobs every 3 seconds.
    const silent = await sql`
      select from offerbook_jobs.job
      where state = 'active' and name like 'crawl-%' and heartbeat_on < now() - interval '4.5 seconds'`;
    if (silent.length > 0) return true;
    child.kill('SIGCONT');
    await sleep(100 + 37 * (tries % 10));
  }
  return false;
}

interface Stretch {
  from: number;
  to: number;
}

interface QueueWatch {
  stop: () => Promise<Stretch[]>;
}

/**
 * Records the periods in which jobs of each type were waiting at every check, except behind the job of a suspended or
 * killed process, which is waited for intentionally.
 */
function watchQueue(sql: Sql): QueueWatch {
  const stretches: Stretch[] = [];
  let open: Stretch | null = null;
  let stopped = false;
  const look = async (): Promise<void> => {
    while (!stopped) {
      const [row] = await sql<{ waiting: number }[]>`
        select count(distinct name) as waiting from offerbook_jobs.job
        where state < 'active' and start_after <= now() and name like 'crawl-%' and not exists (
          select from offerbook_jobs.job
          where state = 'active' and heartbeat_on < now() - make_interval(secs => ${silentSeconds}))`.catch(
        () => [],
      );
      const at = Date.now();
      if (row?.waiting !== types.length) open = null;
      else if (open === null) {
        open = { from: at, to: at };
        stretches.push(open);
      } else open.to = at;
      await sleep(250);
    }
  };
  const looking = look();
  return {
    stop: async () => {
      stopped = true;
      await looking;
      return stretches;
    },
  };
}

/** The database's contents for the ticks of that time. */
async function judgeRuns(sql: Sql, from: Date, seconds: number) {
  const to = new Date(from.getTime() + seconds * 1_000);
  const failures: string[] = [];
  const counts: Record<string, number> = { ticks: seconds };
  for (const type of types) {
    const [row] = await sql<{ runs: number; ticks: number; books: number; interrupted: number }[]>`
      select count(*) filter (where outcome = 'complete') as runs,
        count(distinct tick_at) filter (where outcome = 'complete') as ticks,
        count(distinct book_id) filter (where outcome = 'complete') as books,
        count(*) filter (where outcome = 'failed') as interrupted
      from crawl where type = ${type} and tick_at >= ${from} and tick_at < ${to}`;
    const { runs = 0, ticks = 0, books = 0, interrupted = 0 } = row ?? {};
    counts[`successful runs of ${type}`] = runs;
    counts[`ticks with a run of ${type}`] = ticks;
    counts[`books of ${type}`] = books;
    counts[`attempts at ${type} that were interrupted or failed`] = interrupted;
    if (runs !== seconds || ticks !== seconds || books !== seconds) {
      failures.push(`${type}: ${seconds} ticks, ${ticks} of them with a run, ${runs} runs, ${books} books`);
    }
  }
  const [row] = await sql<{ open: number; unowned: number; overlapping: number }[]>`
    select (select count(*) from crawl where outcome is null) as open,
      (select count(*) from book b where not exists (
        select from crawl r where r.book_id = b.id and r.outcome = b.verdict)) as unowned,
      (select count(*) from crawl a join crawl b on a.type = b.type and a.id <> b.id
        and a.outcome = 'complete' and b.outcome = 'complete'
        and a.started_at < b.started_at and b.started_at < a.ended_at) as overlapping`;
  const { open = 0, unowned = 0, overlapping = 0 } = row ?? {};
  if (open > 0) failures.push(`${open} runs never ended`);
  if (unowned > 0) failures.push(`${unowned} books are of no successful run`);
  if (overlapping > 0) failures.push(`${overlapping} runs began while another of their series was under way`);
  return { failures, counts };
}

/** Compares what the simulator served with the budget. */
function judgeSearches(simulator: Simulator, perMinute: number, waiting: readonly Stretch[]) {
  const moments = simulator
    .requests()
    .filter(({ path }) => path.startsWith('/api/v0/bundles'))
    .map(({ at }) => at.getTime())
    .toSorted((a, b) => a - b);
  let most = 0;
  for (let first = 0, last = 0; last < moments.length; last += 1) {
    while ((moments[last] ?? 0) - (moments[first] ?? 0) >= minuteMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  const failures: string[] = [];
  if (most > perMinute) failures.push(`${most} searches within a minute, ${perMinute} allowed`);
  const long = waiting.filter(({ from, to }) => to - from >= minuteMs);
  const waitedMs = long.reduce((sum, { from, to }) => sum + (to - from), 0);
  const used = long.map(({ from, to }) => {
    const searches = moments.filter((at) => at >= from && at < to).length;
    return searches / (((to - from) / minuteMs) * perMinute);
  });
  const least = Math.min(...used);
  if (used.length > 0 && least < minShare) {
    failures.push(`${(100 * least).toFixed(0)}% of the budget was used while jobs waited`);
  }
  const share =
    used.length === 0
      ? {}
      : { 'percent of the budget used while jobs waited, at least': Math.floor(100 * least) };
  return {
    failures,
    waitedMs,
    counts: {
      searches: moments.length,
      'budget of searches a minute': perMinute,
      'searches within a minute, at most': most,
      'minutes in which jobs waited all the time': Math.floor(waitedMs / minuteMs),
      ...share,
    },
  };
}
