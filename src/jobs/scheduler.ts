import cron from 'node-cron';
import type { Log } from '../core/log.ts';
import type { Sql } from '../database/connection.ts';
import type { JobQueue, NewJob } from './job-queue.ts';
import { unfinishedByKey } from './jobs.sql.ts';
import type { OutageLog } from './outage-log.ts';
import { jobPriority, type QueueName } from './queues.ts';
import { latestTicks, type TakenTimes, takenTicks } from './taken-ticks.ts';
import { tickId } from './tick-id.ts';

/** What is to be done at the ticks of a cron expression. */
export interface Schedule extends TakenTimes {
  /** Names the series: its jobs run one at a time. */
  key: string;
  queue: QueueName;
  jobData: (tickAt: Date) => object;
  /** When the newest run began that gave something; null: none ever did. */
  newestCrawl: () => Promise<Date | null>;
}

export interface Scheduler {
  /** Fires what is due; called every second, and by tests. */
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

/** After a longer gap nothing is made up for but the newest tick, and that only for old data. */
const maxGapMs = 15_000;
/** Ticks of so long may wait for crawls that take longer than their interval, and always one. */
const maxBacklogMs = 15 * 60_000;

/**
 * Turns the ticks of schedules into jobs. Any number of processes may do so for the same schedules: a tick is
 * one job, by its id. A tick is let go only when it comes in the interval that the schedule is stretched to,
 * when those of 15 minutes wait already (always one may), or when nobody looked for longer than 15 seconds.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { sql, queue, now, log, outages } = options;
  /** Up to when the ticks of each schedule have become jobs. */
  const seen = new Map<string, Date>();
  const crowded = new Set<string>();

  const look = async (): Promise<void> => {
    for (const schedule of await options.schedules()) {
      await lookAt(schedule).catch((error: unknown) => outages.failed(error, 'ticks could not be made jobs'));
    }
  };
  const lookAt = async (schedule: Schedule): Promise<void> => {
    const place = `${schedule.key}|${schedule.cron}|${schedule.timeZone}`;
    const until = now();
    const from = seen.get(place);
    const isGap = from === undefined || until.getTime() - from.getTime() > maxGapMs;
    await (isGap ? catchUp(schedule, until) : fire(schedule, from, until));
    // Set after the jobs are stored: what could not be stored is tried again.
    if (from === undefined || until > from) seen.set(place, until);
  };
  const fire = async (schedule: Schedule, from: Date, until: Date): Promise<void> => {
    const { ticks, left } = takenTicks(schedule, from, until);
    const { key, everyMinutes } = schedule;
    if (left > 0) log.info({ key, left, everyMinutes }, 'a tick within the stretched interval was left out');
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
    if (added > 0)
      log.info({ key: schedule.key, tick: newest.toISOString() }, 'a missed tick is made up for');
  };
  const isCrowded = async (schedule: Schedule, at: Date): Promise<boolean> => {
    const { key } = schedule;
    const unfinished = (await unfinishedByKey(sql, [key])).get(key) ?? 0;
    // The one under way and one that waits never are too many.
    const full = unfinished >= 2 && unfinished >= maxBacklogMs / intervalMs(latestTicks(schedule, at));
    if (full && !crowded.has(key)) {
      log.warn(
        { key, unfinished },
        'jobs take longer than their interval: ticks are left out until some are done',
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
    // A look that comes while the last one is not done has nothing to do: the next sees its ticks too.
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
