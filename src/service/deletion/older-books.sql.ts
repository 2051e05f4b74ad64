import { coversModel } from '../../books/covered-books.sql.ts';
import { lockAttributes, lockListings, lockSeries } from '../../books/landing/locks.sql.ts';
import { bucketStart } from '../../core/bucket.ts';
import { defaultScope } from '../../core/crawl-scope.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Db, ReservedSql } from '../../database/connection.ts';
import { type DoomedRows, olderCrawls } from './doomed-rows.sql.ts';

/** The books of all scopes of a market and type, and the moment before which they are deleted. */
export interface OlderBooks {
  marketId: number;
  market: string;
  type: PricingType;
  scopeIds: number[];
  /** A Monday, 00:00 UTC. */
  before: Date;
  /** The oldest of them. */
  first: Date;
  /** The moment that was asked for, before which their crawls are deleted. */
  asked: Date;
}

/**
 * Returns what of each market and type is older than a moment, in whole weeks, so that every figure of a day or a week
 * that stays is as before. The week of the newest complete book always stays.
 */
export async function findOlderBooks(
  db: Db,
  marketIds: readonly number[],
  before: Date,
): Promise<OlderBooks[]> {
  const rows = await db<(OlderBooks & { newest: Date })[]>`
    select s.market_id as "marketId", m.name as market, b.type, array_agg(distinct s.id) as "scopeIds",
      min(b.observed_at) as first, coalesce(
        max(b.observed_at) filter (where b.verdict = 'complete' and s.name = ${defaultScope.name}),
        max(b.observed_at)) as newest
    from book b join scope s on s.id = b.scope_id join market m on m.id = s.market_id
    where s.market_id = any(${[...marketIds]}::int[]) group by 1, 2, 3 order by 1, 3`;
  return rows
    .map(({ newest, ...books }) => {
      const last = newest < before ? newest : before;
      return { ...books, before: bucketStart('1w', last), asked: before };
    })
    .filter((books) => books.first < books.before);
}

/** Blocks landings of these series until the transaction ends. */
export async function lockOlderBooks(
  tx: ReservedSql,
  { marketId, type, scopeIds }: OlderBooks,
): Promise<void> {
  for (const scopeId of scopeIds.toSorted((a, b) => a - b)) await lockSeries(tx, { scopeId, type });
  await lockListings(tx, { marketId, type }, true);
  await lockAttributes(tx, { marketId, type });
}

/**
 * Creates the temporary tables `doomed_book` and `kept_listing` (`seen_at`: the first book from then on that has the
 * listing) and `doomed_listing`, which the rows below are found by.
 */
export async function markOlderBooks(
  tx: ReservedSql,
  { marketId, type, scopeIds, before }: OlderBooks,
): Promise<void> {
  const ofScopes = tx`b.scope_id = any(${scopeIds}::int[]) and b.type = ${type}`;
  for (const table of ['doomed_book', 'next_cover', 'kept_listing', 'doomed_listing']) {
    await tx`drop table if exists ${tx(table)}`;
  }
  await tx`create temporary table doomed_book as
    select b.id from book b where ${ofScopes} and b.observed_at < ${before}`;
  await tx`create temporary table next_cover as
    select s.id as scope_id, m.id as gpu_model_id, n.at from scope s cross join gpu_model m
    cross join lateral (
      select b.observed_at as at from book b where b.scope_id = s.id and b.type = ${type}
        and b.observed_at >= ${before} and ${coversModel(tx, tx`m.id`)}
      order by b.observed_at limit 1) n
    where s.id = any(${scopeIds}::int[])`;
  await tx`create temporary table kept_listing as
    select p.listing_id, p.scope_id, min(greatest(p.first_at, n.at)) as seen_at
    from presence p join listing l on l.id = p.listing_id
    join next_cover n on n.scope_id = p.scope_id and n.gpu_model_id = l.gpu_model_id
    where l.market_id = ${marketId} and l.type = ${type} and p.last_at >= ${before} group by 1, 2`;
  await tx`create index on kept_listing (listing_id, scope_id)`;
  await tx`create temporary table doomed_listing as
    select l.id from listing l where l.market_id = ${marketId} and l.type = ${type}
      and not exists (select from kept_listing k where k.listing_id = l.id)
      and not exists (select from latest_offer o where o.listing_id = l.id
        and o.book_id not in (select id from doomed_book))
      and not exists (select from listing_attribute a where a.listing_id = l.id and a.day >= ${dayOf(before)})`;
  for (const table of ['doomed_book', 'next_cover', 'kept_listing', 'doomed_listing'])
    await tx`analyze ${tx(table)}`;
}

