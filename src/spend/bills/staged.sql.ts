import type { Db } from '../../database/connection.ts';

/** Counts entries that are on more than one page after `afterPage`, in any round. */
export async function countRepeated(db: Db, syncId: string, afterPage: number): Promise<number> {
  const [row] = await db<{ repeated: number }[]>`
    select count(*) as repeated from (
      select from billing_staged where sync_id = ${syncId} and page > ${afterPage} and identity is not null
      group by identity having min(page) <> max(page)) as twice`;
  return row?.repeated ?? 0;
}

/**
 * Returns the start of the entry that follows `rows` others from `from` on, judged by the first round and the pages
 * after `afterPage`; null: there are fewer.
 */
export async function startAfter(
  db: Db,
  syncId: string,
  pages: 'first round' | { afterPage: number },
  from: Date | null,
  rows: number,
): Promise<Date | null> {
  const given = pages === 'first round' ? db`round = 1` : db`page > ${pages.afterPage}`;
  const [row] = await db<{ startAt: Date }[]>`
    select start_at as "startAt" from billing_staged
    where sync_id = ${syncId} and ${given} and start_at >= coalesce(${from}::timestamptz, '-infinity')
    order by start_at offset ${rows} limit 1`;
  return row?.startAt ?? null;
}

/** Counts the unreadable rows of a round by reason. */
export async function countRejected(db: Db, syncId: string, round: number): Promise<Record<string, number>> {
  const rows = await db<{ reason: string; rows: number }[]>`
    select rejected as reason, count(*) as rows from billing_staged
    where sync_id = ${syncId} and round = ${round} and rejected is not null group by rejected order by rejected`;
  return Object.fromEntries(rows.map(({ reason, rows: count }) => [reason, count]));
}
