import type { CrawlCause, CrawlEnd } from '../../books/crawls.sql.ts';
import type { Db } from '../../database/connection.ts';

/** One poll of the instances as an entry of the crawl history. */
export interface InstanceCrawl {
  /** A version 7 UUID. */
  id: string;
  marketId: number;
  cause: CrawlCause;
  tickAt: Date | null;
  jobId: string | null;
  startedAt: Date;
  endedAt: Date;
  outcome: CrawlEnd;
  /** null exactly when every instance was read. */
  reason: string | null;
}

/**
 * Adds a poll to the history if a person requested it, something changed, or its outcome differs from the previous one.
 * Polls that only confirm are left out: there are thousands a day.
 */
export async function recordInstanceCrawl(db: Db, crawl: InstanceCrawl): Promise<void> {
  const asked = crawl.cause === 'command' || crawl.cause === 'api';
  if (!asked && crawl.outcome !== 'complete' && !(await differs(db, crawl))) return;
  await db`
    insert into crawl (id, market_id, kind, scope_name, cause, tick_at, job_id, started_at, ended_at, outcome,
      reason)
    values (${crawl.id}, ${crawl.marketId}, 'instances', 'instances', ${crawl.cause}, ${crawl.tickAt}, ${crawl.jobId},
      ${crawl.startedAt}, ${crawl.endedAt}, ${crawl.outcome}, ${crawl.reason})`;
}

async function differs(db: Db, { marketId, reason }: InstanceCrawl): Promise<boolean> {
  const [newest] = await db<{ reason: string | null }[]>`
    select reason from crawl
    where market_id = ${marketId} and kind = 'instances' and scope_name = 'instances' and type is null
    order by started_at desc limit 1`;
  return (newest?.reason ?? null) !== reason;
}
