import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ClaimedJob, JobQueue } from '../jobs/job-queue.ts';
import { jobPriority } from '../jobs/queues.ts';
import type { Schedule } from '../jobs/scheduler.ts';
import { previousTick } from '../jobs/ticks.ts';
import type { JobEnd, JobHandler } from '../jobs/worker.ts';
import { createPriceCache } from '../prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from '../prices/verdicts/segment-medians.ts';
import type { ReportSources } from '../watches/reports/build-report.ts';
import { sendReport } from '../watches/reports/send-report.ts';
import { findLastReport } from '../watches/reports/watch-reports.sql.ts';
import { requestOfWatch } from '../watches/watch-books.ts';
import { findWatch, listReportSchedules } from '../watches/watches.sql.ts';
import type { Runtime } from './runtime.ts';

const reportJob = z.object({ watchId: z.uuid(), tickAt: z.iso.datetime() });

const minuteMs = 60_000;
const freshMs = 5_000;
/** How long a report waits for the book that its watch gets at the same moment. */
const bookPatienceMs = 10 * minuteMs;
/** How long it waits for fresh data. */
const dataPatienceMs = 60 * minuteMs;
const lookAgainMs = 20_000;

/** Report schedules of the default market, cached for some seconds. */
export function createReportSchedules({
  sql,
  now,
  defaultMarket,
}: Runtime): () => Promise<readonly Schedule[]> {
  let known: { at: number; schedules: Promise<readonly Schedule[]> } | null = null;
  const read = async (): Promise<readonly Schedule[]> => {
    const { id: marketId } = await defaultMarket();
    const rows = await listReportSchedules(sql, marketId);
    return rows.map(({ watchId, cron, timeZone, lastAt }) => ({
      key: `report|${watchId}`,
      queue: 'report' as const,
      cron,
      timeZone,
      everyMinutes: null,
      jobData: (tickAt) => ({ watchId, tickAt: tickAt.toISOString() }),
      newestCrawl: async () => lastAt,
    }));
  };
  return () => {
    const at = now().getTime();
    if (known === null || Math.abs(at - known.at) >= freshMs) {
      const schedules = read();
      known = { at, schedules };
      schedules.catch(() => {
        known = null;
      });
    }
    return known.schedules;
  };
}

/** Sends reports from fresh data, after the book that the watch gets at the same moment. */
export function createReportHandler(runtime: Runtime, queue: JobQueue): JobHandler {
  const { sql, now, log, config } = runtime;
  const priceCache = createPriceCache();
  const sources: ReportSources = {
    sql,
    ...priceCache,
    outlierTests: createOutlierTests(sql),
    publicUrl: config.publicUrl,
  };
  const done: JobEnd = { kind: 'done' };
  const handle = async (job: ClaimedJob): Promise<void> => {
    const { watchId, tickAt } = reportJob.parse(job.data);
    const tick = new Date(tickAt);
    const [watch, last] = [await findWatch(sql, watchId), await findLastReport(sql, watchId)];
    // A job that is repeated after its report was written is done.
    if (watch === null || watch.channelIds.length === 0 || (last !== null && last.sentAt >= tick)) return;
    const request = await requestOfWatch(sql, watch);
    const observedAt = Math.min(...(request?.books ?? []).map((book) => book.observedAt.getTime()));
    const waitedMs = now().getTime() - tick.getTime();
    const { kind } = await runtime.defaultMarket();
    const comesNow = previousTick(watch.schedule, tick)?.getTime() === tick.getTime();
    const waitsForBook = comesNow && observedAt < tick.getTime() && waitedMs < bookPatienceMs;
    const isOld = request === null || now().getTime() - observedAt > config.maxDataAgeMinutes * minuteMs;
    if (kind !== 'recorded' && (waitsForBook || (isOld && waitedMs < dataPatienceMs))) {
      const startAfter = new Date(now().getTime() + lookAgainMs);
      const again = { id: randomUUID(), key: job.key, data: job.data, startAfter };
      await queue.add('report', [{ ...again, priority: jobPriority.scheduled }]);
      return;
    }
    if (kind !== 'recorded' && isOld) {
      log.warn({ watchId, tickAt }, 'a report was left out: the data is too old');
      return;
    }
    await sendReport(sources, watch, now());
  };
  return async (jobs) => {
    const ends = new Map<string, JobEnd>();
    for (const job of jobs) {
      await handle(job);
      ends.set(job.id, done);
    }
    return ends;
  };
}
