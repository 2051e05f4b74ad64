import { type BillingCertificate, blankBillingCertificate } from '../../books/billing-certificate.ts';
import { takeCrawlLock } from '../../books/crawl/crawl-lock.sql.ts';
import { failureReason } from '../../books/crawl/failure-reason.ts';
import {
  type CrawlCause,
  type CrawlSeries,
  closeInterruptedCrawls,
  isCrawlDone,
} from '../../books/crawls.sql.ts';
import type { Log } from '../../core/log.ts';
import { orAborted } from '../../core/or-aborted.ts';
import type { Sql } from '../../database/connection.ts';
import type { MarketBills } from '../../market/bills.ts';
import type { AskAgain } from '../../market/crawl-book.ts';
import { type BillingKind, billingNames } from './bill.ts';
import { failBillCrawl, startBillCrawl } from './bill-crawls.sql.ts';
import type { BillingReader } from './bill-reader.ts';
import { type BillingSource, billingSource } from './bill-source.ts';
import { newSync, readToEnd } from './bill-sync.ts';
import { abandonSync, findOpenSync, newestWholeSync, type OpenSync, oldestMissed } from './syncs.sql.ts';

export interface BillingCrawler {
  sql: Sql;
  bills: MarketBills | null;
  /** @default every call is made once */
  askAgain?: AskAgain | undefined;
  marketId: number;
  log: Log;
  now: () => Date;
  /** Returns a version 7 UUID. */
  newId: () => string;
  /** Entries per page. @default the market's default */
  pageLimit?: number | undefined;
  /** For tests and proofs. */
  onPhase?: ((phase: 'paging' | 'merge') => void) | undefined;
}

export interface CrawlBillsOptions {
  /** A UUID of version 7. */
  crawlId: string;
  kind: BillingKind;
  cause: CrawlCause;
  tickAt: Date | null;
  jobId: string | null;
  /** true: reads the whole history, not only what may still change. @default false */
  all?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Rows read and their total; null: the market does not say. */
  onProgress?: ((done: number, total: number | null) => void) | undefined;
}

/** How a crawl of invoices or charges ended. */
export type BillingOutcome = { crawlId: string; of: BillingKind } & (
  | { kind: 'complete'; certificate: BillingCertificate }
  | { kind: 'partial'; certificate: BillingCertificate; reason: string }
  /** Nothing was stored; the next crawl continues after the pages already read. */
  | { kind: 'failed'; certificate: BillingCertificate; reason: string; error: unknown }
  /** An earlier attempt at the same job or tick did it: nothing was read. */
  | { kind: 'done before' }
  /** The market does not list them. */
  | { kind: 'absent'; reason: string }
);

/** How long before the newest sync entries may still change. Source: docs/meaning.md#bills. */
const overlapMs = 45 * 86_400_000;
/** After this idle time a sync starts over, because its pages are old. */
const maxIdleMs = 24 * 3_600_000;

/**
 * Reads the invoices or charges of a market: the first time all of them, then what may have changed since. Continues an
 * interrupted sync, and waits while another process reads the same. Never throws for the market or the database: a
 * failed crawl is an outcome, recorded with its reason once it has begun.
 */
export async function crawlBilling(
  crawler: BillingCrawler,
  options: CrawlBillsOptions,
): Promise<BillingOutcome> {
  const { sql, log, marketId } = crawler;
  const { crawlId, kind, signal } = options;
  const name = billingNames[kind];
  const { bills, askAgain, pageLimit } = crawler;
  const source = billingSource(bills, kind, { askAgain, limit: pageLimit });
  if (source === null) {
    return { crawlId, of: kind, kind: 'absent', reason: `This market does not list ${name}: nothing to do.` };
  }
  const fail = (error: unknown, certificate: BillingCertificate) => {
    const { reason, explained } = signal?.aborted
      ? { reason: 'stopped; the next crawl continues from there', explained: true }
      : failureReason(error);
    log.error({ crawlId, kind, ...(explained ? {} : { err: error }) }, `crawl of ${name} failed: ${reason}`);
    return { crawlId, of: kind, kind: 'failed', certificate, reason, error } as const;
  };
  try {
    return await whileLocked(crawler, options, async (alone) => {
      const series: CrawlSeries = { marketId, kind: name, scopeName: name, type: null };
      await closeInterruptedCrawls(sql, series);
      if (await isCrawlDone(sql, series, options)) return { crawlId, of: kind, kind: 'done before' };
      return await readAsCrawl(crawler, options, source, alone, fail);
    });
  } catch (error) {
    return fail(error, blankBillingCertificate());
  }
}

