import { uuidv7 } from 'uuidv7';
import { seriesKey } from '../books/crawl/crawl-alone.ts';
import { crawlCosts } from '../books/crawl-cost.sql.ts';
import { newestCrawlStart } from '../books/crawls.sql.ts';
import type { Market } from '../books/markets.sql.ts';
import { type CrawlScope, defaultScope, rentedScope } from '../core/crawl-scope.ts';
import type { PricingType } from '../core/offer.ts';
import type { Sql } from '../database/connection.ts';
import type { QueueName } from '../jobs/queues.ts';
import type { Schedule } from '../jobs/scheduler.ts';
import { type SeriesLoad, stretchIntervals } from '../jobs/stretched-interval.ts';
import { nextTaken } from '../jobs/taken-ticks.ts';
import type { Config } from './config.ts';
import type { OffersJob, PlainJob } from './job-data.ts';
import { kindOf } from './open-market.ts';

/** A schedule, for people. */
export interface ScheduleView {
  kind: 'offers' | 'invoices' | 'charges' | 'instances';
  /** Pricing type of offer crawls; null for others. */
  scope: string | null;
  type: PricingType | null;
  cron: string;
  timeZone: string;
  /** The interval that it is stretched to; null: it keeps its cron. */
  everyMinutes: number | null;
  /** Why it is stretched; null: it is not. */
  reason: string | null;
  /** null: it never fires again. */
  nextAt: Date | null;
}

/** A watch's need for books of its scope. */
export interface WatchSchedule {
  scope: CrawlScope;
  types: readonly PricingType[];
  cron: string;
  timeZone: string;
}

export interface Schedules {
  /** The series that the scheduler fires; cached for some seconds. */
  read: () => Promise<readonly Schedule[]>;
  view: () => Promise<ScheduleView[]>;
}

export interface SchedulesOptions {
  sql: Sql;
  config: Config;
  market: () => Promise<Market>;
  /** The queue of its crawls of a type. */
  queueOf: (type: PricingType) => QueueName;
  /** The schedules of the watches that have a scope of their own. */
  watches: (marketId: number) => Promise<readonly WatchSchedule[]>;
  now: () => Date;
}

type Entry = Schedule & Omit<ScheduleView, 'nextAt'>;

const freshMs = 3_000;

/** The schedules of a crawled market, from settings, watches and what its crawls cost; a recorded one has none. */
export function createSchedules(options: SchedulesOptions): Schedules {
  const { sql, config, now } = options;
  let known: { at: number; entries: Promise<readonly Entry[]> } | null = null;
  const read = (): Promise<readonly Entry[]> => {
    const at = now().getTime();
    if (known === null || Math.abs(at - known.at) >= freshMs) {
      const entries = readEntries(options);
      known = { at, entries };
      // A failure is not cached.
      entries.catch(() => {
        known = null;
      });
    }
    return known.entries;
  };
  return {
    read,
    view: async () => {
      const entries = config.role === 'api' ? await readEntries(options) : await read();
      return entries.map((entry) => {
        const { kind, scope, type, cron, timeZone, everyMinutes, reason } = entry;
        return { kind, scope, type, cron, timeZone, everyMinutes, reason, nextAt: nextTaken(entry, now()) };
      });
    },
  };

  async function readEntries({ market, watches }: SchedulesOptions): Promise<readonly Entry[]> {
    const { id: marketId, kind } = await market();
    if (kind === 'recorded') return [];
    const offers = await offerEntries(marketId, await watches(marketId), kind === 'live');
    return [...offers, ...accountEntries(marketId)];
  }

  async function offerEntries(
    marketId: number,
    watches: readonly WatchSchedule[],
    isBudgeted: boolean,
  ): Promise<Entry[]> {
    const wanted = wantedSeries(config, watches);
    const costs = await crawlCosts(
      sql,
      marketId,
      wanted.map(({ scope, type }) => ({ scopeName: scope.name, type })),
    );
    const loads: SeriesLoad[] = wanted.map(({ cron, timeZone, isNarrow }, index) => ({
      cron,
      timeZone,
      isNarrow,
      searches: costs[index]?.pages ?? 0,
    }));
    const stretches = isBudgeted ? stretchIntervals(loads, config.searchesPerMinute, now()) : [];
    return wanted.map(({ scope, type, cron, timeZone, isNarrow }, index) => ({
      kind: 'offers' as const,
      scope: scope.name,
      type,
      cron,
      timeZone,
      everyMinutes: null,
      reason: null,
      ...stretches[index],
      key: seriesKey(marketId, scope.name, type),
      queue: options.queueOf(type),
      jobData: (tickAt): OffersJob => ({
        marketId,
        scope,
        type,
        cause: isNarrow ? 'watch' : 'cron',
        tickAt: tickAt.toISOString(),
        crawlId: uuidv7(),
      }),
      newestCrawl: () =>
        newestCrawlStart(sql, { marketId, kind: 'offers', scopeName: scope.name, type }, now()),
    }));
  }

  function accountEntries(marketId: number): Entry[] {
    const { timeZone, crawlInvoices, crawlInstances } = config;
    const entry = (
      kind: 'invoices' | 'charges' | 'instances',
      cron: string | null,
      queue: Schedule['queue'],
    ): Entry[] => {
      if (cron === null) return [];
      const common = { kind, cron, timeZone, scope: null, type: null, everyMinutes: null, reason: null };
      const jobData = (tickAt: Date): PlainJob => ({
        marketId,
        kind,
        cause: 'cron',
        tickAt: tickAt.toISOString(),
        crawlId: uuidv7(),
      });
      const newestCrawl = () => newestCrawlStart(sql, { marketId, kind, scopeName: kind, type: null }, now());
      return [{ ...common, key: `${marketId}|${kind}`, queue, jobData, newestCrawl }];
    };
    const { parts } = kindOf(config);
    const [forBills, forAccount] = [parts.includes('bills'), parts.includes('account')];
    return [
      ...entry('invoices', forBills ? crawlInvoices : null, 'crawl-billing'),
      ...entry('charges', forBills ? crawlInvoices : null, 'crawl-billing'),
      ...entry('instances', forAccount ? crawlInstances : null, 'poll-instances'),
    ];
  }
}

interface WantedSeries {
  scope: CrawlScope;
  type: PricingType;
  cron: string;
  timeZone: string;
  isNarrow: boolean;
}

function wantedSeries(config: Config, watches: readonly WatchSchedule[]): WantedSeries[] {
  const { crawlOffers: cron, crawlRented, timeZone } = config;
  const { types, listsRented } = kindOf(config);
  const whole = crawlRented && listsRented ? [defaultScope, rentedScope] : [defaultScope];
  const scheduled =
    cron === null
      ? []
      : whole.flatMap((scope) => types.map((type) => ({ scope, type, cron, timeZone, isNarrow: false })));
  const narrow = watches
    .filter(({ scope }) => scope.gpuNames !== null)
    .flatMap(({ scope, types, cron: own, timeZone: zone }) =>
      types.map((type) => ({ scope, type, cron: own, timeZone: zone, isNarrow: true })),
    );
  // Watches with the same scope and schedule share books.
  const distinct = new Map(
    narrow.map((one) => [`${one.scope.name}|${one.type}|${one.cron}|${one.timeZone}`, one]),
  );
  return [...scheduled, ...distinct.values()];
}
