import type { CoverageCertificate } from '../domain/coverage.ts';
import type { PricingType } from '../domain/offer.ts';
import type { Db } from './connection.ts';

export type RunCause = 'cron' | 'command' | 'api' | 'import' | 'seed';
export type RunOutcome = 'complete' | 'partial' | 'failed' | 'unchanged';

/** Notes that an attempt at a book has begun. `id` is a UUID of version 7. */
export async function startRun(
  db: Db,
  run: {
    id: string;
    marketId: number;
    scopeName: string;
    type: PricingType;
    cause: RunCause;
    startedAt: Date;
  },
): Promise<void> {
  await db`insert into crawl_run (id, market_id, kind, scope_name, type, cause, started_at)
    values (${run.id}, ${run.marketId}, 'offers', ${run.scopeName}, ${run.type}, ${run.cause}, ${run.startedAt})`;
}

/** Notes how the attempt ended. `reason` is null exactly when a complete or unchanged book came of it. */
export async function finishRun(
  db: Db,
  id: string,
  end: {
    outcome: RunOutcome;
    reason: string | null;
    certificate: CoverageCertificate | null;
    bookId: number | null;
    endedAt: Date;
  },
): Promise<void> {
  await db`update crawl_run set outcome = ${end.outcome}, reason = ${end.reason}, book_id = ${end.bookId},
    certificate = ${end.certificate === null ? null : db.json({ ...end.certificate })},
    ended_at = ${end.endedAt}
    where id = ${id}`;
}

/** Whether a book was ever crawled from the market: seeded and imported ones do not count. */
export async function hasCrawled(db: Db, marketId: number): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (select from crawl_run where market_id = ${marketId} and cause in ('cron', 'command', 'api')
      and outcome in ('complete', 'partial')) as found`;
  return row?.found ?? false;
}

/** When the newest crawl began that gave a book; null when there was none. */
export async function newestRunStart(db: Db, marketId: number): Promise<Date | null> {
  const [row] = await db<{ startedAt: Date | null }[]>`
    select max(started_at) as "startedAt" from crawl_run
    where market_id = ${marketId} and cause in ('cron', 'command', 'api') and outcome in ('complete', 'partial')`;
  return row?.startedAt ?? null;
}

/**
 * Ends, as failed, the runs of a market that began before `before` and never ended: their process was killed.
 * Returns how many.
 */
export async function closeInterruptedRuns(db: Db, marketId: number, before: Date): Promise<number> {
  const closed = await db`
    update crawl_run set outcome = 'failed', reason = 'interrupted: the process ended before it was done',
      ended_at = now()
    where market_id = ${marketId} and outcome is null and started_at < ${before} returning id`;
  return closed.length;
}