/** Runs `work` while no other process reads the same; the signal aborts when that can no longer be guaranteed. */
async function whileLocked<T>(
  { sql, marketId, log }: BillingCrawler,
  { crawlId, kind, signal }: CrawlBillsOptions,
  work: (alone: AbortSignal) => Promise<T>,
): Promise<T> {
  const name = billingNames[kind];
  const onWait = () =>
    log.info({ crawlId, kind }, `the ${name} are already being read: waiting for the other process`);
  const lock = await takeCrawlLock(sql, [`${marketId}|${name}`], { signal, onWait });
  try {
    // A query on a connection that is breaking may never end.
    return await orAborted(
      work(signal === undefined ? lock.lost : AbortSignal.any([signal, lock.lost])),
      lock.lost,
    );
  } finally {
    await lock.release();
  }
}

/** Records a sync, or the rest of one, as a crawl, which ends in the transaction that merges the rows. */
async function readAsCrawl(
  crawler: BillingCrawler,
  options: CrawlBillsOptions,
  source: BillingSource,
  signal: AbortSignal,
  fail: (error: unknown, certificate: BillingCertificate) => BillingOutcome & { kind: 'failed' },
): Promise<BillingOutcome> {
  const { sql, log, now, marketId, onPhase } = crawler;
  const { crawlId, kind, onProgress } = options;
  let certificate = blankBillingCertificate();
  const onStep = (sync: OpenSync) => {
    certificate = sync.certificate;
  };
  const market = { marketId, kind };
  const reader: BillingReader = { sql, source, market, crawlId, now, signal, onPhase, onProgress, onStep };
  try {
    await startBillCrawl(sql, { ...options, id: crawlId, marketId, startedAt: now() });
    const ended = await readToEnd(reader, await openSync(crawler, options, reader));
    const { reason } = ended;
    log.info({ crawlId, kind, ...ended.certificate.kept, reason }, `${billingNames[kind]} read`);
    const common = { crawlId, of: kind, certificate: ended.certificate };
    return reason === null ? { ...common, kind: 'complete' } : { ...common, kind: 'partial', reason };
  } catch (error) {
    const outcome = fail(error, certificate);
    const { reason } = outcome;
    await failBillCrawl(sql, crawlId, { reason, certificate, endedAt: now() }).catch(() => {});
    return outcome;
  }
}

/** Returns the sync to continue: the open one, or a new one. */
async function openSync(
  { sql, marketId, now, newId }: BillingCrawler,
  { kind, all = false }: CrawlBillsOptions,
  reader: BillingReader,
): Promise<OpenSync> {
  const open = await findOpenSync(sql, marketId, kind);
  if (open !== null) {
    if (open.idleMs <= maxIdleMs && (!all || open.from === null)) return open;
    const reason = all ? 'replaced by a sync of the whole history' : 'interrupted more than a day ago';
    await abandonSync(sql, open.id, { at: now(), reason });
  }
  const newest = all ? null : await newestWholeSync(sql, marketId, kind);
  const missed = newest === null ? null : await oldestMissed(sql, marketId, kind);
  const since =
    newest === null
      ? null
      : Math.min(newest.getTime() - overlapMs, missed?.getTime() ?? Number.POSITIVE_INFINITY);
  const { unitMs, endOf } = reader.source;
  const from = since === null ? null : new Date(Math.floor(since / unitMs) * unitMs);
  return await newSync(reader, { id: newId(), startedAt: now(), from, to: endOf(now()) });
}
