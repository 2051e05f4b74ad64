import { uuidv7 } from 'uuidv7';
import { type AloneOutcome, crawlAlone } from '../books/crawl/crawl-alone.ts';
import type { OffersCrawlOptions } from '../books/crawl/offers-crawler.ts';
import { crawlCosts } from '../books/crawl-cost.sql.ts';
import { defaultScope } from '../core/crawl-scope.ts';
import { endsWithin } from '../database/reserved-connection.ts';
import type { ClaimedJob, JobQueue } from '../jobs/job-queue.ts';
import { jobPriority } from '../jobs/queues.ts';
import { tickId } from '../jobs/tick-id.ts';
import type { JobEnd, JobHandler } from '../jobs/worker.ts';
import type { Actor } from '../rentals/actor.ts';
import { publishEventNow } from '../rentals/events.sql.ts';
import { pollInstances } from '../rentals/instances/poll-instances.ts';
import { reconcileAccount } from '../rentals/instances/reconcile-account.ts';
import { crawlBilling } from '../spend/bills/crawl-bills.ts';
import type { CrawledMarket } from './crawled-market.ts';
import type { HealthcheckPing } from './healthcheck-ping.ts';
import { type OffersJob, offersJob, type PlainJob, plainJob } from './job-data.ts';
import { createActorOf } from './market-actor.ts';
import { queueOrders } from './order-work.ts';
import type { Runtime } from './runtime.ts';

/** Longer than the market client's own deadlines. */
const maxPollMs = 600_000;

const done: JobEnd = { kind: 'done' };
const again = (reason: string): JobEnd => ({ kind: 'again', reason });

interface OffersTask {
  job: ClaimedJob;
  data: OffersJob;
}

/** Crawls the books of jobs of one pricing type; those that can share a walk over the market do. */
export function createOffersHandler(
  runtime: Runtime,
  crawled: CrawledMarket,
  ping: HealthcheckPing,
  queue: JobQueue,
): JobHandler {
  return async (jobs, signal) => {
    const { id: marketId } = await crawled.market();
    const ends = new Map<string, JobEnd>();
    const tasks: OffersTask[] = [];
    for (const job of jobs) {
      const data = offersJob.parse(job.data);
      // Skips a job of a market that the settings no longer name.
      if (data.marketId === marketId) tasks.push({ job, data });
      else ends.set(job.id, done);
    }
    const crawls = (await sharedCrawls(runtime, tasks)).map(async (together) => {
      for (const [id, end] of await crawlTasks(runtime, crawled, ping, together, signal)) ends.set(id, end);
    });
    await Promise.all(crawls);
    // Standing orders rent in the first market.
    const rents = crawled === runtime.crawledMarkets[0];
    if (rents && !signal.aborted) await queueOrders(queue, marketId, runtime.now());
    return ends;
  };
}

/** Scopes share a crawl, but a narrow one does not wait for one of the whole market that takes longer than a minute. */
async function sharedCrawls({ sql, config }: Runtime, tasks: readonly OffersTask[]): Promise<OffersTask[][]> {
  const whole = tasks.find(({ data }) => data.scope.name === defaultScope.name);
  const isLong =
    whole !== undefined &&
    (
      await crawlCosts(sql, whole.data.marketId, [{ scopeName: defaultScope.name, type: whole.data.type }])
    ).some(({ pages }) => pages === 0 || pages > config.searchesPerMinute);
  const groups = Map.groupBy(tasks, (task) =>
    isLong && task === whole ? 'whole' : `rentable ${task.data.scope.rentable}`,
  );
  return [...groups.values()];
}

async function crawlTasks(
  runtime: Runtime,
  crawled: CrawledMarket,
  ping: HealthcheckPing,
  tasks: readonly OffersTask[],
  signal: AbortSignal,
): Promise<Map<string, JobEnd>> {
  const [first] = tasks;
  if (first === undefined) return new Map();
  const crawls = new Map(tasks.map((task) => [crawlOf(task), task]));
  const isAwaited = tasks.some(({ data }) => data.cause === 'api');
  const crawler = await crawled.offersCrawler(isAwaited ? 'person' : 'crawl');
  const options = { type: first.data.type, crawls: [...crawls.keys()], signal };
  const outcomes = await crawlAlone(crawler, options).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return [];
  });
  // An aborted crawl says nothing about the market.
  if (!signal.aborted) {
    for (const outcome of outcomes) {
      tell(ping, outcome);
      await publishCrawl(runtime, outcome, first.data.marketId);
    }
  }
  const ended = new Map(outcomes.map((outcome) => [outcome.crawlId, endOf(outcome)]));
  return new Map(
    [...crawls].map(([{ crawlId }, { job }]) => [job.id, ended.get(crawlId) ?? again('it was canceled')]),
  );
}

