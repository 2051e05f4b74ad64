import type { Db } from '../../database/connection.ts';

/**
 * Returns a common table of deliveries of rules, written from a moment on: of one rule all, of all rules (`ruleId` null)
 * those that failed or were refused.
 */
export const deliveriesTable = (db: Db, { ruleId, from }: { ruleId: string | null; from: Date | null }) => db`
  delivered as materialized (
    select d.id, d.rule_id, d.kind, d.notice, d.channel_id, d.state, d.problem, c.name
    from delivery d join channel c on c.id = d.channel_id
    where ${ruleId === null ? db`d.rule_id is not null and state in ('failed', 'refused')` : db`d.rule_id = ${ruleId}`}
      and ${from === null ? db`true` : db`d.created_at >= ${from}`}
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
