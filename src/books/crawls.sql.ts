import type { CoverageCertificate } from '../core/coverage.ts';
import { UserError } from '../core/errors.ts';
import type { PricingType } from '../core/offer.ts';
import { on } from '../database/builder.ts';
import type { Db } from '../database/connection.ts';
import { and, eq, isNull } from '../database/drizzle.ts';
import { crawl as crawlTable } from '../database/schema/crawl.ts';

export type CrawlCause = 'cron' | 'command' | 'api' | 'watch' | 'import' | 'seed';
export type CrawlEnd = 'complete' | 'partial' | 'failed' | 'unchanged';

/** Records the start of an attempt at a book. `id` is a version 7 UUID. */
export async function startCrawl(
  db: Db,
  crawl: {
    id: string;
    marketId: number;
    scopeName: string;
    type: PricingType;
    cause: CrawlCause;
    startedAt: Date;
    /** The scheduled moment. @default null: not scheduled */
    tickAt?: Date | null;
    /** Id of its job. @default null: not from the queue */
    jobId?: string | null;
    /** The imported file's name. @default null: not an import */
    source?: string | null;
  },
): Promise<void> {
  await on(db)
    .insert(crawlTable)
    .values({ ...crawl, kind: 'offers' });
}

/**
 * Records the end of an attempt; leaves an ended one as it is. `reason` is null exactly if it produced a complete or
 * unchanged book.
 */
export async function finishCrawl(
  db: Db,
  id: string,
  end: {
    outcome: CrawlEnd;
    reason: string | null;
    certificate: CoverageCertificate | null;
    bookId: number | null;
    endedAt: Date;
  },
): Promise<void> {
  await on(db)
    .update(crawlTable)
    .set(end)
    .where(and(eq(crawlTable.id, id), isNull(crawlTable.outcome)));
}

/**
 * Ends an attempt in the transaction of its book, so that the book exists exactly if the attempt succeeded. Throws
 * UserError if another process ended the attempt meanwhile.
 */
export async function finishLandedCrawl(db: Db, crawlIds: readonly string[], bookId: number): Promise<void> {
  const finished = await db`
    update crawl r set outcome = b.verdict, reason = b.reason, book_id = b.id,
      certificate = b.certificate, ended_at = clock_timestamp()
    from book b join scope s on s.id = b.scope_id
    where b.id = ${bookId} and r.id in ${db([...crawlIds])} and r.scope_name = s.name and r.type = b.type
      and r.outcome is null
    returning r.id`;
  if (finished.length === 0) {
    throw new UserError('Another process has taken over this crawl: nothing was stored here.');
  }
}

/** Whether any book was crawled from the market; seeds and imports do not count. */
export async function hasCrawled(db: Db, marketId: number): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (select from crawl where market_id = ${marketId} and kind = 'offers'
      and cause in ('cron', 'command', 'api') and outcome in ('complete', 'partial')) as found`;
  return row?.found ?? false;
}

/** Common fields of the crawls of one schedule. */
export interface CrawlSeries {
  marketId: number;
  /** `offers`, `invoices`, `charges` or `instances`. */
  kind: string;
  scopeName: string;
  /** null: the kind has no pricing types. */
  type: PricingType | null;
}

/**
 * Returns the latest start of a crawl that counts as begun. A clock that was ahead leaves crawls in the future, which
 * must not hide newer ones; a minute is allowed for processes on other machines.
 */
export const latestStart = (now: Date): Date => new Date(now.getTime() + 60_000);

/** Returns when the newest successful crawl of the series began; null: none. Seeds and crawls ahead of the clock do not count. */
export async function newestCrawlStart(db: Db, series: CrawlSeries, now: Date): Promise<Date | null> {
  const [row] = await db<{ startedAt: Date | null }[]>`
    select max(started_at) as "startedAt" from crawl
    where ${ofSeries(db, series)} and cause not in ('import', 'seed') and outcome <> 'failed'
      and started_at <= ${latestStart(now)}`;
  return row?.startedAt ?? null;
}

/** Returns the tick of the series' first scheduled crawl, whatever its outcome; null: none. */
export async function firstTick(db: Db, series: CrawlSeries): Promise<Date | null> {
  const [row] = await db<{ tickAt: Date }[]>`
    select tick_at as "tickAt" from crawl where ${ofSeries(db, series)} and tick_at is not null
    order by started_at limit 1`;
  return row?.tickAt ?? null;
}

/** Whether a crawl of the series has produced the book of this job or tick. */
export async function isCrawlDone(
  db: Db,
  series: CrawlSeries,
  of: { jobId: string | null; tickAt: Date | null },
): Promise<boolean> {
  const [row] = await db<{ done: boolean }[]>`
    select exists (select from crawl where ${ofSeries(db, series)} and outcome <> 'failed'
      and (job_id = ${of.jobId} or tick_at = ${of.tickAt})) as done`;
  return row?.done ?? false;
}

/**
 * Marks crawls of the series that never ended as failed. Only for the holder of the series' crawl lock, because then
 * their processes are dead or suspended. Imports and seeds, which take no lock, count as dead after a day. Waits for a
 * crawl that is being stored. Returns their number.
 */
export async function closeInterruptedCrawls(db: Db, series: CrawlSeries): Promise<number> {
  const closed = await db`
    update crawl set outcome = 'failed', reason = 'interrupted: the process ended before it was done',
      ended_at = now()
    where ${ofSeries(db, series)} and outcome is null
      and (cause not in ('import', 'seed') or started_at < now() - interval '1 day')
    returning id`;
  return closed.length;
}

const ofSeries = (db: Db, { marketId, kind, scopeName, type }: CrawlSeries) => db`
  market_id = ${marketId} and kind = ${kind} and scope_name = ${scopeName}
  and type is not distinct from ${type}`;