/** Makes what began before with the first book that stays. Must be called after the rows below are deleted. */
export async function trimToKeptBooks(
  tx: ReservedSql,
  { marketId, type, before }: OlderBooks,
): Promise<void> {
  await tx`
    update presence p set first_at = n.at from listing l, next_cover n
    where l.id = p.listing_id and l.market_id = ${marketId} and l.type = ${type} and n.scope_id = p.scope_id
      and n.gpu_model_id = l.gpu_model_id and p.first_at < ${before} and p.last_at >= ${before}`;
  await tx`
    update price_interval r set valid_from = k.seen_at from kept_listing k
    where k.listing_id = r.listing_id and k.scope_id = r.scope_id and r.valid_from < k.seen_at`;
}

/** Returns the rows that go with the older books, in the order in which they can be deleted. */
export function olderRows(tx: Db, { marketId, type, scopeIds, before, asked }: OlderBooks): DoomedRows[] {
  const ofType = tx`t.listing_id in (select id from listing where market_id = ${marketId} and type = ${type})`;
  const ofScope = tx`t.scope_id = any(${scopeIds}::int[])`;
  const ofBook = tx`t.book_id in (select id from doomed_book)`;
  const kept = tx`select from kept_listing k where k.listing_id = t.listing_id`;
  const ofCell = tx`t.cell_id in (select id from point_cell c where c.scope_id = any(${scopeIds}::int[])
    and c.type = ${type})`;
  const day = dayOf(before);
  const earlierDay = tx`${ofScope} and t.type = ${type} and t.day < ${day}`;
  const points = (table: string, until: Date): DoomedRows => ({
    what: 'statistics',
    table,
    where: tx`${ofCell} and t.t < ${until}`,
  });
  return [
    {
      what: 'presence and prices',
      table: 'presence',
      where: tx`${ofType} and ${ofScope} and (
      t.last_at < ${before} or not exists (${kept} and k.scope_id = t.scope_id))`,
    },
    {
      what: 'presence and prices',
      table: 'price_interval',
      where: tx`${ofType} and ${ofScope}
      and not exists (${kept} and k.scope_id = t.scope_id and k.seen_at < t.valid_to)`,
    },
    // What was in force at that moment still is.
    {
      what: 'attributes',
      table: 'listing_attribute',
      where: tx`${ofType} and t.day < ${day} and (
      t.valid_until is null or t.valid_until <= ${day} or not exists (${kept}))`,
    },
    { what: 'offers', table: 'latest_offer', where: ofBook },
    { what: 'offers', table: 'record_page', where: ofBook },
    points('book_point', before),
    points('hour_point', before),
    points('day_point', before),
    points('week_point', bucketStart('1w', before)),
    ...['book_day', 'pool_day_model', 'pool_day', 'index_observation'].map((table) => {
      return { what: 'statistics', table, where: earlierDay };
    }),
    { what: 'crawls', table: 'crawl', where: tx`${ofBook} and ${olderCrawls(tx, asked)}` },
    { what: 'books', table: 'book_slice', where: ofBook },
    { what: 'books', table: 'book', where: tx`t.id in (select id from doomed_book)` },
    { what: 'offers', table: 'listing', where: tx`t.id in (select id from doomed_listing)` },
  ];
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
