import type { Db } from '../../database/connection.ts';
import type { DeliveryState } from './channel.ts';

/** How sending to a channel went lately. */
export interface ChannelDeliveries {
  channelId: string;
  /** Its newest delivery that has ended. */
  last: { state: DeliveryState; title: string; endedAt: string; problem: string | null };
  /** Deliveries that failed or were refused, after which it was sent nothing. */
  undelivered: number;
}

/** For how long a delivery counts as recent. */
const recentDays = 7;

/** Returns how sending to each channel went in the last days; a channel to which nothing ended has none. */
export async function recentDeliveries(
  db: Db,
  channelIds: readonly string[],
  now: Date,
): Promise<Map<string, ChannelDeliveries>> {
  const rows = await db<ChannelDeliveries[]>`
    with ended as (
      select channel_id, state, title, ended_at, problem, row_number() over newest as number,
        max(ended_at) filter (where state = 'sent') over (partition by channel_id) as sent_at
      from delivery
      where created_at > ${now}::timestamptz - make_interval(days => ${recentDays}) and state <> 'queued'
        and channel_id = any(${[...channelIds]}::uuid[])
      window newest as (partition by channel_id order by ended_at desc, id desc)
    )
    select channel_id as "channelId",
      (count(*) filter (where state <> 'sent' and (sent_at is null or ended_at > sent_at)))::int as undelivered,
      (json_agg(json_build_object('state', state, 'title', title, 'endedAt', to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'problem', problem))
        filter (where number = 1)) -> 0 as last
    from ended group by channel_id`;
  return new Map(rows.map((row) => [row.channelId, row]));
}