function crawlOf({ job, data }: OffersTask): OffersCrawlOptions {
  const { scope, cause, tickAt, crawlId } = data;
  return {
    crawlId: job.retries === 0 ? crawlId : uuidv7(),
    scope,
    cause,
    jobId: job.id,
    tickAt: tickAt === null ? null : new Date(tickAt),
  };
}

// A partial book is what the market offers now: repeating it at once would not help.
const endOf = (outcome: AloneOutcome): JobEnd => (outcome.kind === 'failed' ? again(outcome.reason) : done);

function tell(ping: HealthcheckPing, outcome: AloneOutcome): void {
  if (outcome.kind === 'done before') return;
  const reason = outcome.kind === 'complete' ? null : outcome.reason;
  void ping({ kind: outcome.kind, scope: outcome.scope.name, type: outcome.type, reason });
}

/** Notifies pages that wait for it; errors of the database are handled elsewhere. */
async function publishCrawl({ sql, now }: Runtime, outcome: AloneOutcome, marketId: number): Promise<void> {
  if (outcome.kind === 'done before') return;
  const { crawlId, scope, type, kind } = outcome;
  const data = { crawlId, scope: scope.name, type, outcome: kind };
  const told = { at: now(), marketId, data };
  try {
    await publishEventNow(sql, { ...told, kind: 'crawl' });
    if (kind !== 'failed') await publishEventNow(sql, { ...told, kind: 'book' });
  } catch {
    // The next ping reports the next crawl.
  }
}

/** Syncs invoices or charges. */
export function createBillingHandler(runtime: Runtime): JobHandler {
  return eachAlone(runtime, async (job, data, signal) => {
    const { bills } = await runtime.marketFor('crawl');
    const { sql, log, now, askAgain } = runtime;
    const crawler = { sql, log, now, bills, askAgain, marketId: data.marketId, newId: uuidv7 };
    const kind = data.kind === 'charges' ? 'charge' : 'invoice';
    const outcome = await crawlBilling(crawler, { ...attemptOf(job, data), kind, all: data.all, signal });
    return outcome.kind === 'failed' ? again(outcome.reason) : done;
  });
}

/**
 * Polls the account's instances and reconciles rentals; while something is under way the next poll follows in 10
 * seconds.
 */
export function createInstancesHandler(runtime: Runtime, queue: JobQueue): JobHandler {
  const actorOf = createActorOf(runtime);
  return eachAlone(runtime, async (job, data, signal) => {
    const { account } = await runtime.marketFor('crawl');
    // Nothing can be polled, and nothing was rented through this program.
    if (account === null) return done;
    const { sql, log, now, askAgain } = runtime;
    const poller = { sql, log, now, account, askAgain, marketId: data.marketId };
    const poll = pollInstances(poller, { ...attemptOf(job, data), signal });
    // A query on a connection that is breaking may never end.
    const nextPollSeconds = (await endsWithin(maxPollMs, poll))?.nextPollSeconds ?? 60;
    await endsWithin(maxPollMs, keep(runtime, actorOf, signal));
    await queueOrders(queue, data.marketId, now());
    // Not retried: the next poll does the same.
    if (nextPollSeconds < 60)
      await queue.add('poll-instances', [soonPoll(data.marketId, nextPollSeconds, now())]);
    return done;
  });
}

/** Errors are logged: every step is repeated after the next poll. */
async function keep(runtime: Runtime, actorOf: () => Promise<Actor>, signal: AbortSignal): Promise<void> {
  try {
    await reconcileAccount(await actorOf(), signal);
  } catch (error) {
    if (!signal.aborted) runtime.log.error({ err: error }, 'rentals could not be reconciled');
  }
}

/** One job for all processes that want a poll within these seconds, due at their end. */
export function soonPoll(marketId: number, seconds: number, now: Date) {
  const key = `${marketId}|instances`;
  const stepMs = seconds * 1_000;
  const startAfter = new Date((Math.floor(now.getTime() / stepMs) + 1) * stepMs);
  return {
    id: tickId(`${key}|soon|${seconds}`, startAfter),
    key,
    startAfter,
    priority: jobPriority.scheduled,
    data: { marketId, kind: 'instances', cause: 'cron', tickAt: null, crawlId: uuidv7() } satisfies PlainJob,
  };
}

const attemptOf = (job: ClaimedJob, { cause, crawlId, tickAt }: PlainJob) => ({
  cause,
  jobId: job.id,
  tickAt: tickAt === null ? null : new Date(tickAt),
  crawlId: job.retries === 0 ? crawlId : uuidv7(),
});

function eachAlone(
  runtime: Runtime,
  work: (job: ClaimedJob, data: PlainJob, signal: AbortSignal) => Promise<JobEnd>,
): JobHandler {
  return async (jobs, signal) => {
    const { id: marketId } = await runtime.crawledMarket();
    const ends = new Map<string, JobEnd>();
    for (const job of jobs) {
      const data = plainJob.parse(job.data);
      ends.set(job.id, data.marketId === marketId ? await work(job, data, signal) : done);
    }
    return ends;
  };
}
