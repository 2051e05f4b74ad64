import { uuidv7 } from 'uuidv7';
import { ensureScope, type MarketKind } from '../books/markets.sql.ts';
import type { CrawlScope } from '../core/crawl-scope.ts';
import type { PricingType } from '../core/offer.ts';
import { deleteRow, on } from '../database/builder.ts';
import type { Db, Sql } from '../database/connection.ts';
import { and, asc, eq, inArray, type SQL, sql as text } from '../database/drizzle.ts';
import { market } from '../database/schema/market.ts';
import { watchMarket, watch as watchTable } from '../database/schema/watch.ts';
import { holdPriceRules } from './rules/rules.sql.ts';
import { scopeOfWatch, typesOfWatch, type Watch, type WatchFields, type WatchFilters } from './watch.ts';

const w = watchTable;

/** Names of a watch's markets, in their order. */
const marketNames = text<
  string[]
>`array(select o.name from ${watchMarket} p join ${market} o on o.id = p.market_id
  where p.watch_id = ${w.id} order by p.place)`;

/** Watches with the names of their markets, by name; at most `limit`, null for all. */
async function watchesWhere(
  db: Db,
  condition: SQL | undefined,
  limit: number | null = null,
): Promise<Watch[]> {
  const { id, name, filters, profile, rankBy, top, cron, timeZone, channelIds, reportCron, reportTimeZone } =
    w;
  const asked = on(db)
    .select({
      id,
      market: market.name,
      markets: marketNames,
      name,
      filters,
      profile,
      rankBy,
      top,
      schedule: { cron, timeZone },
      channelIds,
      reportCron,
      reportTimeZone,
    })
    .from(w)
    .innerJoin(market, eq(market.id, w.marketId))
    .where(condition)
    .orderBy(asc(name), asc(id));
  const rows = await (limit === null ? asked : asked.limit(limit));
  return rows.map(({ reportCron: reportAt, reportTimeZone: zone, ...row }) => ({
    ...row,
    reportSchedule: reportAt === null || zone === null ? null : { cron: reportAt, timeZone: zone },
  })) as Watch[];
}

/** Returns the columns that a person sets. */
const columnsOf = ({ schedule, reportSchedule, channelIds, ...fields }: WatchFields) => ({
  name: fields.name,
  filters: fields.filters,
  profile: fields.profile,
  rankBy: fields.rankBy,
  top: fields.top,
  cron: schedule.cron,
  timeZone: schedule.timeZone,
  channelIds: [...channelIds],
  reportCron: reportSchedule?.cron ?? null,
  reportTimeZone: reportSchedule?.timeZone ?? null,
});

/** SQL of whether a watch follows one of the markets. */
const follows = (marketIds: readonly number[]): SQL =>
  text`exists (select from ${watchMarket} where ${watchMarket.watchId} = ${w.id} and ${inArray(watchMarket.marketId, [...marketIds])})`;

/** Returns watches of markets by name, behind the watch `after` (null: from the start); at most `limit` (null: all). */
export async function listWatches(
  db: Db,
  {
    marketIds,
    after,
    limit,
  }: {
    marketIds: readonly number[];
    after: Pick<Watch, 'id' | 'name'> | null;
    limit: number | null;
  },
): Promise<Watch[]> {
  // A name is unique within a market, but several markets may have it.
  const behind = after === null ? undefined : text`(${w.name}, ${w.id}) > (${after.name}, ${after.id}::uuid)`;
  return await watchesWhere(db, and(follows(marketIds), behind), limit);
}

/** Returns one watch; null: unknown id. */
export async function findWatch(db: Db, id: string): Promise<Watch | null> {
  const [watch] = await watchesWhere(db, eq(w.id, id));
  return watch ?? null;
}

/** Returns the watches of markets with a name, which is taken at most once in each. */
export async function findWatchesByName(
  db: Db,
  marketIds: readonly number[],
  name: string,
): Promise<Watch[]> {
  return await watchesWhere(db, and(follows(marketIds), eq(w.name, name)));
}

/** Ids of a watch's markets, the first one first. */
export type MarketIds = readonly [number, ...number[]];

