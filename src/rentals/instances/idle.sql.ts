import type { Db } from '../../database/connection.ts';
import { runningStatus } from '../../market/instance-status.ts';
import { type IdleStretch, maxPollGapMinutes } from './judge-ends.ts';

/** Whose GPU use is requested, and what counts as idle. */
interface IdleQuery {
  instanceId: number;
  /** Idle is below this. */
  percent: number;
  /** How far to look back. */
  minutes: number;
  /** Only polls after this moment count. */
  from: Date;
}

/** A stretch, and the poll just before it. */
export interface FoundStretch extends IdleStretch {
  instanceId: number;
  /** The poll before it, which saw the GPUs busy or did not know; `from` if there was none in time. */
  after: Date;
}

/**
 * Returns for each running instance the polls in a row, up to the newest, which knew its GPU use and saw it low. A gap
 * between polls or a change of status ends the row; nothing is returned if the newest poll is not part of it.
 */
export async function idleStretches(
  db: Db,
  marketId: number,
  queries: readonly IdleQuery[],
): Promise<FoundStretch[]> {
  if (queries.length === 0) return [];
  const gap = db`make_interval(mins => ${maxPollGapMinutes})`;
  const rows = await db<FoundStretch[]>`
    with newest as (select max(polled_at) as at from instance_poll where market_id = ${marketId}),
      asked as (
        select q."instanceId" as instance_id, q.percent, q."from" as counts_from, newest.at as until,
          greatest((select max(t.observed_at) from instance_status t
            where t.market_id = ${marketId} and t.instance_id = q."instanceId"),
            newest.at - make_interval(secs => 60 * q.minutes) - ${gap}) as from_at
        from jsonb_to_recordset(${JSON.stringify(queries)}::text::jsonb) as q (
          "instanceId" bigint, percent float8, minutes float8, "from" timestamptz)
        cross join newest
        join instance i on i.market_id = ${marketId} and i.instance_id = q."instanceId"
          and i.gone_at is null and i.actual_status = ${runningStatus}),
      polls as (
        select a.instance_id, a.until, p.polled_at,
          coalesce(s.gpu_util_percent < a.percent, false) as idle,
          lag(p.polled_at) over earlier as previous
        from asked a
        join instance_poll p on p.market_id = ${marketId} and p.polled_at >= a.from_at
          and p.polled_at > a.counts_from
        left join instance_sample s on s.market_id = ${marketId} and s.instance_id = a.instance_id
          and s.polled_at = p.polled_at
        window earlier as (partition by a.instance_id order by p.polled_at)),
      marked as (
        select *, polled_at - previous <= ${gap} as near,
          lag(idle) over (partition by instance_id order by polled_at) as was_idle
        from polls),
      begins as (
        select distinct on (instance_id) instance_id, until, polled_at as begun,
          case when near then previous else polled_at end as after
        from marked where idle and (was_idle is not true or near is not true)
        order by instance_id, polled_at desc)
    select b.instance_id as "instanceId", b.begun as "from", b.until, b.after
    from begins b
    where exists (select from marked m
      where m.instance_id = b.instance_id and m.polled_at = b.until and m.idle)
    order by 1`;
  return rows.map((row) => ({ ...row }));
}

const idleMinutes = 60;
const idlePercent = 5;

/**
 * Returns running instances whose GPUs were under 5 % busy in every poll of the 60 minutes before the newest one.
 * Source: docs/meaning.md#idle-gpus.
 */
export async function idleInstances(
  db: Db,
  marketId: number,
  instanceIds: readonly number[],
): Promise<number[]> {
  const queries = instanceIds.map((instanceId) => ({
    instanceId,
    percent: idlePercent,
    minutes: idleMinutes,
    from: new Date(0),
  }));
  const found = await idleStretches(db, marketId, queries);
  return found
    .filter(({ after, until }) => until.getTime() - after.getTime() >= idleMinutes * 60_000)
    .map(({ instanceId }) => instanceId);
}
