import { uuidv7 } from 'uuidv7';
import type { Db, Sql } from '../../database/connection.ts';
import { behind } from '../../database/paging.sql.ts';
import type { DeliveryState } from './channel.ts';
import type { Notice } from './notice.ts';

/** One notice for one channel, as lists show it. */
export interface Delivery {
  id: string;
  channelId: string;
  channelName: string;
  kind: string;
  title: string;
  watchId: string | null;
  ruleId: string | null;
  state: DeliveryState;
  attempts: number;
  createdAt: Date;
  /** When somebody last had it sent again; null: never. */
  replayedAt: Date | null;
  /** When its 24 hours began: its first attempt, or that of an earlier delivery that delayed it; null: not yet. */
  firstAttemptAt: Date | null;
  /** null: not finished. */
  nextAttemptAt: Date | null;
  endedAt: Date | null;
  /** Why the last attempt failed. */
  problem: string | null;
}

/** A notice and its channels. */
export interface OutboxEntry {
  notice: Notice;
  channelIds: readonly string[];
}

/**
 * Writes deliveries in this order, in the transaction of the event that they report; deleted channels get none. Returns
 * their number.
 */
export async function addDeliveries(db: Db, entries: readonly OutboxEntry[], now: Date): Promise<number> {
  const texts = new Map(entries.map((entry) => [entry, JSON.stringify(entry.notice)]));
  const rows = entries.flatMap((entry) =>
    entry.channelIds.map((channelId) => ({ ...entry, entry, channelId })),
  );
  if (rows.length === 0) return 0;
  const made = await db`
    insert into delivery (id, channel_id, notice, kind, title, watch_id, rule_id, created_at, next_attempt_at)
    select n.id, n.channel_id, n.notice, n.kind, n.title, n.watch_id, n.rule_id, ${now}, ${now}
    from unnest(${rows.map(() => uuidv7())}::uuid[], ${rows.map(({ channelId }) => channelId)}::uuid[],
      ${rows.map(({ entry }) => texts.get(entry) ?? '')}::text[], ${rows.map(({ notice }) => notice.kind)}::text[],
      ${rows.map(({ notice }) => notice.title)}::text[], ${rows.map(({ notice }) => notice.watchId)}::uuid[],
      ${rows.map(({ notice }) => notice.ruleId)}::uuid[])
      with ordinality as n(id, channel_id, notice, kind, title, watch_id, rule_id, place)
    join channel c on c.id = n.channel_id
    order by n.place for key share of c`;
  return made.count;
}

const columns = (db: Db) => db`
  d.id, d.channel_id as "channelId", c.name as "channelName", d.kind, d.title, d.watch_id as "watchId",
  d.rule_id as "ruleId", d.state, d.attempts, d.created_at as "createdAt", d.replayed_at as "replayedAt",
  d.first_attempt_at as "firstAttemptAt",
  case when d.state = 'queued' then d.next_attempt_at end as "nextAttemptAt", d.ended_at as "endedAt", d.problem`;

/** Returns deliveries, newest first, before the id `after`. */
export async function listDeliveries(
  db: Db,
  ask: {
    channelId: string | null;
    state: DeliveryState | null;
    after: string | null;
    limit: number;
  },
): Promise<Delivery[]> {
  const { channelId, state, after, limit } = ask;
  return await db<Delivery[]>`
    select ${columns(db)} from delivery d join channel c on c.id = d.channel_id
    where ${channelId === null ? db`true` : db`d.channel_id = ${channelId}`}
      and ${state === null ? db`true` : db`d.state = ${state}`}
      and ${behind(db, 'd.id', 'descending', after)}
    order by d.id desc limit ${limit}`;
}

/** Returns one delivery with its notice; null: unknown id. */
export async function findDelivery(db: Db, id: string): Promise<(Delivery & { notice: Notice }) | null> {
  const [row] = await db<(Delivery & { notice: string })[]>`
    select ${columns(db)}, d.notice from delivery d join channel c on c.id = d.channel_id where d.id = ${id}`;
  return row === undefined ? null : { ...row, notice: JSON.parse(row.notice) as Notice };
}

