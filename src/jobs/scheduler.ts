import cron from 'node-cron';
import type { Log } from '../core/log.ts';
import type { Sql } from '../database/connection.ts';
import type { JobQueue, NewJob } from './job-queue.ts';
import { unfinishedByKey } from './jobs.sql.ts';
import type { OutageLog } from './outage-log.ts';
import { jobPriority, type QueueName } from './queues.ts';
import { latestTicks, type TakenTimes, takenTicks } from './taken-ticks.ts';
import { tickId } from './tick-id.ts';

/** What to do at the ticks of a cron expression. */
export interface Schedule extends TakenTimes {
  /** Name of the series: its jobs run one at a time. */
  key: string;
  queue: QueueName;
  jobData: (tickAt: Date) => object;
  /** When the newest successful run began; null: there is none. */
  newestCrawl: () => Promise<Date | null>;
}

export interface Scheduler {
  /** Fires due ticks; called every second, and by tests. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface SchedulerOptions {
  sql: Sql;
  queue: JobQueue;
  schedules: () => Promise<readonly Schedule[]>;
  now: () => Date;
  log: Log;
  outages: OutageLog;
  /** Called when jobs were added. */
  onAdded: () => void;
}

/** After a longer gap only the newest missed tick fires, and only if the data is old. */
const maxGapMs = 15_000;
/** Ticks of at most this long, and always one, may wait for crawls that take longer than their interval. */
const maxBacklogMs = 15 * 60_000;

/**
 * Turns the ticks of schedules into jobs, in any number of processes: the id of the tick makes it one job. A tick is
 * skipped within a stretched interval, while the ticks of 15 minutes already wait, and after a gap of more than 15
 * seconds.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { sql, queue, now, log, outages } = options;
  /** Until when the ticks of each schedule have become jobs. */
  const seen = new Map<string, Date>();
  const crowded = new Set<string>();

  const look = async (): Promise<void> => {
    for (const schedule of await options.schedules()) {
      await lookAt(schedule).catch((error: unknown) =>
        outages.failed(error, 'scheduled jobs could not be queued'),
      );
    }
  };
  const lookAt = async (schedule: Schedule): Promise<void> => {
    const place = `${schedule.key}|${schedule.cron}|${schedule.timeZone}`;
    const until = now();
    const from = seen.get(place);
    const isGap = from === undefined || until.getTime() - from.getTime() > maxGapMs;
    await (isGap ? catchUp(schedule, until) : fire(schedule, from, until));
    // Set after the jobs are stored, so that a failed attempt is repeated.
    if (from === undefined || until > from) seen.set(place, until);
  };
  const fire = async (schedule: Schedule, from: Date, until: Date): Promise<void> => {
    const { ticks, skipped } = takenTicks(schedule, from, until);
    const { key, everyMinutes } = schedule;
    if (skipped > 0) log.info({ key, skipped, everyMinutes }, 'skipped a tick within the stretched interval');
    if (ticks.length > 0 && !(await isCrowded(schedule, until)))
      await add(schedule, ticks, jobPriority.scheduled);
  };
  const catchUp = async (schedule: Schedule, until: Date): Promise<void> => {
    const latest = latestTicks(schedule, until);
    const [newest] = latest;
    if (newest === null) return;
    const data = await schedule.newestCrawl();
    if (data !== null && until.getTime() - data.getTime() <= intervalMs(latest)) return;
    if (await isCrowded(schedule, until)) return;
    const added = await add(schedule, [newest], data === null ? jobPriority.first : jobPriority.scheduled);
    if (added > 0) log.info({ key: schedule.key, tick: newest.toISOString() }, 'running a missed tick now');
  };
  const isCrowded = async (schedule: Schedule, at: Date): Promise<boolean> => {
    const { key } = schedule;
    const unfinished = (await unfinishedByKey(sql, [key])).get(key) ?? 0;
    // One running and one waiting job are always allowed.
    const full = unfinished >= 2 && unfinished >= maxBacklogMs / intervalMs(latestTicks(schedule, at));
    if (full && !crowded.has(key)) {
      log.warn(
        { key, unfinished },
        'jobs take longer than their interval: skipping ticks until some are done',
      );
    }
    if (full) crowded.add(key);
    else crowded.delete(key);
    return full;
  };
  const add = async (schedule: Schedule, ticks: readonly Date[], priority: number): Promise<number> => {
    const { key, jobData } = schedule;
    const jobs: NewJob[] = ticks.map((tickAt) => ({
      id: tickId(key, tickAt),
      key,
      priority,
      data: jobData(tickAt),
    }));
    const added = await queue.add(schedule.queue, jobs);
    if (added > 0) options.onAdded();
    return added;
  };
  return startClock(look, options);
}

const intervalMs = ([newest, before]: ReturnType<typeof latestTicks>): number =>
  newest === null || before === null ? Number.POSITIVE_INFINITY : newest.getTime() - before.getTime();

function startClock(look: () => Promise<void>, { log, outages }: SchedulerOptions): Scheduler {
  let looking: Promise<void> = Promise.resolve();
  const task = cron.schedule(
    '* * * * * *',
    async () => {
      looking = look().catch((error: unknown) => outages.failed(error, 'the schedules could not be read'));
      await looking;
    },
    // A look during another one has nothing to do: the next look sees its ticks.
    { name: 'ticks', timezone: 'UTC', noOverlap: true, logger: quiet(log) },
  );
  return {
    look,
    stop: async () => {
      await task.destroy();
      await looking;
    },
  };
}

const quiet = (log: Log) => ({
  info: (message: string) => log.debug({}, message),
  debug: (message: string | Error) => log.debug({}, String(message)),
  warn: (message: string) => log.debug({}, message),
  error: (message: string | Error) => log.error({ err: message }, 'the clock of the schedule failed'),
});
