import type { Db } from '../../database/connection.ts';
import type { Channel } from './channel.ts';

/** A channel with its sealed secret. */
export interface StoredChannel extends Channel {
  /** null: it has none. */
  secret: string | null;
}

const columns = (db: Db) => db`id, kind, name, config, secret, created_at as "createdAt"`;

/** Channels by name: those behind the name `after`, null for all; at most `limit`, null for all. */
export async function listChannels(
  db: Db,
  { after, limit }: { after: string | null; limit: number | null },
): Promise<StoredChannel[]> {
  return await db<StoredChannel[]>`
    select ${columns(db)} from channel where ${after === null ? db`true` : db`name > ${after}`}
    order by name limit ${limit}`;
}

/** One channel; null: no such id. */
export async function findChannel(db: Db, id: string): Promise<StoredChannel | null> {
  const [row] = await db<StoredChannel[]>`select ${columns(db)} from channel where id = ${id}`;
  return row ?? null;
}

/** Those of the ids that are channels. */
export async function knownChannels(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`select id from channel where id = any(${[...ids]}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

/** Stores a channel, or changes the one with its id; false: another has its name. */
export async function saveChannel(db: Db, channel: StoredChannel): Promise<boolean> {
  const { id, kind, name, config, secret, createdAt } = channel;
  try {
    await db`
      insert into channel (id, kind, name, config, secret, created_at)
      values (${id}, ${kind}, ${name}, ${db.json({ ...config } as never)}, ${secret}, ${createdAt})
      on conflict (id) do update set name = excluded.name, config = excluded.config, secret = excluded.secret`;
    return true;
  } catch (error) {
    if ((error as { constraint_name?: unknown }).constraint_name === 'channel_name') return false;
    throw error;
  }
}

/** Ends a channel with its deliveries, and takes it from watches and rules; false: no such id. */
export async function deleteChannel(db: Db, id: string): Promise<boolean> {
  const ended = await db`
    with from_watches as (
      update watch set channel_ids = array_remove(channel_ids, ${id}::uuid) where ${id}::uuid = any(channel_ids)
    ), from_rules as (
      update rule set channel_ids = array_remove(channel_ids, ${id}::uuid) where ${id}::uuid = any(channel_ids)
    )
    delete from channel where id = ${id} returning id`;
  return ended.length > 0;
}

/** Whether the database holds anything that was sealed with a key of secrets. */
export async function hasSealedSecrets(db: Db): Promise<boolean> {
  const [row] = await db<{ sealed: boolean }[]>`
    select exists (select from channel where secret is not null)
      or exists (select from rental where sealed_wish is not null) as sealed`;
  return row?.sealed ?? false;
}
