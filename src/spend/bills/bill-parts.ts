import type { Sql } from '../../database/connection.ts';
import { type BillingWalk, rowsPerPart, startWalk } from './bill-walk.ts';
import { startAfter } from './staged.sql.ts';
import type { OpenSync } from './syncs.sql.ts';

/**
 * Returns the walk over the part of the window that begins at `from`. A part holds about one page, judged by the first
 * round and, on a retry, by the previous attempt too. A part that fits on one page shows one moment of the market, so
 * nothing can move between pages; and since an entry's start never changes, each entry is in exactly one part.
 */
export async function planPart(
  sql: Sql,
  { unitMs }: { unitMs: number },
  sync: OpenSync,
  part: Pick<BillingWalk, 'from' | 'attempt' | 'failedParts'>,
): Promise<BillingWalk> {
  const { walk } = sync;
  const isRetry = part.attempt > 1;
  const begin = part.from === null ? null : new Date(part.from);
  const rows = rowsPerPart(walk, part.attempt);
  const ends = [
    sync.to,
    await startAfter(sql, sync.id, 'first round', begin, rows),
    isRetry ? await startAfter(sql, sync.id, walk, begin, rows) : null,
  ];
  const next = Math.min(...ends.map((end) => end?.getTime() ?? Number.POSITIVE_INFINITY));
  const least = (begin?.getTime() ?? -unitMs) + unitMs;
  const end = Math.max(Math.floor(next / unitMs) * unitMs, least);
  const to = Number.isFinite(end) ? new Date(end).toISOString() : null;
  const isSame = walk.round === 2 && walk.from === part.from && walk.to === to;
  return startWalk(
    { from: part.from, to },
    {
      ...part,
      round: 2,
      afterPage: sync.pages,
      capacity: walk.capacity,
      rowsBefore: walk.round === 1 ? 0 : walk.rowsBefore + (isRetry ? 0 : walk.rows),
      digestBefore: isSame ? walk.digest : null,
    },
  );
}
