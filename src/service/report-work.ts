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
import { requestsOfWatch } from '../watches/watch-books.ts';
import { findWatch, listReportSchedules, watchPlaces } from '../watches/watches.sql.ts';
import type { Runtime } from './runtime.ts';

const reportJob = z.object({ watchId: z.uuid(), tickAt: z.iso.datetime() });

const minuteMs = 60_000;
const freshMs = 5_000;
/** How long a report waits for the book that its watch gets at the same moment. */
const bookPatienceMs = 10 * minuteMs;
/** How long it waits for fresh data. */
const dataPatienceMs = 60 * minuteMs;
const lookAgainMs = 20_000;

/** Report schedules of the followed markets, cached for some seconds. */
export function createReportSchedules({
  sql,
  now,
  defaultMarket,
  crawledMarkets: [, ...others],
}: Pick<Runtime, 'sql' | 'now' | 'defaultMarket' | 'crawledMarkets'>): () => Promise<readonly Schedule[]> {
  let known: { at: number; schedules: Promise<readonly Schedule[]> } | null = null;
  const read = async (): Promise<readonly Schedule[]> => {
    // The first market may be a recorded one, which is never crawled.
    const markets = await Promise.all([defaultMarket(), ...others.map((other) => other.market())]);
    const rows = await listReportSchedules(
      sql,
      markets.map(({ id }) => id),
    );
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
    rentsIn: async () => runtime.rentMarket,
  };
  const done: JobEnd = { kind: 'done' };
  const handle = async (job: ClaimedJob): Promise<void> => {
    const { watchId, tickAt } = reportJob.parse(job.data);
    const tick = new Date(tickAt);
    const [watch, last] = [await findWatch(sql, watchId), await findLastReport(sql, watchId)];
    // A job that is repeated after its report was written is done.
    if (watch === null || watch.channelIds.length === 0 || (last !== null && last.sentAt >= tick)) return;
    const places = await watchPlaces(sql, watchId);
    const crawled = places.filter(({ kind }) => kind !== 'recorded').map(({ market }) => market);
    const requests = await requestsOfWatch(sql, watch);
    const moments = crawled.map((market) => {
      const books = requests.find((each) => each.market === market)?.books ?? [];
      return Math.min(...(books.length === 0 ? [0] : books.map(({ observedAt }) => observedAt.getTime())));
    });
    const waitedMs = now().getTime() - tick.getTime();
    const comesNow = previousTick(watch.schedule, tick)?.getTime() === tick.getTime();
    const isOld = (at: number): boolean => now().getTime() - at > config.maxDataAgeMinutes * minuteMs;
    // A market that is down does not delay the report, which says how old that market's book is.
    const waitsForBook = comesNow && moments.some((at) => at < tick.getTime() && !isOld(at));
    const areOld = moments.length > 0 && moments.every(isOld);
    if ((waitsForBook && waitedMs < bookPatienceMs) || (areOld && waitedMs < dataPatienceMs)) {
      const startAfter = new Date(now().getTime() + lookAgainMs);
      const again = { id: randomUUID(), key: job.key, data: job.data, startAfter };
      await queue.add('report', [{ ...again, priority: jobPriority.scheduled }]);
      return;
    }
    if (areOld && crawled.length === places.length) {
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
