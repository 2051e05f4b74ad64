import type { PricingType } from '../core/offer.ts';
import type { Db, Sql } from '../database/connection.ts';
import { queueNames } from './queues.ts';

/** Counts of jobs of all kinds. */
export interface JobCounts {
  /** Waiting, including those to be tried again. */
  queued: number;
  active: number;
  /** Jobs whose last attempt failed, in the last two weeks. */
  failedJobs: number;
}

const none: JobCounts = { queued: 0, active: 0, failedJobs: 0 };

/** Counts the jobs of the database; zeros if no service has created a queue yet. */
export async function jobCounts(db: Db): Promise<JobCounts> {
  if (!(await hasQueue(db))) return none;
  const [row] = await db<JobCounts[]>`
    select count(*) filter (where state < 'active' and name <> 'dead-letters') as queued,
      count(*) filter (where state = 'active') as active,
      count(*) filter (where name = 'dead-letters' and state < 'completed') as "failedJobs"
    from offerbook_jobs.job where state <= 'active'`;
  return { ...none, ...row };
}

/** The jobs of one queue. */
export interface QueueLoad {
  queue: string;
  /** Waiting, including those that are not due yet. */
  waiting: number;
  running: number;
  /** Seconds since the oldest waiting job became due; null: none is due. */
  oldestDueSeconds: number | null;
}

/** Returns the load of each of the program's queues, and of others that have unfinished jobs. */
export async function queueLoads(db: Db): Promise<QueueLoad[]> {
  const rows = !(await hasQueue(db))
    ? []
    : await db<QueueLoad[]>`
    select name as queue, count(*) filter (where state < 'active')::int as waiting,
      count(*) filter (where state = 'active')::int as running,
      extract(epoch from now() - min(greatest(start_after, created_on))
        filter (where state < 'active' and start_after <= now()))::float8 as "oldestDueSeconds"
    from offerbook_jobs.job where state <= 'active' and name <> 'dead-letters' group by name`;
  const found = new Map(rows.map((row) => [row.queue, row]));
  const idle = { waiting: 0, running: 0, oldestDueSeconds: null };
  return [...new Set([...queueNames, ...found.keys()])].map(
    (queue) => found.get(queue) ?? { queue, ...idle },
  );
}

/** A job whose last attempt failed. */
export interface FailedJob {
  id: string;
  /** The queue that it was in. */
  queue: string;
  /** Jobs with the same key run one at a time; null: it had none. */
  key: string | null;
  data: Record<string, unknown>;
  attempts: number;
  /** Reason of the last attempt; null: not stored. */
  reason: string | null;
  failedAt: Date;
}

const failedJobColumns = (db: Db) => db`
  id, source_name as queue, singleton_key as key, data, coalesce(source_retry_count, 0) + 1 as attempts,
  coalesce(source_output ->> 'reason', source_output -> 'value' ->> 'message') as reason,
  created_on as "failedAt"`;

/** Returns the failed jobs that were neither retried nor dismissed, newest first, at most `limit`. */
export async function listFailedJobs(db: Db, limit: number): Promise<FailedJob[]> {
  if (!(await hasQueue(db))) return [];
  return await db<FailedJob[]>`
    select ${failedJobColumns(db)} from offerbook_jobs.job
    where name = 'dead-letters' and state < 'completed' and source_name is not null
    order by created_on desc, id limit ${limit}`;
}

/** Returns the failed job with this id, or null if there is none. */
export async function findFailedJob(db: Db, id: string): Promise<FailedJob | null> {
  if (!(await hasQueue(db))) return null;
  const [row] = await db<FailedJob[]>`
    select ${failedJobColumns(db)} from offerbook_jobs.job
    where name = 'dead-letters' and state < 'completed' and source_name is not null and id = ${id}`;
  return row ?? null;
}

/** Removes a failed job from the list; false if it was not on it. */
export async function dismissFailedJob(db: Db, id: string): Promise<boolean> {
  if (!(await hasQueue(db))) return false;
  const rows = await db`
    update offerbook_jobs.job set state = 'completed', completed_on = now()
    where name = 'dead-letters' and state < 'completed' and id = ${id} returning id`;
  return rows.length > 0;
}

