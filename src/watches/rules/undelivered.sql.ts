import type { Db } from '../../database/connection.ts';

/**
 * Returns a common table of deliveries of rules that failed or were refused, written from a moment on. `ruleId` null: of
 * all rules.
 */
export const undeliveredTable = (
  db: Db,
  { ruleId, from }: { ruleId: string | null; from: Date | null },
) => db`
  undelivered as materialized (
    select d.rule_id, d.kind, d.notice, c.name from delivery d join channel c on c.id = d.channel_id
    where d.state in ('failed', 'refused')
      and ${ruleId === null ? db`d.rule_id is not null` : db`d.rule_id = ${ruleId}`}
      and ${from === null ? db`true` : db`d.created_at >= ${from}`}
  )`;

/** Selects the names of the channels to which the alert `a` was not delivered, alone or in a digest. */
export const undeliveredTo = (db: Db) => db`
  array(select distinct u.name from undelivered u
    where u.rule_id = a.rule_id and (u.notice = a.notice or case when u.kind = 'digest' then
      (u.notice::jsonb -> 'lines') ? (replace(left(a.notice::json ->> 'at', 16), 'T', ' ') || ' UTC: '
        || (a.notice::json ->> 'title')) else false end)
    order by u.name) as "undeliveredTo"`;
