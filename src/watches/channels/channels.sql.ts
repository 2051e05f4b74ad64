import { on } from '../../database/builder.ts';
import type { Db } from '../../database/connection.ts';
import { eq, gt, inArray } from '../../database/drizzle.ts';
import { channel as channelTable } from '../../database/schema/notify.ts';
import type { Channel } from './channel.ts';

/** A channel with its sealed secret. */
export interface StoredChannel extends Channel {
  /** null: it has none. */
  secret: string | null;
}

/** Returns channels by name, starting behind the name `after` (null: from the start); at most `limit` (null: all). */
export async function listChannels(
  db: Db,
  { after, limit }: { after: string | null; limit: number | null },
): Promise<StoredChannel[]> {
  const { name } = channelTable;
  const asked = on(db)
    .select()
    .from(channelTable)
    .where(after === null ? undefined : gt(name, after))
    .orderBy(name);
  return (await (limit === null ? asked : asked.limit(limit))) as StoredChannel[];
}

/** Returns one channel; null: unknown id. */
export async function findChannel(db: Db, id: string): Promise<StoredChannel | null> {
  const [row] = await on(db).select().from(channelTable).where(eq(channelTable.id, id));
  return (row as StoredChannel | undefined) ?? null;
}

/** Returns the ids among the given ones that are channels. */
export async function knownChannels(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { id } = channelTable;
  const rows = await on(db)
    .select({ id })
    .from(channelTable)
    .where(inArray(id, [...ids]));
  return new Set(rows.map((row) => row.id));
}

/** A channel to store; it is on unless there is a reason. */
type ChannelToStore = Omit<StoredChannel, 'offReason'> & Partial<Pick<StoredChannel, 'offReason'>>;

/** Stores a new channel or changes the one with its id; false: the name is taken. */
export async function saveChannel(db: Db, channel: ChannelToStore): Promise<boolean> {
  const { name, config, secret, offReason = null } = channel;
  try {
    await on(db)
      .insert(channelTable)
      .values(channel)
      .onConflictDoUpdate({ target: channelTable.id, set: { name, config, secret, offReason } });
    return true;
  } catch (error) {
    if ((error as { constraint_name?: unknown }).constraint_name === 'channel_name') return false;
    throw error;
  }
}

/** Switches a channel off for a reason, or on again with null. */
export async function switchChannel(db: Db, id: string, offReason: string | null): Promise<void> {
  await on(db).update(channelTable).set({ offReason }).where(eq(channelTable.id, id));
}

/** Deletes a channel with its deliveries, and removes it from watches and rules; false: unknown id. */
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

/** Whether the database contains anything sealed with a secrets key. */
export async function hasSealedSecrets(db: Db): Promise<boolean> {
  const [row] = await db<{ sealed: boolean }[]>`
    select exists (select from channel where secret is not null)
      or exists (select from push_key)
      or exists (select from rental where sealed_request is not null) as sealed`;
  return row?.sealed ?? false;
}
