import type { Db } from '../../database/connection.ts';
import { runningStatus } from '../../market/instance-status.ts';

const idleMinutes = 60;
const idlePercent = 5;

/**
 * Returns running instances whose GPUs were under 5 % busy in every poll of the 60 minutes before the newest one.
 * Source: docs/meaning.md#idle-gpus.
 */
export async function idleInstances(db: Db, marketId: number): Promise<number[]> {
  const rows = await db<{ instanceId: number }[]>`
    with newest as (select max(polled_at) as at from instance_poll where market_id = ${marketId}),
      polls as (
        select p.polled_at from instance_poll p, newest
        where p.market_id = ${marketId} and p.polled_at > newest.at - make_interval(mins => ${idleMinutes})),
      before as (
        select exists (select from instance_poll p, newest where p.market_id = ${marketId}
          and p.polled_at <= newest.at - make_interval(mins => ${idleMinutes})) as known)
    select i.instance_id as "instanceId" from instance i, before
    where i.market_id = ${marketId} and i.gone_at is null and i.actual_status = ${runningStatus} and before.known
      and i.first_seen_at <= (select min(polled_at) from polls)
      and not exists (
        select from polls left join instance_sample s on s.market_id = ${marketId}
          and s.instance_id = i.instance_id and s.polled_at = polls.polled_at
        where s.gpu_util_percent is null or s.gpu_util_percent >= ${idlePercent})
    order by 1`;
  return rows.map(({ instanceId }) => instanceId);
}
