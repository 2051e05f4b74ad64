import { setTimeout as delay } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { takeCrawlLock } from '../books/crawl/crawl-lock.sql.ts';
import type { CrawlOrder } from '../books/crawl-order.ts';
import { hasCrawled } from '../books/crawls.sql.ts';
import { UserError } from '../core/errors.ts';
import { pricingTypes } from '../core/offer.ts';
import { type JobQueue, openJobQueue } from '../jobs/job-queue.ts';
import { dismissFailedJob, type FailedJob } from '../jobs/jobs.sql.ts';
import type { LookLoop } from '../jobs/look-loop.ts';
import { createOutageLog } from '../jobs/outage-log.ts';
import { jobPriority, queueNames } from '../jobs/queues.ts';
import { createScheduler, type Scheduler } from '../jobs/scheduler.ts';
import { startWorker, type Worker, type WorkerSlot } from '../jobs/worker.ts';
import { backupSchedules, createBackupHandler } from './backups/backup-work.ts';
import { catalogSchedules, createCatalogHandler } from './catalog-work.ts';
import { deliverSlots, startNotifyWork } from './delivery-work.ts';
import { createHealthcheckPing } from './healthcheck-ping.ts';
import {
  createBillingHandler,
  createInstancesHandler,
  createOffersHandler,
  soonPoll,
} from './job-handlers.ts';
import { createMarketSchedules } from './market-schedules.ts';
import { createOrdersHandler, queueOrders } from './order-work.ts';
import { queueOrder } from './queue-order.ts';
import { createReportHandler, createReportSchedules } from './report-work.ts';
import { startRetention } from './retention.ts';
import type { Runtime } from './runtime.ts';
import type { ScheduleView } from './schedules.ts';

/** What the service does besides answering: the first books, then scheduled and requested jobs. */
export interface ServiceWork {
  /** Books made so far at the first start; null: not seeding. */
  seeding: () => { done: number; total: number } | null;
  /** Whether the last attempt to store something found the database's disk full. */
  isDiskFull: () => boolean;
  /**
   * Queues a crawl ahead of all others and returns the ids of its crawls, or of the same crawl if it is already queued
   * or running. Throws UserError for a market that is not crawled, and for a kind that the market does not have here.
   */
  crawlNow: (order: CrawlOrder) => Promise<string[]>;
  /** Returns the schedules of a market; empty if it is not crawled. */
  schedule: (marketId: number) => Promise<ScheduleView[]>;
  /** Sends due deliveries now instead of within a second. */
  deliver: () => Promise<void>;
  /** Queues a poll of the account's instances, due at once, unless one is already waiting. */
  pollSoon: () => Promise<void>;
  /** Queues a round of the standing orders, due at once. */
  carryOutSoon: () => Promise<void>;
  /** Queues the jobs of all due ticks now instead of within a second; resolves when they are queued. */
  queueDue: () => Promise<void>;
  /** Retries a failed job ahead of scheduled ones, and removes it from the list of failed jobs. */
  retryJob: (job: FailedJob) => Promise<void>;
  /** Stops within 8 seconds: jobs that do not end by then go back to the queue. */
  stop: () => Promise<void>;
}

/** Maximum number of scopes of one type that share a crawl. */
const scopesTogether = 4;
const seedAgainMs = 5_000;

