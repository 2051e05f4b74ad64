import type { Db } from '../../database/connection.ts';
import { behind } from '../../database/paging.sql.ts';
import type { DeliveryState } from '../channels/channel.ts';
import type { Notice } from '../channels/notice.ts';
import { deliveriesOf, pageWithDeliveries, undeliveredTo } from './alert-deliveries.sql.ts';

/** A firing to store. */
export interface Alert {
  id: string;
  ruleId: string;
  /** Whose book or event fired it. */
  marketId: number;
  at: Date;
  bookId: number | null;
  value: number | null;
  baseline: number | null;
  previous: number | null;
  notice: Notice;
  /** null: it is sent at once. */
  heldUntil: Date | null;
  /** `daily-cap`, `no-channel`; null: it is sent. */
  suppressed: string | null;
}

/** Stores alerts, skipping those of deleted rules. Returns the ids of the existing rules. */
export async function addAlerts(db: Db, alerts: readonly Alert[], now: Date): Promise<Set<string>> {
  if (alerts.length === 0) return new Set();
  const of = <Name extends keyof Alert>(name: Name) => alerts.map((alert) => alert[name]);
  const kept = await db<{ ruleId: string }[]>`
    insert into alert (id, rule_id, market_id, at, book_id, value, baseline, previous, notice, held_until, suppressed, created_at)
    select a.*, ${now}::timestamptz from unnest(${of('id')}::uuid[], ${of('ruleId')}::uuid[],
      ${of('marketId')}::int[], ${of('at').map((at) => at.toISOString())}::timestamptz[], ${of('bookId')}::int[],
      ${of('value')}::float8[], ${of('baseline')}::float8[], ${of('previous')}::float8[],
      ${alerts.map(({ notice }) => JSON.stringify(notice))}::text[],
      ${of('heldUntil').map((at) => at?.toISOString() ?? null)}::timestamptz[], ${of('suppressed')}::text[])
      a(id, rule_id)
    join rule r on r.id = a.rule_id
    order by r.id for key share of r
    returning rule_id as "ruleId"`;
  return new Set(kept.map(({ ruleId }) => ruleId));
}

/** An alert as lists show it. */
export interface ListedAlert extends Omit<Alert, 'notice' | 'marketId'> {
  /** Name of the market whose book or event fired it. */
  market: string;
  title: string;
  /** Unit of the value; null: none. */
  unit: string | null;
  createdAt: Date;
  /** Names of the channels to which sending it failed for good. */
  undeliveredTo: string[];
  /** The newest delivery to each channel. */
  deliveries: { channel: string; state: DeliveryState; problem: string | null }[];
}

/** Returns alerts of a rule, newest first, before the id `after`. */
export async function listAlerts(
  db: Db,
  ask: { ruleId: string; after: string | null; limit: number },
): Promise<ListedAlert[]> {
  const alerts = db`
    select * from alert where rule_id = ${ask.ruleId} and ${behind(db, 'id', 'descending', ask.after)}
    order by id desc limit ${ask.limit}`;
  return await db<ListedAlert[]>`
    with ${pageWithDeliveries(db, { alerts, failed: false })}
    select a.id, a.rule_id as "ruleId", m.name as market, a.at, a.book_id as "bookId", a.value, a.baseline, a.previous,
      a.notice::json ->> 'title' as title, a.notice::json -> 'data' ->> 'unit' as unit, a.held_until as "heldUntil",
      a.suppressed, a.created_at as "createdAt", ${undeliveredTo(db)}, ${deliveriesOf(db)}
    from page a join market m on m.id = a.market_id
    order by a.id desc`;
}

/** The newest alert of a rule. */
export interface LastFiring {
  at: Date;
  /** The newest delivery to each channel. */
  deliveries: ListedAlert['deliveries'];
}

/** Returns the newest alert of each rule; a rule without any is left out. */
export async function lastFirings(db: Db, ruleIds: readonly string[]): Promise<Map<string, LastFiring>> {
  if (ruleIds.length === 0) return new Map();
  const alerts = db`
    select a.* from unnest(${[...ruleIds]}::uuid[]) r(id)
    cross join lateral (select * from alert where rule_id = r.id order by at desc limit 1) a`;
  const rows = await db<({ ruleId: string } & LastFiring)[]>`
    with ${pageWithDeliveries(db, { alerts, failed: false })}
    select a.rule_id as "ruleId", a.at, ${deliveriesOf(db)} from page a`;
  return new Map(rows.map(({ ruleId, ...firing }) => [ruleId, firing]));
}

/** Returns alerts that waited until now, by rule, with their channels, and marks them as released. */
export async function takeHeldAlerts(
  db: Db,
  now: Date,
): Promise<{ ruleId: string; watchId: string | null; channelIds: string[]; notices: Notice[] }[]> {
  const rows = await db<{ ruleId: string; watchId: string | null; channelIds: string[]; notice: string }[]>`
    with due as (
      select a.id, r.watch_id,
        case when cardinality(r.channel_ids) > 0 then r.channel_ids else coalesce(w.channel_ids, '{}') end as channel_ids
      from alert a join rule r on r.id = a.rule_id left join watch w on w.id = r.watch_id
      where a.held_until <= ${now} order by a.id for update of a skip locked
    ), taken as (
      update alert a set held_until = null,
        suppressed = case when cardinality(d.channel_ids) = 0 then 'no-channel' else a.suppressed end
      from due d where a.id = d.id
      returning a.id, a.rule_id, a.notice, d.watch_id, d.channel_ids
    )
    select rule_id as "ruleId", watch_id as "watchId", notice, channel_ids as "channelIds"
    from taken order by rule_id, id`;
  const byRule = Map.groupBy(rows, ({ ruleId }) => ruleId);
  return [...byRule.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { ruleId, watchId, channelIds } = first;
    return [
      { ruleId, watchId, channelIds, notices: group.map(({ notice }) => JSON.parse(notice) as Notice) },
    ];
  });
}

/** Returns the alerts of a rule that had no channel, of these moments. */
export async function listUnheardAlerts(
  db: Db,
  ask: { ruleId: string; moments: readonly number[] },
): Promise<{ id: string; marketId: number; at: Date; value: number | null }[]> {
  if (ask.moments.length === 0) return [];
  const moments = ask.moments.map((at) => new Date(at).toISOString());
  return await db<{ id: string; marketId: number; at: Date; value: number | null }[]>`
    select id, market_id as "marketId", at, value from alert
    where rule_id = ${ask.ruleId} and suppressed = 'no-channel' and at = any(${moments}::timestamptz[])`;
}

/** Lets alerts that had no channel be sent at a moment. Returns their number. */
export async function releaseUnheardAlerts(db: Db, ids: readonly string[], at: Date): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await db`update alert set suppressed = null, held_until = ${at}
    where id = any(${[...ids]}::uuid[]) returning id`;
  return rows.length;
}
