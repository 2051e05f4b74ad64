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
  /** Its own, or that of one before it which held it up; null: neither. */
  firstAttemptAt: Date | null;
  /** null: it is over. */
  nextAttemptAt: Date | null;
  endedAt: Date | null;
  /** Why the last attempt failed. */
  problem: string | null;
}

/** A notice and the channels that it is for. */
export interface OutboxEntry {
  notice: Notice;
  channelIds: readonly string[];
}

/**
 * Writes deliveries, in this order; part of the transaction of what they tell of. Channels that are gone get none.
 * Returns how many were written.
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
  d.rule_id as "ruleId", d.state, d.attempts, d.created_at as "createdAt",
  d.first_attempt_at as "firstAttemptAt",
  case when d.state = 'queued' then d.next_attempt_at end as "nextAttemptAt", d.ended_at as "endedAt", d.problem`;

/** Deliveries, the newest first: those before the id `after`. */
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

/** One delivery with its notice; null: no such id. */
export async function findDelivery(db: Db, id: string): Promise<(Delivery & { notice: Notice }) | null> {
  const [row] = await db<(Delivery & { notice: string })[]>`
    select ${columns(db)}, d.notice from delivery d join channel c on c.id = d.channel_id where d.id = ${id}`;
  return row === undefined ? null : { ...row, notice: JSON.parse(row.notice) as Notice };
}

/** Puts one at the end of its channel's queue, under the same id; false: no such id, or it waits already. */
export async function queueAgain(db: Db, id: string, now: Date): Promise<boolean> {
  // A new place: what waits for the channel was asked for before.
  const rows = await db`
    update delivery set state = 'queued', attempts = 0, first_attempt_at = null, next_attempt_at = ${now},
      ended_at = null, place = default
    where id = ${id} and state <> 'queued' returning id`;
  return rows.length > 0;
}

/** Channels whose next delivery is due and which no job sees to yet. */
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

/** A delivery that is to be sent now. */
export interface DueDelivery {
  id: string;
  notice: Notice;
  attempts: number;
  firstAttemptAt: Date;
}

/** Begins an attempt at the next delivery of a channel; null: there is none, or it is not due. */
export async function beginAttempt(db: Db, channelId: string, now: Date): Promise<DueDelivery | null> {
  const [row] = await db<(Omit<DueDelivery, 'notice'> & { notice: string })[]>`
    update delivery set attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now})
    where id = (select id from delivery where channel_id = ${channelId} and state = 'queued' order by place limit 1)
      and state = 'queued' and next_attempt_at <= ${now}
    returning id, notice, attempts, first_attempt_at as "firstAttemptAt"`;
  return row === undefined ? null : { ...row, notice: JSON.parse(row.notice) as Notice };
}

/** How an attempt ended, as it is kept. */
export type AttemptEnd =
  | { state: 'sent' }
  | { state: 'refused' | 'failed'; problem: string }
  | { state: 'queued'; problem: string; nextAttemptAt: Date };

/**
 * Keeps how an attempt ended; an attempt that another has overtaken changes nothing. Where it is tried again, the day
 * of attempts of all that waits behind it has begun too.
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

/** Deletes deliveries that were over before a moment. Returns the rows deleted. */
export async function dropOldDeliveries(db: Db, before: Date): Promise<number> {
  const gone = await db`delete from delivery where state <> 'queued' and ended_at < ${before}`;
  return gone.count;
}
