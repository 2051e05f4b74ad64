import { type Job, PgBoss } from 'pg-boss';
import type { Log } from '../core/log.ts';
import { currentTraceId } from '../core/trace.ts';
import type { DatabaseTarget } from '../database/connection.ts';
import { connect } from '../database/connection.ts';
import { isDatabaseUnreachable } from '../database/unreachable.ts';
import type { StatementLog } from '../database/watch-query.ts';
import { allowOneActiveJobOfKey, handBackJobs } from './jobs.sql.ts';
import { failedJobsQueue, jobsSchema, type QueueName, queueNames, queueSettings } from './queues.ts';
import { runStatements } from './run-statements.ts';

/** A job to add: what is to be done, who asked, and for which tick of a schedule. */
export interface NewJob {
  /** A UUID; a job with a known id is left as it is. */
  id: string;
  /** Jobs with the same key run one at a time. */
  key: string;
  data: object;
  /** Higher priorities first. */
  priority: number;
  /** Not before this time. @default now */
  startAfter?: Date | undefined;
}

/** An attempt at a job that this process has taken. */
export interface ClaimedJob {
  id: string;
  queue: QueueName;
  key: string;
  data: object;
  /** Trace id of the request that queued it; null: none did. */
  traceId: string | null;
  /** Attempts before this one. */
  retries: number;
  priority: number;
}

export interface JobQueue {
  /** Adds jobs; returns how many of them were new. */
  add: (queue: QueueName, jobs: readonly NewJob[]) => Promise<number>;
  /** Takes due jobs, at most one per key, highest priority first. */
  claim: (queue: QueueName, limit: number, minPriority: number | null) => Promise<ClaimedJob[]>;
  /** Sends a heartbeat for these attempts; returns the ids of those that still belong to this process. */
  keep: (queue: QueueName, jobs: readonly ClaimedJob[]) => Promise<Set<string>>;
  complete: (job: ClaimedJob) => Promise<void>;
  /** Ends the attempt: the job is tried again later, or becomes a failed job after its last attempt. */
  fail: (job: ClaimedJob, reason: string) => Promise<void>;
  /** Returns jobs to the queue, due at once, as if they had never been taken. */
  handBack: (queue: QueueName, jobs: readonly ClaimedJob[]) => Promise<void>;
  stop: () => Promise<void>;
}

export interface JobQueueOptions {
  target: DatabaseTarget;
  log: Log;
  /** Whether this process recovers the jobs of dead workers and deletes old ones. */
  supervise: boolean;
  /** Additional queues. */
  others?: readonly QueueName[] | undefined;
  /** Where slow and failing statements are logged. @default nowhere */
  statements?: StatementLog | undefined;
}

/** Seconds between checks for jobs whose worker is silent. */
const superviseSeconds = 4;

/**
 * Opens the queue on its own connections and creates its tables if they are missing; any number of processes may do so
 * at once. Errors in the background are logged and retried.
 */
export async function openJobQueue({
  target,
  log,
  supervise,
  others = [],
  statements,
}: JobQueueOptions): Promise<JobQueue> {
  const sql = connect(target, {
    max: 1,
    maxReserved: 1,
    applicationName: 'offerbook jobs',
    jsonIsText: true,
    ...(statements === undefined ? {} : { statements }),
  });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => runStatements(sql, text, values) },
    schema: jobsSchema,
    schedule: false,
    supervise,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 600,
    persistWarnings: false,
  });
  boss.on('error', (error) => {
    if (isDatabaseUnreachable(error)) log.debug({ err: error }, 'the queue waits for the database');
    else log.warn({ err: error }, 'queue maintenance failed; trying again');
  });
  boss.on('warning', ({ message }) => log.debug({}, message));
  try {
    await boss.start();
    await makeQueues(boss, [...queueNames, ...others]);
    await allowOneActiveJobOfKey(sql);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    await sql.end({ timeout: 1 });
    throw error;
  }
  return {
    add: async (queue, jobs) => {
      const traceId = currentTraceId();
      const rows = jobs.map(({ id, key, data, priority, startAfter }) => ({
        id,
        data: traceId === null ? data : { ...data, traceId },
        priority,
        ...(startAfter === undefined ? {} : { startAfter }),
        singletonKey: key,
        group: { id: key },
      }));
      const made = await boss.insert(queue, rows, { returnId: true });
      return made?.length ?? 0;
    },
    claim: async (queue, limit, minPriority) => {
      const jobs = await boss.fetch<object>(queue, {
        batchSize: limit,
        includeMetadata: true,
        // Prevents keys that are busy from blocking others.
        groupConcurrency: 1,
        ...(minPriority === null ? {} : { minPriority }),
      });
      return jobs.map((job) => ({
        id: job.id,
        queue,
        key: job.singletonKey ?? '',
        data: job.data,
        traceId: readTraceId(job.data),
        retries: job.retryCount,
        priority: job.priority,
      }));
    },
    keep: async (queue, jobs) => {
      const { settled } = (await boss.touch(queue, jobs.map(attemptOf))) as { settled?: string[] };
      return new Set(settled ?? jobs.map(({ id }) => id));
    },
    complete: async (job) => {
      await boss.complete(job.queue, attemptOf(job));
    },
    fail: async (job, reason) => {
      await boss.fail(job.queue, attemptOf(job), { reason });
    },
    handBack: (queue, jobs) => handBackJobs(sql, queue, jobs.map(attemptOf)),
    stop: async () => {
      await boss.stop({ graceful: false }).catch(() => {});
      await sql.end({ timeout: 2 });
    },
  };
}

const readTraceId = (data: object): string | null =>
  'traceId' in data && typeof data.traceId === 'string' ? data.traceId : null;

/** Identifies the attempt: a result of an earlier attempt is ignored. */
const attemptOf = ({ id, retries }: ClaimedJob): Pick<Job, 'id' | 'retryCount'> => ({
  id,
  retryCount: retries,
});

async function makeQueues(boss: PgBoss, names: readonly QueueName[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map(({ name }) => name));
  if (!known.has(failedJobsQueue)) await boss.createQueue(failedJobsQueue, { retentionSeconds: 14 * 86_400 });
  for (const name of names) {
    if (known.has(name)) await boss.updateQueue(name, queueSettings);
    else await boss.createQueue(name, queueSettings);
  }
}
