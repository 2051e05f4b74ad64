import type { BillingCertificate } from '../../books/billing-certificate.ts';
import type { Db, Sql } from '../../database/connection.ts';
import type { BillingEntry, BillingKind, BillingRange } from './bill.ts';
import { certificateJson } from './bill-crawls.sql.ts';
import type { BillingWalk } from './bill-walk.ts';

/** An open sync: its range and position. */
export interface OpenSync extends BillingRange {
  id: string;
  startedAt: Date;
  /** Incremented by each change. */
  turn: number;
  /** Pages stored. */
  pages: number;
  walk: BillingWalk;
  certificate: BillingCertificate;
}

/** The result of a step. */
export interface SyncStep {
  walk: BillingWalk;
  certificate: BillingCertificate;
}

/** A row of a response; a charge has one row per item. */
export type StagedRow = { entry: BillingEntry } | { rejected: string };

/** Starts a sync of a window. */
export async function beginSync(
  db: Db,
  sync: {
    id: string;
    marketId: number;
    kind: BillingKind;
    range: BillingRange;
    startedAt: Date;
    walk: BillingWalk;
    certificate: BillingCertificate;
  },
): Promise<OpenSync> {
  const { id, marketId, kind, range, startedAt, walk, certificate } = sync;
  await db`
    insert into billing_sync (id, market_id, kind, from_at, to_at, started_at, advanced_at, state, walk, certificate)
    values (${id}, ${marketId}, ${kind}, ${range.from}, ${range.to}, ${startedAt}, clock_timestamp(), 'open',
      ${db.json({ ...walk })}, ${db.json(certificateJson(certificate))})`;
  return { id, ...range, startedAt, turn: 0, pages: 0, walk, certificate };
}

/** Returns the open sync of a kind and how long it has been idle; null: none is open. */
export async function findOpenSync(
  db: Db,
  marketId: number,
  kind: BillingKind,
): Promise<(OpenSync & { idleMs: number }) | null> {
  const [row] = await db<(OpenSync & { idleMs: number })[]>`
    select id, from_at as "from", to_at as "to", started_at as "startedAt", turn, pages, walk, certificate,
      (extract(epoch from clock_timestamp() - advanced_at) * 1000)::float8 as "idleMs"
    from billing_sync where market_id = ${marketId} and kind = ${kind} and state = 'open'
    order by started_at desc limit 1`;
  return row ?? null;
}

/**
 * Returns when the newest sync began that received every row of its window, readable or not; null: there was none, so
 * the whole history must still be read.
 */
export async function newestWholeSync(db: Db, marketId: number, kind: BillingKind): Promise<Date | null> {
  const [row] = await db<{ startedAt: Date | null }[]>`
    select max(started_at) as "startedAt" from billing_sync
    where market_id = ${marketId} and kind = ${kind} and whole`;
  return row?.startedAt ?? null;
}

/**
 * Returns the oldest start of entries that were missed but have not disappeared yet, which a sync must reach back to;
 * null: there are none.
 */
export async function oldestMissed(db: Db, marketId: number, kind: BillingKind): Promise<Date | null> {
  const [row] = await db<{ startAt: Date | null }[]>`
    select min(start_at) as "startAt" from billing_entry
    where market_id = ${marketId} and kind = ${kind} and missed_readings > 0 and disappeared_at is null`;
  return row?.startAt ?? null;
}

/**
 * Stores a page and the state after it, both or neither. Returns the sync after it; null: another process has continued
 * it, and nothing was stored.
 */
export async function savePage(
  sql: Sql,
  sync: OpenSync,
  rows: readonly StagedRow[],
  step: SyncStep,
): Promise<OpenSync | null> {
  const page = sync.pages + 1;
  return await sql.begin(async (tx) => {
    const moved = await moveOn(tx, sync, step, page);
    if (moved !== null) await stageRows(tx, sync.id, { page, round: step.walk.round }, rows);
    return moved;
  });
}

/**
 * Moves a sync to another range, restarts it, or takes it over without a change of its walk; deletes rows of pages
 * after `dropAfter`. Returns null as `savePage` does.
 */
export async function advanceSync(
  sql: Sql,
  sync: OpenSync,
  step: SyncStep & { dropAfter: number | null },
): Promise<OpenSync | null> {
  return await sql.begin(async (tx) => {
    const moved = await moveOn(tx, sync, step, sync.pages);
    if (moved !== null && step.dropAfter !== null) {
      await tx`delete from billing_staged where sync_id = ${sync.id} and page > ${step.dropAfter}`;
    }
    return moved;
  });
}

async function moveOn(
  tx: Db,
  sync: OpenSync,
  { walk, certificate }: SyncStep,
  pages: number,
): Promise<OpenSync | null> {
  const [row] = await tx<{ turn: number }[]>`
    update billing_sync set turn = turn + 1, pages = ${pages}, advanced_at = clock_timestamp(),
      first_total = ${certificate.firstTotal}, last_total = ${certificate.lastTotal},
      walk = ${tx.json({ ...walk })}, certificate = ${tx.json(certificateJson(certificate))}
    where id = ${sync.id} and state = 'open' and turn = ${sync.turn}
    returning turn`;
  return row === undefined ? null : { ...sync, turn: row.turn, pages, walk, certificate };
}

async function stageRows(
  tx: Db,
  syncId: string,
  { page, round }: { page: number; round: number },
  rows: readonly StagedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const records = rows.map((row, index) => {
    const place = index + 1;
    if ('rejected' in row) return { place, rejected: row.rejected };
    const { identity, contentHash, startAt, fields, raw } = row.entry;
    return {
      place,
      identity,
      content_hash: contentHash,
      start_at: startAt.toISOString(),
      entry: plain(fields),
      raw,
    };
  });
  await tx`
    insert into billing_staged (sync_id, page, place, round, rejected, identity, content_hash, start_at, entry, raw)
    select ${syncId}, ${page}, place, ${round}, rejected, identity, content_hash, start_at, entry, raw
    from jsonb_to_recordset(${tx.json(records)}) as r(place integer, rejected text, identity text,
      content_hash text, start_at timestamptz, entry jsonb, raw text)`;
}

/** Returns the fields with dates as text. */
const plain = (fields: BillingEntry['fields']): Record<string, string | number | null> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, string | number | null] => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  );

/** Abandons a sync and deletes its rows. */
export async function abandonSync(sql: Sql, id: string, end: { at: Date; reason: string }): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update billing_sync set state = 'failed', reason = ${end.reason}, ended_at = ${end.at}, turn = turn + 1
      where id = ${id} and state = 'open'`;
    await tx`delete from billing_staged where sync_id = ${id}`;
  });
}