const indexLockKey = 0x0ffe_b00e;

/**
 * Ensures by an index that two jobs of one key are never active together: a claim that would cause it finds nothing.
 */
export async function allowOneActiveJobOfKey(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${indexLockKey})`;
    await tx`create unique index if not exists one_active_job_of_key
      on offerbook_jobs.job_common (name, singleton_key) where state = 'active'`;
  });
}

/** An attempt at a job, numbered by the attempts before it. */
export interface JobAttempt {
  id: string;
  retryCount: number;
}

/**
 * Restores jobs as they were before these attempts took them: due at once, with one more attempt left. An attempt that
 * another process has taken over is left alone.
 */
export async function handBackJobs(db: Db, queue: string, attempts: readonly JobAttempt[]): Promise<void> {
  for (const { id, retryCount } of attempts) {
    await db`
      update offerbook_jobs.job set state = 'retry', start_after = now(), heartbeat_on = null,
        retry_limit = retry_limit + 1
      where name = ${queue} and id = ${id} and state = 'active' and retry_count = ${retryCount}
      returning id`;
  }
}

/** A crawl that waits for its turn, or has begun but is not recorded yet. */
export interface WaitingCrawl {
  crawlId: string;
  kind: 'offers' | 'invoices' | 'charges' | 'instances';
  scopeName: string;
  /** Pricing type of an offer crawl; null for other crawls. */
  type: PricingType | null;
  cause: 'cron' | 'watch' | 'api';
}

/** Returns the crawl with this id that waits in a queue, or null. */
export async function findWaitingCrawl(db: Db, crawlId: string): Promise<WaitingCrawl | null> {
  if (!(await hasQueue(db))) return null;
  const [row] = await db<WaitingCrawl[]>`
    select data ->> 'crawlId' as "crawlId", coalesce(data ->> 'kind', 'offers') as kind,
      coalesce(data -> 'scope' ->> 'name', data ->> 'kind') as "scopeName", data ->> 'type' as type,
      data ->> 'cause' as cause
    from offerbook_jobs.job
    where state <= 'active' and (name like 'crawl-%' or name = 'poll-instances') and data ->> 'crawlId' = ${crawlId}`;
  return row ?? null;
}

/** Returns the id of the first crawl with this key that waits or runs, or null. */
export async function findUnfinishedCrawl(db: Db, queue: string, key: string): Promise<string | null> {
  const [row] = await db<{ crawlId: string }[]>`
    select data ->> 'crawlId' as "crawlId" from offerbook_jobs.job
    where name = ${queue} and singleton_key = ${key} and retry_count = 0 and state in ('created', 'active')
      -- Its book can be there a moment before its job is done.
      and not exists (select from crawl where id = (data ->> 'crawlId')::uuid and outcome is not null)
    order by state desc, priority desc, created_on limit 1`;
  return row?.crawlId ?? null;
}

/** Returns how many jobs of each key wait or run. */
export async function unfinishedByKey(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await db<{ key: string; jobs: number }[]>`
    select singleton_key as key, count(*) as jobs from offerbook_jobs.job
    where state <= 'active' and singleton_key in ${db([...keys])} group by singleton_key`;
  return new Map(rows.map(({ key, jobs }) => [key, jobs]));
}

/** Returns the queues that have a due job; the list may contain names that this version does not know. */
export async function queuesWithDueJobs(db: Db): Promise<Set<string>> {
  const rows = await db<{ name: string }[]>`
    select distinct name from offerbook_jobs.job
    where state < 'active' and start_after <= now() and name <> 'dead-letters'`;
  return new Set(rows.map(({ name }) => name));
}

async function hasQueue(db: Db): Promise<boolean> {
  const [row] = await db<{ there: boolean }[]>`select to_regclass('offerbook_jobs.job') is not null as there`;
  return row?.there ?? false;
}
