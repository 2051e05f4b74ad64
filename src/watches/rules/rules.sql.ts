import type { PricingType } from '../../core/offer.ts';
import { deleteRow, on } from '../../database/builder.ts';
import type { Db, Sql } from '../../database/connection.ts';
import { eq } from '../../database/drizzle.ts';
import { behind } from '../../database/paging.sql.ts';
import { ruleState, rule as ruleTable } from '../../database/schema/notify.ts';
import type { Watch } from '../watch.ts';
import type { Digest, QuietHours, Rearm, Rule, RuleFields, RuleKind } from './rule.ts';

interface Row {
  id: string;
  market: string;
  watchId: string | null;
  kind: RuleKind;
  params: Record<string, unknown>;
  m: number;
  n: number;
  hysteresisPercent: number;
  cooldownMinutes: number;
  rearm: { by: Rearm };
  quietHours: QuietHours | null;
  dailyCap: number | null;
  digest: Digest | null;
  channelIds: string[];
  enabled: boolean;
}

const columns = (db: Db) => db`
  r.id, m.name as market, r.watch_id as "watchId", r.kind, r.params, r.m, r.n,
  r.hysteresis_percent as "hysteresisPercent", r.cooldown_minutes as "cooldownMinutes", r.rearm,
  r.quiet_hours as "quietHours", r.daily_cap as "dailyCap", r.digest, r.channel_ids as "channelIds", r.enabled`;

const toRule = <T extends Row>({ m, n, rearm, ...row }: T): Omit<T, 'm' | 'n' | 'rearm'> & Rule => ({
  ...row,
  of: { m, n },
  rearm: rearm.by,
});

/** Returns rules of a market, or of one watch, in order of creation, behind the id `after` (null: from the start). */
export async function listRules(
  db: Db,
  ask: { marketId: number; watchId: string | null; after: string | null; limit: number | null },
): Promise<Rule[]> {
  const { marketId, watchId, after, limit } = ask;
  const rows = await db<Row[]>`
    select ${columns(db)} from rule r join market m on m.id = r.market_id
    where r.market_id = ${marketId} and ${watchId === null ? db`true` : db`r.watch_id = ${watchId}`}
      and ${behind(db, 'r.id', 'ascending', after)}
    order by r.id limit ${limit}`;
  return rows.map(toRule);
}

/** Returns one rule; null: unknown id. */
export async function findRule(db: Db, id: string): Promise<Rule | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from rule r join market m on m.id = r.market_id where r.id = ${id}`;
  return row === undefined ? null : toRule(row);
}

/** Stores a new rule or changes the one with its id. Its state stays unless `state` is given. */
export async function saveRule(
  db: Db,
  rule: RuleFields & { id: string },
  ask: { marketId: number; state: Omit<RuleStateRow, 'ruleId'> | null; now: Date },
): Promise<void> {
  const { id, watchId, kind, hysteresisPercent, cooldownMinutes, quietHours, dailyCap, digest, enabled } =
    rule;
  const changed = {
    kind,
    params: rule.params,
    m: rule.of.m,
    n: rule.of.n,
    hysteresisPercent,
    cooldownMinutes,
    rearm: { by: rule.rearm },
    quietHours,
    dailyCap,
    digest,
    channelIds: [...rule.channelIds],
    enabled,
  };
  await on(db)
    .insert(ruleTable)
    .values({ ...changed, id, marketId: ask.marketId, watchId, createdAt: ask.now })
    .onConflictDoUpdate({ target: ruleTable.id, set: changed });
  if (ask.state !== null) await saveRuleStates(db, [{ ruleId: id, ...ask.state }]);
}

/** Deletes a rule with its alerts; false: unknown id. */
export async function deleteRule(sql: Sql, id: string): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const [rule] = await tx<{ marketId: number; isPriceRule: boolean }[]>`
      select market_id as "marketId", watch_id is not null as "isPriceRule" from rule where id = ${id}`;
    if (rule === undefined) return false;
    if (rule.isPriceRule) await holdPriceRules(tx, rule.marketId);
    return await deleteRow(tx, ruleTable, id);
  });
}

/** Returns the state of a rule as JSON text; null: none yet, or no such rule. */
export async function readRuleState(db: Db, id: string): Promise<string | null> {
  const { state } = ruleState;
  const [row] = await on(db).select({ state }).from(ruleState).where(eq(ruleState.ruleId, id));
  return row?.state ?? null;
}

/**
 * Locks a market's price rules until the end of the transaction, before any of their rows: books are judged one after
 * the other, and nobody changes the rules' state meanwhile.
 */
export async function holdPriceRules(tx: Db, marketId: number): Promise<void> {
  await tx`with locked as materialized (select pg_advisory_xact_lock(hashtext('price-rules'), ${marketId}))
    select from locked`;
}

/** A rule with its watch and state. */
export interface RuleToJudge extends Rule {
  watch: Pick<Watch, 'name' | 'filters' | 'profile'> & { scopeId: number; channelIds: string[] };
  /** JSON text; null: it was never judged. */
  state: string | null;
  /** It reads books of several series, which land in any order. */
  severalSeries: boolean;
}

/**
 * Returns the enabled rules of watches that a book of this scope concerns: all rules of the market for the default
 * scope. Rules already judged on a book of that moment or later, in any of their series, are left out.
 */
export async function rulesOfBook(
  db: Db,
  book: { marketId: number; scopeId: number; type: PricingType; observedAt: Date },
): Promise<RuleToJudge[]> {
  const rows = await db<(Row & Omit<RuleToJudge, keyof Rule>)[]>`
    select ${columns(db)}, s.state, json_build_object('name', w.name, 'filters', w.filters, 'profile', w.profile,
      'scopeId', w.scope_id, 'channelIds', w.channel_ids) as watch,
      coalesce(jsonb_array_length(w.filters -> 'type'), 0) > 1
        or exists (select from scope o where o.id = w.scope_id and o.name <> 'default') as "severalSeries"
    from rule r join watch w on w.id = r.watch_id join market m on m.id = r.market_id
    left join rule_state s on s.rule_id = r.id
    where r.enabled and w.market_id = ${book.marketId}
      and (w.scope_id = ${book.scopeId}
        or exists (select from scope d where d.id = ${book.scopeId} and d.name = 'default'))
      and (case when coalesce(jsonb_array_length(w.filters -> 'type'), 0) = 0 then ${book.type} = 'on-demand'
        else w.filters -> 'type' ? ${book.type} end)
      and (s.judged_at is null or s.judged_at < ${book.observedAt})
    order by r.watch_id, r.id`;
  return rows.map(toRule);
}

/** Whether any enabled rule of the market has a watch. */
export async function hasPriceRules(db: Db, marketId: number): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (select from rule where market_id = ${marketId} and enabled and watch_id is not null) as found`;
  return row?.found ?? false;
}

