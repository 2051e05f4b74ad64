import type postgres from 'postgres';
import type { Db } from '../../database/connection.ts';

/**
 * Returns common tables for a list of alerts, `page`, which `alerts` selects with the columns of `alert`: `delivered` has
 * the deliveries that may be of them, all or those that failed or were refused.
 */
export const pageWithDeliveries = (
  db: Db,
  { alerts, failed }: { alerts: postgres.Fragment; failed: boolean },
) => db`
  page as materialized (${alerts}),
  delivered as materialized (
    select d.id, d.rule_id, d.kind, d.notice, d.channel_id, d.state, d.problem, c.name
    from delivery d join channel c on c.id = d.channel_id
    where d.rule_id in (select rule_id from page) and (d.kind = 'digest' or d.notice in (select notice from page))
      and ${failed ? db`d.state in ('failed', 'refused')` : db`true`}
  )`;

/** Whether a delivery `u` is one of the alert `a`, alone or in a digest. */
const ofAlert = (db: Db) => db`
  u.rule_id = a.rule_id and (u.notice = a.notice or case when u.kind = 'digest' then
    (u.notice::jsonb -> 'lines') ? (replace(left(a.notice::json ->> 'at', 16), 'T', ' ') || ' UTC: '
      || (a.notice::json ->> 'title')) else false end)`;

/** Selects the names of the channels to which the alert `a` was not delivered. */
export const undeliveredTo = (db: Db) => db`
  array(select distinct u.name from delivered u where state in ('failed', 'refused') and ${ofAlert(db)}
    order by u.name) as "undeliveredTo"`;

/** Selects the newest delivery of the alert `a` to each channel, by the channel's name. */
export const deliveriesOf = (db: Db) => db`
  coalesce((select json_agg(json_build_object('channel', n.name, 'state', n.state, 'problem', n.problem) order by n.name)
    from (select distinct on (u.channel_id) u.name, u.state, u.problem from delivered u where ${ofAlert(db)}
      order by u.channel_id, u.id desc) n), '[]') as deliveries`;
