import { uuidv7 } from 'uuidv7';
import type { Db } from '../../database/connection.ts';
import { behind } from '../../database/paging.sql.ts';
import type { Blocklist, BlocklistEntry, BlocklistKind } from './blocklist.ts';

/** A machine or a host, exactly one of the two. */
export type BlocklistTarget = { machineId: number; hostId: null } | { machineId: null; hostId: number };

const columns = (db: Db) => db`
  e.id, m.name as market, e.kind, e.machine_id as "machineId", e.host_id as "hostId", e.note,
  e.added_at as "addedAt"`;

/** Returns the entries of markets in the order they were added: those after the id `after`, null for all. */
export async function listBlocklist(
  db: Db,
  query: {
    marketIds: readonly number[];
    kind: BlocklistKind | null;
    after: string | null;
    limit: number | null;
  },
): Promise<BlocklistEntry[]> {
  const { marketIds, kind, after, limit } = query;
  return await db<BlocklistEntry[]>`
    select ${columns(db)} from blocklist_entry e join market m on m.id = e.market_id
    where e.market_id = any(${[...marketIds]}::int[]) and ${kind === null ? db`true` : db`e.kind = ${kind}`}
      and ${behind(db, 'e.id', 'ascending', after)}
    order by e.id limit ${limit}`;
}

/** Adds a machine or host; a listed one keeps its place and gets the new kind and note. */
export async function putOnBlocklist(
  db: Db,
  entry: { marketId: number; kind: BlocklistKind; note: string | null; at: Date } & BlocklistTarget,
): Promise<BlocklistEntry> {
  const { marketId, kind, machineId, hostId, note, at } = entry;
  const key = machineId === null ? db`host_id` : db`machine_id`;
  const [row] = await db<BlocklistEntry[]>`
    with e as (
      insert into blocklist_entry (id, market_id, kind, machine_id, host_id, note, added_at)
      values (${uuidv7()}, ${marketId}, ${kind}, ${machineId}, ${hostId}, ${note}, ${at})
      on conflict (market_id, ${key}) do update set kind = excluded.kind, note = excluded.note
      returning *)
    select ${columns(db)} from e join market m on m.id = e.market_id`;
  if (row === undefined) throw new Error('the entry of the block list was not stored');
  return row;
}

/** Removes an entry; false if there is none with this id. */
export async function removeFromBlocklist(db: Db, id: string): Promise<boolean> {
  const removed = await db`delete from blocklist_entry where id = ${id} returning id`;
  return removed.length > 0;
}

/** Returns a market's block list for look-ups. */
export async function readBlocklist(db: Db, marketId: number): Promise<Blocklist> {
  const entries = await db<Pick<BlocklistEntry, 'kind' | 'machineId' | 'hostId'>[]>`
    select kind, machine_id as "machineId", host_id as "hostId" from blocklist_entry
    where market_id = ${marketId}`;
  const listed = (kind: BlocklistKind) => {
    const own = entries.filter((entry) => entry.kind === kind);
    const ids = (name: 'machineId' | 'hostId') =>
      new Set(own.map((entry) => entry[name]).filter((id) => id !== null));
    return { machineIds: ids('machineId'), hostIds: ids('hostId') };
  };
  return { block: listed('block'), prefer: listed('prefer') };
}
