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

/**
 * Returns the rules of markets, including those of watches that follow one of them; if a watch is named, only its
 * rules. In order of creation, after the id `after` (null: from the start).
 */
export async function listRules(
  db: Db,
  ask: { marketIds: readonly number[]; watchId: string | null; after: string | null; limit: number | null },
): Promise<Rule[]> {
  const { watchId, after, limit } = ask;
  const marketIds = [...ask.marketIds];
  const rows = await db<Row[]>`
    select ${columns(db)} from rule r join market m on m.id = r.market_id
    where (r.market_id = any(${marketIds}::int[]) or exists (select from watch_market p
        where p.watch_id = r.watch_id and p.market_id = any(${marketIds}::int[])))
      and ${watchId === null ? db`true` : db`r.watch_id = ${watchId}`}
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

/** Stores a new rule or changes the one with its id. Its states stay unless `states` are given, one per market. */
export async function saveRule(
  db: Db,
  rule: RuleFields & { id: string },
  ask: { marketId: number; states: readonly Omit<RuleStateRow, 'ruleId'>[]; now: Date },
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
  await saveRuleStates(
    db,
    ask.states.map((state) => ({ ruleId: id, ...state })),
  );
}

/** Deletes a rule with its alerts; false: unknown id. */
export async function deleteRule(sql: Sql, id: string): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const markets = await tx<{ id: number }[]>`
      select p.market_id as id from rule r join watch_market p on p.watch_id = r.watch_id where r.id = ${id}`;
    await holdPriceRules(
      tx,
      markets.map((market) => market.id),
    );
    return await deleteRow(tx, ruleTable, id);
  });
}

/** Returns the states of a rule as JSON text, by market; none for a market that has not judged it. */
export async function readRuleStates(db: Db, id: string): Promise<Map<number, string>> {
  const { marketId, state } = ruleState;
  const rows = await on(db).select({ marketId, state }).from(ruleState).where(eq(ruleState.ruleId, id));
  return new Map(rows.map((row) => [row.marketId, row.state]));
}

/**
 * Locks the price rules of markets until the end of the transaction, before any of their rows: books of a market are
 * judged one after the other, and nobody changes what rules remember of it meanwhile.
 */
export async function holdPriceRules(tx: Db, marketIds: readonly number[]): Promise<void> {
  // Always in the same order, so that two processes never wait for each other.
  for (const marketId of [...new Set(marketIds)].sort((a, b) => a - b)) {
    await tx`with locked as materialized (select pg_advisory_xact_lock(hashtext('price-rules'), ${marketId}))
      select from locked`;
  }
}

/** A rule with its watch and what it remembers of the market of a book, which is its `market` here. */
export interface RuleToJudge extends Rule {
  watch: Pick<Watch, 'name' | 'filters' | 'profile'> & {
    scopeId: number;
    channelIds: string[];
    hasSeveralMarkets: boolean;
  };
  /** JSON text; null: it was never judged. */
  state: string | null;
  /** Whether the rule reads books of several series, which land in any order. */
  severalSeries: boolean;
}

/**
 * Returns the enabled rules of watches that a book of this scope concerns: all rules of the market for the default
 * scope. Rules already judged on a book of that moment or later, in any of their series of this market, are left out.
 */
export async function rulesOfBook(
  db: Db,
  book: { marketId: number; scopeId: number; type: PricingType; observedAt: Date },
): Promise<RuleToJudge[]> {
  const rows = await db<(Row & Omit<RuleToJudge, keyof Rule>)[]>`
    select ${columns(db)}, s.state, json_build_object('name', w.name, 'filters', w.filters, 'profile', w.profile,
      'scopeId', p.scope_id, 'channelIds', w.channel_ids,
      'hasSeveralMarkets', exists (select from watch_market o
        where o.watch_id = w.id and o.market_id <> p.market_id)) as watch,
      coalesce(jsonb_array_length(w.filters -> 'type'), 0) > 1
        or exists (select from scope o where o.id = p.scope_id and o.name <> 'default') as "severalSeries"
    from rule r join watch w on w.id = r.watch_id
    join watch_market p on p.watch_id = w.id join market m on m.id = p.market_id
    left join rule_state s on s.rule_id = r.id and s.market_id = p.market_id
    where r.enabled and p.market_id = ${book.marketId}
      and (p.scope_id = ${book.scopeId}
        or exists (select from scope d where d.id = ${book.scopeId} and d.name = 'default'))
      and (case when coalesce(jsonb_array_length(w.filters -> 'type'), 0) = 0 then ${book.type} = 'on-demand'
        else w.filters -> 'type' ? ${book.type} end)
      and (s.judged_at is null or s.judged_at < ${book.observedAt})
    order by r.watch_id, r.id`;
  return rows.map(toRule);
}

/** Whether any enabled rule is of a watch that follows the market. */
export async function hasPriceRules(db: Db, marketId: number): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (select from watch_market p join rule r on r.watch_id = p.watch_id
      where p.market_id = ${marketId} and r.enabled) as found`;
  return row?.found ?? false;
}

/** Returns the enabled rules on events of a market, with their state. */
export async function eventRules(db: Db, marketId: number): Promise<(Rule & { state: string | null })[]> {
  const rows = await db<(Row & { state: string | null })[]>`
    select ${columns(db)}, s.state from rule r join market m on m.id = r.market_id
    left join rule_state s on s.rule_id = r.id and s.market_id = r.market_id
    where r.enabled and r.market_id = ${marketId} and r.watch_id is null
    order by r.id`;
  return rows.map(toRule);
}

/** What a rule remembers of a market from now on. */
export interface RuleStateRow {
  ruleId: string;
  marketId: number;
  /** JSON text. */
  state: string;
  /** The newest book in it; null: unchanged. */
  judgedAt: Date | null;
}

/** Stores the state of rules, skipping deleted ones. */
export async function saveRuleStates(db: Db, states: readonly RuleStateRow[]): Promise<void> {
  if (states.length === 0) return;
  await db`
    insert into rule_state as s (rule_id, market_id, state, judged_at)
    select r.id, k.market_id, k.state, k.judged_at
    from unnest(${states.map(({ ruleId }) => ruleId)}::uuid[], ${states.map(({ marketId }) => marketId)}::int[],
      ${states.map(({ state }) => state)}::text[],
      ${states.map(({ judgedAt }) => judgedAt?.toISOString() ?? null)}::timestamptz[])
      k(rule_id, market_id, state, judged_at)
    join rule r on r.id = k.rule_id
    order by r.id, k.market_id for key share of r
    on conflict (rule_id, market_id) do update set state = excluded.state,
      judged_at = coalesce(excluded.judged_at, s.judged_at)`;
}

/** Records the newest book of a market that judged the rules, skipping deleted ones and those without state. */
export async function markJudged(
  db: Db,
  ruleIds: readonly string[],
  { marketId, observedAt }: { marketId: number; observedAt: Date },
): Promise<void> {
  if (ruleIds.length === 0) return;
  await db`update rule_state set judged_at = ${observedAt}
    where rule_id = any(${[...ruleIds]}::uuid[]) and market_id = ${marketId}`;
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