/** Stores a new watch, and its scopes if those are new; null: a watch of one of the markets has its name. */
export async function insertWatch(
  sql: Sql,
  marketIds: MarketIds,
  fields: WatchFields,
  now: Date,
): Promise<Watch | null> {
  return await sql.begin(async (tx) => await insertWatchIn(tx, marketIds, fields, now));
}

/** The same in a transaction. */
export async function insertWatchIn(
  tx: Db,
  marketIds: MarketIds,
  fields: WatchFields,
  now: Date,
): Promise<Watch | null> {
  const id = uuidv7();
  if (await isNameTaken(tx, marketIds, { id, name: fields.name })) return null;
  await on(tx)
    .insert(w)
    .values({ ...columnsOf(fields), id, marketId: marketIds[0], createdAt: now });
  await placeWatch(tx, id, marketIds, fields.filters);
  return await findWatch(tx, id);
}

/** A market of a watch, and the scope whose books it reads there. */
export interface WatchPlace {
  market: string;
  kind: MarketKind;
  marketId: number;
  scopeId: number;
}

/** A watch with its markets, the first one first. */
export type PlacedWatch = Watch & { places: readonly [WatchPlace, ...WatchPlace[]] };

interface WatchChange {
  /** When its reports start to follow a new schedule. */
  now: Date;
  /** undefined: as before. */
  marketIds?: MarketIds | undefined;
  /** Called with the change inside its transaction, while no book is judged. */
  onChanged?: ((tx: Db, before: PlacedWatch, after: PlacedWatch) => Promise<void>) | undefined;
}

/**
 * Replaces a watch's fields by the result of `change`, without concurrent changes; an error of `change` is rethrown and
 * changes nothing. Its old scopes and books stay.
 */
export async function changeWatch(
  sql: Sql,
  id: string,
  change: (watch: Watch) => WatchFields,
  { now, marketIds, onChanged }: WatchChange,
): Promise<Watch | 'missing' | 'name-taken'> {
  return await sql.begin(async (tx) => {
    const known = await findPlacedWatch(tx, id);
    if (known === null) return 'missing';
    const ids = marketIds ?? idsOf(known);
    if (onChanged !== undefined) await holdPriceRules(tx, [...idsOf(known), ...ids]);
    await tx`select from watch where id = ${id} for update`;
    const watch = await findPlacedWatch(tx, id);
    if (watch === null) return 'missing';
    const columns = columnsOf(change(watch));
    if (await isNameTaken(tx, ids, { id, name: columns.name })) return 'name-taken';
    const { reportCron, reportTimeZone } = columns;
    const reportSince = text`case when cardinality(${w.channelIds}) = 0
      or (${w.reportCron}, ${w.reportTimeZone}) is distinct from (${reportCron}::text, ${reportTimeZone}::text)
      then ${now} else ${w.reportSince} end`;
    await on(tx)
      .update(w)
      .set({ ...columns, marketId: ids[0], reportSince })
      .where(eq(w.id, id));
    await placeWatch(tx, id, ids, columns.filters);
    const after = await findPlacedWatch(tx, id);
    if (after === null) return 'missing';
    await onChanged?.(tx, watch, after);
    return withoutPlaces(after);
  });
}

/** Deletes a watch with its rules; false: unknown id. Its scopes and books stay. */
export async function deleteWatch(sql: Sql, id: string): Promise<boolean> {
  return await sql.begin(async (tx) => {
    await holdPriceRules(
      tx,
      (await watchPlaces(tx, id)).map(({ marketId }) => marketId),
    );
    return await deleteRow(tx, w, id);
  });
}

/** Returns the markets of a watch and its scopes there, in order; empty: unknown id. */
export async function watchPlaces(db: Db, id: string): Promise<WatchPlace[]> {
  return await db<WatchPlace[]>`
    select m.name as market, m.kind, p.market_id as "marketId", p.scope_id as "scopeId"
    from watch_market p join market m on m.id = p.market_id where p.watch_id = ${id} order by p.place`;
}

/** Returns one watch with its places; null: unknown id. */
export async function findPlacedWatch(db: Db, id: string): Promise<PlacedWatch | null> {
  const watch = await findWatch(db, id);
  const [first, ...others] = await watchPlaces(db, id);
  return watch === null || first === undefined ? null : { ...watch, places: [first, ...others] };
}

