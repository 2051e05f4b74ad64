import type { Db, Sql } from '../../database/connection.ts';

/** Whose deliveries are sent again: those written in the range, `to` exclusive. */
export interface ReplayRequest {
  channelId: string;
  from: Date;
  to: Date;
}

/** The deliveries of a range. */
export interface ReplayCounts {
  deliveries: number;
  /** Sent again, or to be sent again. */
  queued: number;
  /** Left alone, because they wait to be sent anyway. */
  alreadyQueued: number;
  /** Left alone, because they were sent again in the last minute. */
  justReplayed: number;
}

/** For how long a repeated call sends nothing twice. */
const repeatMs = 60_000;

/** Counts the deliveries of a range without changing any. */
export async function countReplay(db: Db, ask: ReplayRequest, now: Date): Promise<ReplayCounts> {
  const [row] = await db<ReplayCounts[]>`
    select count(*)::int as deliveries,
      count(*) filter (where state <> 'queued' and ${isDue(db, now)})::int as queued,
      count(*) filter (where state = 'queued')::int as "alreadyQueued",
      count(*) filter (where state <> 'queued' and not ${isDue(db, now)})::int as "justReplayed"
    from delivery where ${isAsked(db, ask)}`;
  return row ?? { deliveries: 0, queued: 0, alreadyQueued: 0, justReplayed: 0 };
}

/**
 * Moves the ended deliveries of a range to the end of their channel's queue, under the same ids and in their original
 * order. Of several calls at once, one moves a delivery.
 */
export async function replayDeliveries(sql: Sql, ask: ReplayRequest, now: Date): Promise<ReplayCounts> {
  return await sql.begin(async (tx) => {
    // One at a time: the next call sees what this one has queued. Deliveries are still written meanwhile.
    await tx`select from channel where id = ${ask.channelId} for no key update`;
    const counts = await countReplay(tx, ask, now);
    // The inner order makes the places ascend.
    const moved = await tx`
      update delivery d set state = 'queued', attempts = 0, first_attempt_at = null, next_attempt_at = ${now},
        ended_at = null, problem = null, replayed_at = ${now}, place = o.place
      from (select id, nextval(pg_get_serial_sequence('delivery', 'place')) as place
        from (select id from delivery where ${isAsked(tx, ask)} and state <> 'queued' and ${isDue(tx, now)}
          order by created_at, id) chosen) o
      where d.id = o.id and d.state <> 'queued' returning d.id`;
    return { ...counts, queued: moved.count };
  });
}

const isAsked = (db: Db, { channelId, from, to }: ReplayRequest) =>
  db`channel_id = ${channelId} and created_at >= ${from} and created_at < ${to}`;

const isDue = (db: Db, now: Date) => db`coalesce(replayed_at <= ${new Date(now.getTime() - repeatMs)}, true)`;