/** Starts the work of a process for its role: with `ROLE=api` it queues jobs and runs none. */
export async function startServiceWork(runtime: Runtime): Promise<ServiceWork> {
  const { sql, target, config, log, now, figures } = runtime;
  const isWorker = config.role !== 'api';
  const { crawledMarkets } = runtime;
  const others = crawledMarkets.slice(1).flatMap(({ queueOf }) => pricingTypes.map(queueOf));
  const queue = await openJobQueue({
    target,
    log,
    supervise: isWorker,
    others,
    statements: { log, slowMs: config.slowStatementMs },
  });
  const stopping = new AbortController();
  const outages = createOutageLog(log, now);
  const schedules = createMarketSchedules(runtime);
  const reports = createReportSchedules(runtime);
  let progress: { done: number; total: number } | null = null;
  let worker: Worker | null = null;
  let scheduler: Scheduler | null = null;
  let notifier: LookLoop | null = null;
  let retention: { stop: () => Promise<void> } | null = null;

  /** Existing books are left alone: an attempt continues where the one before it failed. */
  const seed = async (): Promise<boolean> => {
    try {
      let storedBefore = 0;
      await seedFirst(runtime, stopping.signal, (state, stored) => {
        progress = state;
        // A book that is done can still be lost with its group: only what is stored says that the disk has space.
        if (stored > storedBefore) outages.stored();
        storedBefore = stored;
      });
      outages.answered();
      outages.stored();
      return true;
    } catch (error) {
      if (!stopping.signal.aborted) outages.failed(error, 'the first history failed; it is tried again');
      return false;
    }
  };
  const begin = async (): Promise<void> => {
    for (let isSeeded = false; !isSeeded && !stopping.signal.aborted; ) {
      isSeeded = await seed();
      if (!isSeeded) await delay(seedAgainMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
    if (stopping.signal.aborted) return;
    worker = startWorker({
      sql,
      queue,
      outages,
      slots: slotsOf(runtime, queue),
      onLook: () => {
        figures.lookedAt = now();
      },
      onEnd: (name, outcome, seconds) => figures.jobs.observe({ queue: name, outcome }, seconds),
    });
    scheduler = createScheduler({
      sql,
      queue,
      now,
      log,
      outages,
      schedules: async () => [
        ...(await schedules.read()),
        ...(await reports()),
        ...catalogSchedules(runtime),
        ...backupSchedules(runtime),
      ],
      onAdded: () => worker?.wake(),
    });
    notifier = startNotifyWork({ runtime, queue, outages, onAdded: () => worker?.wake() });
    retention = startRetention({ sql, retention: config.retention, log, now });
  };
  const beginning = isWorker ? begin().catch((error: unknown) => fail(error)) : Promise.resolve();
  function fail(error: unknown): void {
    progress = null;
    if (!stopping.signal.aborted) log.error({ err: error }, 'the work of the service could not begin');
  }
  // One request at a time: a second one must see what the first has queued.
  let asking: Promise<unknown> = Promise.resolve();
  return {
    seeding: () => progress,
    isDiskFull: outages.isDiskFull,
    crawlNow: async (order) => {
      const answer = asking.then(() => queueOrder(runtime, queue, order));
      asking = answer.catch(() => undefined);
      const crawlIds = await answer;
      worker?.wake();
      return crawlIds;
    },
    schedule: schedules.view,
    deliver: async () => notifier?.wake(),
    pollSoon: async () => {
      const { id: marketId } = await runtime.crawledMarket();
      await queue.add('poll-instances', [soonPoll(marketId, 1, now())]);
      worker?.wake();
    },
    carryOutSoon: async () => {
      const { id: marketId } = await runtime.crawledMarket();
      await queueOrders(queue, marketId, now());
      worker?.wake();
    },
    queueDue: async () => {
      await beginning;
      await scheduler?.look();
    },
    retryJob: async (job) => {
      const name = [...queueNames, ...others].find((one) => one === job.queue);
      if (name === undefined) throw new UserError(`This version has no queue ${job.queue}: dismiss the job.`);
      const { id, key, data } = job;
      // With its own id the job is added once, however often it is requested.
      const fresh = 'crawlId' in data ? { ...data, crawlId: uuidv7() } : data;
      await queue.add(name, [{ id, key: key ?? id, data: fresh, priority: jobPriority.asked }]);
      await dismissFailedJob(sql, id);
      worker?.wake();
    },
    stop: async () => {
      stopping.abort(new UserError('the service is stopping'));
      await beginning;
      await scheduler?.stop();
      await notifier?.stop();
      await retention?.stop();
      await worker?.stop();
      await queue.stop();
    },
  };
}

function slotsOf(runtime: Runtime, queue: JobQueue): WorkerSlot[] {
  const ping = createHealthcheckPing({ url: runtime.config.healthcheckPingUrl, log: runtime.log });
  const offers = runtime.crawledMarkets.flatMap((crawled, place) => {
    // The monitor watches the first market only, so that another market that is down raises no alarm.
    const handle = createOffersHandler(runtime, crawled, place === 0 ? ping : async () => {}, queue);
    return pricingTypes.flatMap((type): WorkerSlot[] => {
      const slot = { queue: crawled.queueOf(type), handle, together: scopesTogether };
      // The second slot is for requests that a person waits for during a long crawl.
      return [
        { ...slot, minPriority: null },
        { ...slot, minPriority: jobPriority.first },
      ];
    });
  });
  return [
    ...offers,
    ...deliverSlots(runtime),
    { queue: 'report', handle: createReportHandler(runtime, queue), together: 1, minPriority: null },
    { queue: 'fetch-catalogs', handle: createCatalogHandler(runtime), together: 1, minPriority: null },
    { queue: 'make-backup', handle: createBackupHandler(runtime), together: 1, minPriority: null },
    { queue: 'crawl-billing', handle: createBillingHandler(runtime), together: 1, minPriority: null },
    { queue: 'carry-out-orders', handle: createOrdersHandler(runtime), together: 1, minPriority: null },
    {
      queue: 'poll-instances',
      handle: createInstancesHandler(runtime, queue),
      together: 1,
      minPriority: null,
    },
  ];
}

/** Gives the simulated market its first books, in one of all starting processes. */
async function seedFirst(
  runtime: Runtime,
  signal: AbortSignal,
  onProgress: (state: { done: number; total: number } | null, stored: number) => void,
): Promise<void> {
  const { sql } = runtime;
  const { id: marketId } = await runtime.defaultMarket();
  if ((await runtime.mode()) !== 'simulated' || (await hasCrawled(sql, marketId))) return;
  const lock = await takeCrawlLock(sql, [`${marketId}|seed`], { signal });
  try {
    if (await hasCrawled(sql, marketId)) return;
    onProgress({ done: 0, total: 0 }, 0);
    await runtime.seed(
      (done, total, stored) => onProgress({ done, total }, stored),
      AbortSignal.any([signal, lock.lost]),
    );
    // If the lock was lost, the seeding ended early: that is a failure.
    if (!signal.aborted) lock.lost.throwIfAborted();
  } finally {
    onProgress(null, 0);
    await lock.release();
  }
}