const idsOf = ({ places: [first, ...others] }: PlacedWatch): MarketIds => [
  first.marketId,
  ...others.map(({ marketId }) => marketId),
];

const withoutPlaces = ({ places: _, ...watch }: PlacedWatch): Watch => watch;

/**
 * Whether another watch of one of the markets has the name. Until the end of the transaction no other process can take
 * it.
 */
async function isNameTaken(
  tx: Db,
  marketIds: readonly number[],
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const ids = [...marketIds];
  await holdWatches(tx, ids);
  const [taken] = await tx`
    select from watch o join watch_market p on p.watch_id = o.id
    where o.name = ${name} and o.id <> ${id} and p.market_id = any(${ids}::int[]) limit 1`;
  return taken !== undefined;
}

/** Until the end of the transaction no other process adds a watch of these markets or changes a name of theirs. */
export async function holdWatches(tx: Db, marketIds: readonly number[]): Promise<void> {
  await tx`select from market where id = any(${[...marketIds]}::int[]) order by id for no key update`;
}

/** Stores the markets of a watch in place of those before, each with the scope of its filters. */
async function placeWatch(tx: Db, id: string, marketIds: MarketIds, filters: WatchFilters): Promise<void> {
  const scope = scopeOfWatch(filters);
  const scopeIds: number[] = [];
  for (const marketId of marketIds) scopeIds.push(await ensureScope(tx, marketId, scope.name, scope));
  await tx`delete from watch_market where watch_id = ${id} and not market_id = any(${[...marketIds]}::int[])`;
  await tx`
    insert into watch_market (watch_id, market_id, scope_id, place)
    select ${id}, p.market_id, p.scope_id, p.place - 1
    from unnest(${[...marketIds]}::int[], ${scopeIds}::int[]) with ordinality p(market_id, scope_id, place)
    on conflict (watch_id, market_id) do update set scope_id = excluded.scope_id, place = excluded.place`;
  const [first] = marketIds;
  await tx`update rule set market_id = ${first} where watch_id = ${id} and market_id <> ${first}`;
  await tx`delete from rule_state s using rule r
    where r.id = s.rule_id and r.watch_id = ${id} and not s.market_id = any(${[...marketIds]}::int[])`;
}

/** The schedule of a watch's books, by scope. */
export interface WatchScheduleRow {
  watchId: string;
  scope: CrawlScope;
  types: readonly PricingType[];
  cron: string;
  timeZone: string;
  createdAt: Date;
}

/** Returns the schedules of a market's watches, oldest first; none for a recorded market, which is never crawled. */
export async function listWatchSchedules(db: Db, marketId: number): Promise<WatchScheduleRow[]> {
  const rows = await db<
    (Omit<WatchScheduleRow, 'scope' | 'types'> & CrawlScope & { filters: WatchFilters })[]
  >`
    select w.id as "watchId", w.filters, w.cron, w.time_zone as "timeZone", w.created_at as "createdAt", s.name,
      s.gpu_names as "gpuNames", s.rentable
    from watch w join watch_market p on p.watch_id = w.id join market m on m.id = p.market_id
    join scope s on s.id = p.scope_id
    where p.market_id = ${marketId} and m.kind <> 'recorded' order by w.created_at, w.id`;
  return rows.map(({ name, gpuNames, rentable, filters, ...row }) => ({
    ...row,
    scope: { name, gpuNames, rentable },
    types: typesOfWatch(filters),
  }));
}

/** Returns the watches whose first market is one of these with scheduled reports, and since when the next one is due. */
export async function listReportSchedules(
  db: Db,
  marketIds: readonly number[],
): Promise<{ watchId: string; cron: string; timeZone: string; lastAt: Date }[]> {
  return await db<{ watchId: string; cron: string; timeZone: string; lastAt: Date }[]>`
    select w.id as "watchId", w.report_cron as cron, w.report_time_zone as "timeZone",
      greatest(r.sent_at, w.created_at, w.report_since) as "lastAt"
    from watch w left join watch_report r on r.watch_id = w.id
    where w.market_id = any(${[...marketIds]}::int[]) and w.report_cron is not null and w.report_time_zone is not null
      and cardinality(w.channel_ids) > 0 order by w.id`;
}
