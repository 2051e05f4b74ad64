import type postgres from 'postgres';
import type { PricingType } from '../core/offer.ts';
import type { Db, Sql } from '../database/connection.ts';

/** The newest book of one pricing type: the newest complete one, else the newest partial one. */
export interface NewestBook {
  id: number;
  type: PricingType;
  observedAt: Date;
  verdict: 'complete' | 'partial';
  offers: number;
}

/** Returns the id of a market's scope; null if it has no books. Creates nothing. */
export async function findScope(db: Db, marketId: number, name = 'default'): Promise<number | null> {
  const [row] = await db<{ id: number }[]>`
    select id from scope where market_id = ${marketId} and name = ${name}`;
  return row?.id ?? null;
}

/**
 * Returns the newest books of a scope by type; a type without any is missing.
 * Source: docs/meaning.md#books-and-coverage.
 */
export async function newestBooks(db: Db, scopeId: number): Promise<NewestBook[]> {
  return await db<NewestBook[]>`
    select b.id, t.type, b.observed_at as "observedAt", b.verdict, b.offers
    from unnest(enum_range(null::pricing_type)) as t(type)
    join lateral (
      -- Two short walks down the index instead of one sort of all books.
      (select 1 as place, id, observed_at, verdict, offers from book
        where scope_id = ${scopeId} and type = t.type and verdict = 'complete'
        order by observed_at desc limit 1)
      union all
      (select 2, id, observed_at, verdict, offers from book
        where scope_id = ${scopeId} and type = t.type order by observed_at desc limit 1)
      order by place limit 1) b on true
    order by t.type`;
}

/** Returns a market's scope and its newest book's moment in one query; null as in `findScope` and `newestMoment`. */
export async function findNewest(
  db: Db,
  marketId: number,
  types: readonly PricingType[],
): Promise<{ scopeId: number | null; newest: Date | null }> {
  const [row] = await db<{ scopeId: number; newest: Date | null }[]>`
    select s.id as "scopeId", (${newestBook(db, db`s.id`, types)}) as newest from scope s
    where s.market_id = ${marketId} and s.name = 'default'`;
  return row ?? { scopeId: null, newest: null };
}

/** Returns the latest of several markets' newest moments; null: none has a book. */
export function latestOf(found: readonly { newest: Date | null }[]): Date | null {
  const moments = found.flatMap(({ newest }) => (newest === null ? [] : [newest.getTime()]));
  return moments.length === 0 ? null : new Date(Math.max(...moments));
}

/** Returns the moment of the newest book, complete or partial, of the given types; null: none. */
export async function newestMoment(
  db: Db,
  scopeId: number,
  types: readonly PricingType[],
): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`${newestBook(db, db`${scopeId}`, types)}`;
  return row?.at ?? null;
}

/**
 * Returns the moment of the first complete book of these scopes and types in [since, before); `since` if there is none.
 */
export async function firstBookSince(
  db: Db,
  ask: { scopeIds: readonly number[]; types: readonly PricingType[]; since: Date; before: Date },
): Promise<Date> {
  const [row] = await db<{ at: Date | null }[]>`
    select min(observed_at) as at from book
    where scope_id = any(${[...ask.scopeIds]}::int[]) and type = any(${[...ask.types]}::text[]::pricing_type[])
      and verdict = 'complete' and observed_at >= ${ask.since} and observed_at < ${ask.before}`;
  return row?.at ?? ask.since;
}

/** Returns how many UTC days of [from, to] have a complete book, by scope, summed over types; a scope without any is missing. */
export async function countCoveredDays(
  db: Db,
  ask: { scopeIds: readonly number[]; types: readonly PricingType[]; from: Date; to: Date },
): Promise<Map<number, number>> {
  const rows = await db<{ scopeId: number; days: number }[]>`
    select scope_id as "scopeId", count(distinct (type, (observed_at at time zone 'UTC')::date))::int as days from book
    where scope_id = any(${[...ask.scopeIds]}::int[]) and type = any(${[...ask.types]}::text[]::pricing_type[])
      and verdict = 'complete' and observed_at >= ${ask.from} and observed_at <= ${ask.to}
    group by scope_id`;
  return new Map(rows.map(({ scopeId, days }) => [scopeId, days]));
}

const newestBook = (db: Db, scopeId: postgres.Fragment, types: readonly PricingType[]) => db`
  select max(b.observed_at) as at from unnest(${[...types]}::text[]::pricing_type[]) as t(type)
  cross join lateral (
    select observed_at from book where scope_id = ${scopeId} and type = t.type
    order by observed_at desc limit 1) b`;

/** Returns the models and pricing types that a market ever listed, sorted by name; only models in `among`, if given. */
export async function listedKinds(
  db: Db,
  marketId: number,
  among: readonly string[] | null = null,
): Promise<{ gpuNames: string[]; types: PricingType[] }> {
  const named = among === null ? db`true` : db`m.name = any(${[...among]}::text[])`;
  const rows = await db<{ name: string; type: PricingType }[]>`
    select m.name, t.type from gpu_model m cross join unnest(enum_range(null::pricing_type)) as t(type)
    -- A short walk down the key for each; "exists" would become a join over all listings.
    where ${named} and (select l.id from listing l where l.market_id = ${marketId} and l.type = t.type
      and l.gpu_model_id = m.id limit 1) is not null
    order by t.type`;
  const gpuNames = new Set(rows.map((row) => row.name));
  return { gpuNames: [...gpuNames].sort(), types: [...new Set(rows.map((row) => row.type))] };
}

/** Returns the names of all markets, sorted. */
export async function marketNames(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`select name from market order by name`;
  return rows.map((row) => row.name);
}

/** Resolves when the database answers; rejects if it cannot be reached. */
export async function pingDatabase(sql: Sql): Promise<void> {
  // An open connection would not show that new ones are refused.
  if (sql.room?.isFull === true) (await sql.reserve()).release();
  else await sql`select 1`;
}