/** Returns the enabled rules on events of a market, with their state. */
export async function eventRules(db: Db, marketId: number): Promise<(Rule & { state: string | null })[]> {
  const rows = await db<(Row & { state: string | null })[]>`
    select ${columns(db)}, s.state from rule r join market m on m.id = r.market_id
    left join rule_state s on s.rule_id = r.id
    where r.enabled and r.market_id = ${marketId} and r.watch_id is null
    order by r.id`;
  return rows.map(toRule);
}

/** The new state of a rule. */
export interface RuleStateRow {
  ruleId: string;
  /** JSON text. */
  state: string;
  /** The newest book in it; null: unchanged. */
  judgedAt: Date | null;
}

/** Stores the state of rules, skipping deleted ones. */
export async function saveRuleStates(db: Db, states: readonly RuleStateRow[]): Promise<void> {
  if (states.length === 0) return;
  await db`
    insert into rule_state as s (rule_id, state, judged_at)
    select r.id, k.state, k.judged_at
    from unnest(${states.map(({ ruleId }) => ruleId)}::uuid[], ${states.map(({ state }) => state)}::text[],
      ${states.map(({ judgedAt }) => judgedAt?.toISOString() ?? null)}::timestamptz[]) k(rule_id, state, judged_at)
    join rule r on r.id = k.rule_id
    order by r.id for key share of r
    on conflict (rule_id) do update set state = excluded.state,
      judged_at = coalesce(excluded.judged_at, s.judged_at)`;
}

/** Records the newest book that judged the rules, skipping deleted ones and those without state. */
export async function markJudged(db: Db, ruleIds: readonly string[], judgedAt: Date): Promise<void> {
  if (ruleIds.length === 0) return;
  await db`update rule_state set judged_at = ${judgedAt} where rule_id = any(${[...ruleIds]}::uuid[])`;
}

/** Records that rules have judged a book; false: they have judged it or a later one of its series before. */
export async function beginJudging(
  db: Db,
  book: { scopeId: number; type: PricingType; observedAt: Date },
): Promise<boolean> {
  const rows = await db`
    insert into rule_progress as p (scope_id, type, observed_at)
    values (${book.scopeId}, ${book.type}, ${book.observedAt})
    on conflict (scope_id, type) do update set observed_at = excluded.observed_at
      where p.observed_at < excluded.observed_at
    returning observed_at`;
  return rows.length > 0;
}

/** Locks a market's rules on events until the end of the transaction, so that one process at a time judges them. */
export async function holdEventRules(tx: Db, marketId: number): Promise<void> {
  await tx`with locked as materialized (select pg_advisory_xact_lock(hashtext('event-rules'), ${marketId}))
    select from locked`;
}

/** Tries to lock a market's rules on events for this transaction; false: another process judges them. */
export async function takeEventRules(tx: Db, marketId: number): Promise<boolean> {
  const [row] = await tx<{ taken: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext('event-rules'), ${marketId}) as taken`;
  return row?.taken === true;
}

/** Returns the newest complete book of each scope before a moment, of any of the types, in ms. */
export async function bookBefore(
  db: Db,
  ask: { scopeIds: readonly number[]; types: readonly PricingType[]; at: Date },
): Promise<Map<number, number>> {
  const rows = await db<{ scopeId: number; at: Date }[]>`
    select s.id as "scopeId", max(b.observed_at) as at
    from unnest(${[...ask.scopeIds]}::int[]) s(id)
    cross join unnest(${[...ask.types]}::text[]::pricing_type[]) t(type)
    cross join lateral (select observed_at from book b
      where b.scope_id = s.id and b.type = t.type and b.verdict = 'complete' and b.observed_at < ${ask.at}
      order by observed_at desc limit 1) b
    group by s.id`;
  return new Map(rows.map(({ scopeId, at }) => [scopeId, at.getTime()]));
}
