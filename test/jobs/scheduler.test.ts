import { describe, expect, it, onTestFinished } from 'vitest';
import { type JobQueue, openJobQueue } from '../../src/jobs/job-queue.ts';
import { createOutageLog } from '../../src/jobs/outage-log.ts';
import { createScheduler, type Schedule } from '../../src/jobs/scheduler.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

const { sql, target } = await createTestDatabase();

let made = 0;

/** Schedulers of processes with one schedule, and a time of their own that only the test moves. */
async function createStage(
  schedule: Partial<Schedule> & { cron: string },
  options: { processes?: number; newestCrawl?: string | null; at: string },
) {
  made += 1;
  const key = `series ${made}`;
  let now = new Date(options.at);
  const queue = await openJobQueue({ target, log: silentLog, supervise: false });
  const all: Schedule = {
    ...{ key, timeZone: 'UTC', everyMinutes: null, queue: 'crawl-bid' },
    jobData: (tickAt) => ({ tickAt: tickAt.toISOString() }),
    newestCrawl: async () => (options.newestCrawl == null ? null : new Date(options.newestCrawl)),
    ...schedule,
  };
  let broken: Error | null = null;
  const start = (through: JobQueue = queue) => {
    const scheduler = createScheduler({
      ...{ sql, queue: through, log: silentLog, now: () => now, onAdded: () => {} },
      schedules: async () => [all],
      outages: createOutageLog(silentLog, () => now),
    });
    onTestFinished(() => scheduler.stop());
    return scheduler;
  };
  const failing: JobQueue = {
    ...queue,
    add: async (...args) => {
      if (broken !== null) throw broken;
      return await queue.add(...args);
    },
  };
  const schedulers = Array.from({ length: options.processes ?? 1 }, () => start(failing));
  onTestFinished(() => queue.stop());
  return {
    start,
    breakQueue: (error: Error | null) => {
      broken = error;
    },
    lookAt: async (time: string) => {
      now = new Date(time);
      await Promise.all(schedulers.map((scheduler) => scheduler.look()));
    },
    /** Moments of the ticks that became jobs, in order. */
    ticks: async (): Promise<string[]> => {
      const rows = await sql<{ tick: string }[]>`
        select data ->> 'tickAt' as tick from offerbook_jobs.job where singleton_key = ${key} order by 1`;
      return rows.map(({ tick }) => tick.slice(11, 19));
    },
    endJobs: async () => {
      await sql`update offerbook_jobs.job set state = 'completed' where singleton_key = ${key}`;
    },
  };
}

// The schedulers' own clock looks every second, at the time that the test has set.
describe('the scheduler', () => {
  it('makes one job per tick, however many processes fire it', async () => {
    const stage = await createStage(
      { cron: '* * * * * *' },
      { processes: 3, newestCrawl: '2026-03-10T12:00:00Z', at: '2026-03-10T12:00:00.400Z' },
    );
    for (const second of ['01.4', '02.2', '05.9', '06.0']) await stage.lookAt(`2026-03-10T12:00:${second}Z`);
    expect(await stage.ticks()).toEqual([
      '12:00:01',
      '12:00:02',
      '12:00:03',
      '12:00:04',
      '12:00:05',
      '12:00:06',
    ]);
  });

  it('runs the newest missed tick once after a start if the data is older than the interval', async () => {
    const late = await createStage(
      { cron: '7 * * * *' },
      { processes: 2, newestCrawl: '2026-03-10T07:07:30Z', at: '2026-03-10T12:30:00Z' },
    );
    await late.lookAt('2026-03-10T12:30:00Z');
    await late.lookAt('2026-03-10T12:30:01Z');
    expect(await late.ticks()).toEqual(['12:07:00']);
    const fresh = await createStage(
      { cron: '7 * * * *' },
      { newestCrawl: '2026-03-10T11:45:00Z', at: '2026-03-10T12:30:00Z' },
    );
    await fresh.lookAt('2026-03-10T12:30:00Z');
    expect(await fresh.ticks()).toEqual([]);
    const first = await createStage({ cron: '7 * * * *' }, { newestCrawl: null, at: '2026-03-10T12:30:00Z' });
    await first.lookAt('2026-03-10T12:30:00Z');
    expect(await first.ticks()).toEqual(['12:07:00']);
  });

  it('makes up only for the newest tick after a standstill, and continues', async () => {
    const stage = await createStage(
      { cron: '* * * * * *' },
      { newestCrawl: '2026-03-10T12:00:00Z', at: '2026-03-10T12:00:00.400Z' },
    );
    await stage.lookAt('2026-03-10T12:00:00.400Z');
    await stage.lookAt('2026-03-10T12:05:00.400Z');
    await stage.lookAt('2026-03-10T12:05:01.400Z');
    expect(await stage.ticks()).toEqual(['12:05:00', '12:05:01']);
  });

  it('loses no tick that it could not store at first', async () => {
    const stage = await createStage(
      { cron: '* * * * * *' },
      { newestCrawl: '2026-03-10T12:00:00Z', at: '2026-03-10T12:00:00.400Z' },
    );
    await stage.lookAt('2026-03-10T12:00:00.400Z');
    stage.breakQueue(new Error('away'));
    await stage.lookAt('2026-03-10T12:00:02.400Z');
    stage.breakQueue(null);
    await stage.lookAt('2026-03-10T12:00:03.400Z');
    expect(await stage.ticks()).toEqual(['12:00:01', '12:00:02', '12:00:03']);
  });

  it('skips ticks within a stretched interval', async () => {
    const stage = await createStage(
      { cron: '* * * * *', everyMinutes: 5 },
      { newestCrawl: '2026-03-10T12:00:00Z', at: '2026-03-10T12:00:00Z' },
    );
    for (let minute = 0; minute <= 11; minute += 1) {
      for (const second of ['00', '14', '28', '42', '56']) {
        await stage.lookAt(`2026-03-10T12:${String(minute).padStart(2, '0')}:${second}Z`);
      }
    }
    expect(await stage.ticks()).toEqual(['12:05:00', '12:10:00']);
  });

  it('keeps one tick waiting for a crawl that takes longer than its interval, and not a second one', async () => {
    const stage = await createStage(
      { cron: '7 * * * *' },
      { newestCrawl: '2026-03-10T11:07:00Z', at: '2026-03-10T12:06:59Z' },
    );
    for (const hour of ['12', '13', '14', '15']) {
      await stage.lookAt(`2026-03-10T${hour}:06:59Z`);
      await stage.lookAt(`2026-03-10T${hour}:07:00Z`);
    }
    expect(await stage.ticks()).toEqual(['12:07:00', '13:07:00']);
    await stage.endJobs();
    await stage.lookAt('2026-03-10T16:06:59Z');
    await stage.lookAt('2026-03-10T16:07:00Z');
    expect((await stage.ticks()).at(-1)).toBe('16:07:00');
  });
});