/** Moves a delivery to the end of its channel's queue under the same id; false: unknown id, or it waits already. */
export async function queueAgain(db: Db, id: string, now: Date): Promise<boolean> {
  // A new place: deliveries that already wait come first.
  const rows = await db`
    update delivery set state = 'queued', attempts = 0, first_attempt_at = null, next_attempt_at = ${now},
      ended_at = null, problem = null, place = default, replayed_at = ${now}
    where id = ${id} and state <> 'queued' returning id`;
  return rows.length > 0;
}

/** Returns the channels with a due delivery that no job handles yet. */
export async function channelsWithDueDeliveries(db: Db, now: Date): Promise<string[]> {
  const [queue] = await db<
    { there: boolean }[]
  >`select to_regclass('offerbook_jobs.job') is not null as there`;
  const unseen =
    queue?.there === true
      ? db`not exists (select from offerbook_jobs.job j
          where j.name = 'deliver' and j.singleton_key = c.id::text and j.state <= 'active')`
      : db`true`;
  const rows = await db<{ id: string }[]>`
    select c.id from channel c
    cross join lateral (select next_attempt_at from delivery d
      where d.channel_id = c.id and d.state = 'queued' order by d.place limit 1) head
    where head.next_attempt_at <= ${now}
      and ${unseen}`;
  return rows.map(({ id }) => id);
}

/** A delivery to send now. */
export interface DueDelivery {
  id: string;
  notice: Notice;
  attempts: number;
  firstAttemptAt: Date;
  /** Whether somebody had it sent again after it had ended. */
  isReplay: boolean;
}

/** Begins an attempt at the next delivery of a channel; null: there is none, or it is not due. */
export async function beginAttempt(db: Db, channelId: string, now: Date): Promise<DueDelivery | null> {
  const [row] = await db<(Omit<DueDelivery, 'notice'> & { notice: string })[]>`
    update delivery set attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now})
    where id = (select id from delivery where channel_id = ${channelId} and state = 'queued' order by place limit 1)
      and state = 'queued' and next_attempt_at <= ${now}
    returning id, notice, attempts, first_attempt_at as "firstAttemptAt", replayed_at is not null as "isReplay"`;
  return row === undefined ? null : { ...row, notice: JSON.parse(row.notice) as Notice };
}

/** The result of an attempt, as stored. */
export type AttemptEnd =
  | { state: 'sent' }
  | { state: 'refused' | 'failed'; problem: string }
  | { state: 'queued'; problem: string; nextAttemptAt: Date };

/**
 * Stores the result of an attempt; a result that another attempt has overtaken is ignored. A retry also starts the day
 * of attempts of everything that waits behind it.
 */
export async function endAttempt(
  db: Db | Sql,
  due: DueDelivery,
  end: AttemptEnd,
  now: Date,
): Promise<boolean> {
  const problem = end.state === 'sent' ? null : end.problem;
  const isOver = end.state !== 'queued';
  const rows = await db`
    with ended as (
      update delivery set state = ${end.state}, problem = ${problem}, ended_at = ${isOver ? now : null},
        next_attempt_at = ${end.state === 'queued' ? end.nextAttemptAt : now}
      where id = ${due.id} and state = 'queued' and attempts = ${due.attempts} returning id, channel_id
    ), behind as (
      update delivery d set first_attempt_at = ${now} from ended
      where ${!isOver} and d.channel_id = ended.channel_id and d.state = 'queued' and d.first_attempt_at is null
    )
    select id from ended`;
  return rows.length > 0;
}

/** Deliveries that wait for their first attempt or another one, and those that failed or were refused in the last day. */
export async function countDeliveries(
  db: Db,
  now: Date,
): Promise<{ queued: number; retrying: number; failed: number }> {
  const [row] = await db<{ queued: number; retrying: number; failed: number }[]>`
    select count(*) filter (where state = 'queued' and problem is null) as queued,
      count(*) filter (where state = 'queued' and problem is not null) as retrying,
      count(*) filter (where state in ('refused', 'failed')) as failed
    from delivery where state = 'queued'
      or (state in ('refused', 'failed') and ended_at > ${now}::timestamptz - interval '1 day')`;
  return row ?? { queued: 0, retrying: 0, failed: 0 };
}
