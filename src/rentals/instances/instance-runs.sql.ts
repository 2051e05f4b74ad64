import type { RunCause, RunOutcome } from '../../books/crawl-runs.sql.ts';
import type { Db } from '../../database/connection.ts';

/** One poll of the instances as an entry of the run history. */
export interface InstanceRun {
  /** A UUID of version 7. */
  id: string;
  marketId: number;
  cause: RunCause;
  tickAt: Date | null;
  jobId: string | null;
  startedAt: Date;
  endedAt: Date;
  outcome: RunOutcome;
  /** null exactly when every instance was read. */
  reason: string | null;
}

/**
 * Adds the run to the history where it says something: a person asked for it, something changed, or it went
 * otherwise than the run before. Polls that only confirm leave none: there are thousands a day.
 */
export async function noteInstanceRun(db: Db, run: InstanceRun): Promise<void> {
  const asked = run.cause === 'command' || run.cause === 'api';
  if (!asked && run.outcome !== 'complete' && !(await differs(db, run))) return;
  await db`
    insert into crawl (id, market_id, kind, scope_name, cause, tick_at, job_id, started_at, ended_at, outcome,
      reason)
    values (${run.id}, ${run.marketId}, 'instances', 'instances', ${run.cause}, ${run.tickAt}, ${run.jobId},
      ${run.startedAt}, ${run.endedAt}, ${run.outcome}, ${run.reason})`;
}

async function differs(db: Db, { marketId, reason }: InstanceRun): Promise<boolean> {
  const [newest] = await db<{ reason: string | null }[]>`
    select reason from crawl
    where market_id = ${marketId} and kind = 'instances' and scope_name = 'instances' and type is null
    order by started_at desc limit 1`;
  return (newest?.reason ?? null) !== reason;
}
