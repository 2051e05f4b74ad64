import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../core/errors.ts';
import { runTraced } from '../core/trace.ts';
import type { Sql } from '../database/connection.ts';
import type { ClaimedJob, JobQueue } from './job-queue.ts';
import { queuesWithDueJobs } from './jobs.sql.ts';
import { startLookLoop } from './look-loop.ts';
import type { OutageLog } from './outage-log.ts';
import type { QueueName } from './queues.ts';

/** How an attempt at a job ended; `again`: it is tried again, a few times. */
export type JobEnd = { kind: 'done' } | { kind: 'again'; reason: string };

/**
 * Works on jobs that were claimed together and returns how each ended. The signal aborts when the process stops or
 * loses the jobs.
 */
export type JobHandler = (
  jobs: readonly ClaimedJob[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, JobEnd>>;

/** A slot that works on one claim at a time. */
export interface WorkerSlot {
  queue: QueueName;
  handle: JobHandler;
  /** Maximum number of jobs claimed together. */
  together: number;
  /** Only takes jobs of this priority or higher; null: all. */
  minPriority: number | null;
}

export interface Worker {
  /** Looks for jobs now instead of within a second. */
  wake: () => void;
  /** Takes no more jobs, waits some seconds for running ones, then aborts them and hands them back. */
  stop: () => Promise<void>;
}

export interface WorkerOptions {
  sql: Sql;
  queue: JobQueue;
  slots: readonly WorkerSlot[];
  outages: OutageLog;
  /** Called when it has looked for jobs. */
  onLook?: () => void;
  /** Called when an attempt has ended. */
  onEnd?: (queue: QueueName, end: JobEnd['kind'], seconds: number) => void;
  /** How long jobs may run after `stop`, then how long they may take to end. @default 3.5 s and 1.5 s */
  patience?: { finishMs: number; endMs: number } | undefined;
}

const lookEveryMs = 1_000;
const heartbeatMs = 3_000;
const settleAgainMs = 500;

/** Takes jobs from the queue and works on them until it is stopped. No error ends it. */
export function startWorker(options: WorkerOptions): Worker {
  const { sql, queue, slots, outages, patience = { finishMs: 3_500, endMs: 1_500 } } = options;
  const busy = new Map<WorkerSlot, Promise<void>>();
  const held = new Map<WorkerSlot, readonly ClaimedJob[]>();
  const stopping = new AbortController();
  const callOff = new AbortController();

  const look = async (): Promise<void> => {
    const due = await queuesWithDueJobs(sql);
    outages.answered();
    options.onLook?.();
    for (const slot of slots) {
      if (stopping.signal.aborted || busy.has(slot) || !due.has(slot.queue)) continue;
      const work = fill(slot)
        .catch((error: unknown) => outages.failed(error, 'could not take jobs from the queue'))
        .finally(() => busy.delete(slot));
      busy.set(slot, work);
    }
  };
  const fill = async (slot: WorkerSlot): Promise<void> => {
    while (!stopping.signal.aborted) {
      const jobs = await queue.claim(slot.queue, slot.together, slot.minPriority);
      if (jobs.length === 0) return;
      await runTraced(traceOf(jobs), () => workAt(slot, jobs));
    }
  };
  const workAt = async (slot: WorkerSlot, jobs: readonly ClaimedJob[]): Promise<void> => {
    const taken = new AbortController();
    const keeping = setInterval(() => {
      extendClaims(slot.queue, jobs, taken).catch(() => {
        // The database is unreachable; job ownership is checked when it is back.
      });
    }, heartbeatMs);
    held.set(slot, jobs);
    const startedAt = performance.now();
    try {
      const ends = await slot
        .handle(jobs, AbortSignal.any([taken.signal, callOff.signal]))
        .catch((error: unknown) => {
          outages.failed(error, 'a job failed unexpectedly');
          return new Map<string, JobEnd>();
        });
      for (const job of jobs) {
        const end = ends.get(job.id) ?? unexpected;
        options.onEnd?.(slot.queue, end.kind, (performance.now() - startedAt) / 1_000);
        await settle(job, end, taken.signal);
      }
    } finally {
      held.delete(slot);
      clearInterval(keeping);
    }
  };
  const extendClaims = async (
    name: QueueName,
    jobs: readonly ClaimedJob[],
    taken: AbortController,
  ): Promise<void> => {
    const kept = await queue.keep(name, jobs);
    if (jobs.some(({ id }) => !kept.has(id)))
      taken.abort(new UserError('another process has taken this job over'));
  };
  /** Retries until the database answers; until then no one takes the key's next job. */
  const settle = async (job: ClaimedJob, end: JobEnd, taken: AbortSignal): Promise<void> => {
    while (!taken.aborted) {
      try {
        if (end.kind === 'done') await queue.complete(job);
        else if (callOff.signal.aborted) await queue.handBack(job.queue, [job]);
        else await queue.fail(job, end.reason);
        return;
      } catch (error) {
        outages.failed(error, 'the result of a job could not be stored');
        if (callOff.signal.aborted) return;
        await delay(settleAgainMs);
      }
    }
  };
  const looking = startLookLoop(look, {
    everyMs: lookEveryMs,
    onError: (error) => outages.failed(error, 'could not look for jobs'),
  });
  return {
    wake: looking.wake,
    stop: async () => {
      stopping.abort();
      await looking.stop();
      const ended = Promise.all(busy.values());
      await Promise.race([ended, delay(patience.finishMs, undefined, { ref: false })]);
      callOff.abort(new UserError('the service is stopping'));
      await Promise.race([ended, delay(patience.endMs, undefined, { ref: false })]);
      // A job that does not end is handed back anyway; after that it cannot store anything.
      for (const [slot, jobs] of held) await queue.handBack(slot.queue, jobs).catch(() => {});
    },
  };
}

/** The traces of the requests that queued the jobs, or a trace of its own for a scheduled job: its id. */
function traceOf(jobs: readonly ClaimedJob[]): string {
  const traces = new Set(jobs.flatMap(({ traceId }) => traceId ?? []));
  return traces.size > 0 ? [...traces].join(',') : (jobs[0]?.id.replaceAll('-', '') ?? '');
}

const unexpected: JobEnd = { kind: 'again', reason: 'an unexpected error; see the log' };
