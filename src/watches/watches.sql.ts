import { uuidv7 } from 'uuidv7';
import { ensureScope } from '../books/markets.sql.ts';
import type { CrawlScope } from '../core/crawl-scope.ts';
import type { PricingType } from '../core/offer.ts';
import { deleteRow, on } from '../database/builder.ts';
import type { Db, Sql } from '../database/connection.ts';
import { and, asc, eq, gt, type SQL, sql as text } from '../database/drizzle.ts';
import { market } from '../database/schema/market.ts';
import { watch as watchTable } from '../database/schema/watch.ts';
import { holdPriceRules } from './rules/rules.sql.ts';
import { scopeOfWatch, typesOfWatch, type Watch, type WatchFields, type WatchFilters } from './watch.ts';

const w = watchTable;

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
    .orderBy(asc(name));
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

/** Returns watches of a market by name, behind the name `after` (null: from the start); at most `limit` (null: all). */
export async function listWatches(
  db: Db,
  { marketId, after, limit }: { marketId: number; after: string | null; limit: number | null },
): Promise<Watch[]> {
  const behind = after === null ? undefined : gt(w.name, after);
  return await watchesWhere(db, and(eq(w.marketId, marketId), behind), limit);
}

/** Returns one watch; null: unknown id. */
export async function findWatch(db: Db, id: string): Promise<Watch | null> {
  const [watch] = await watchesWhere(db, eq(w.id, id));
  return watch ?? null;
}

/** Returns one watch by its name in a market; null: none. */
export async function findWatchByName(db: Db, marketId: number, name: string): Promise<Watch | null> {
  const [watch] = await watchesWhere(db, and(eq(w.marketId, marketId), eq(w.name, name)));
  return watch ?? null;
}

/** Stores a new watch, and its scope if that is new; null: the name is taken. */
export async function insertWatch(
  sql: Sql,
  marketId: number,
  fields: WatchFields,
  now: Date,
): Promise<Watch | null> {
  return await sql.begin(async (tx) => {
    const scopeId = await ensureWatchScope(tx, marketId, fields.filters);
    const [made] = await on(tx)
      .insert(w)
      .values({ ...columnsOf(fields), id: uuidv7(), marketId, scopeId, createdAt: now })
      .onConflictDoNothing({ target: [w.marketId, w.name] })
      .returning({ id: w.id });
    return made === undefined ? null : await findWatch(tx, made.id);
  });
}

/** A watch with the place of its books. */
export type PlacedWatch = Watch & { marketId: number; scopeId: number };

interface WatchChange {
  /** When its reports start to follow a new schedule. */
  now: Date;
  /** Called with the change inside its transaction, while no book is judged. */
  onChanged?: ((tx: Db, before: Watch, after: PlacedWatch) => Promise<void>) | undefined;
}

/**
 * Replaces a watch's fields by the result of `change`, without concurrent changes; an error of `change` is rethrown and
 * changes nothing. Its old scope and books stay.
 */
export async function changeWatch(
  sql: Sql,
  id: string,
  change: (watch: Watch) => WatchFields,
  { now, onChanged }: WatchChange,
): Promise<Watch | 'missing' | 'name-taken'> {
  try {
    return await sql.begin(async (tx) => {
      const place = await watchScope(tx, id);
      if (place === null) return 'missing';
      const { marketId } = place;
      if (onChanged !== undefined) await holdPriceRules(tx, marketId);
      await tx`select from watch where id = ${id} for update`;
      const watch = await findWatch(tx, id);
      if (watch === null) return 'missing';
      const columns = columnsOf(change(watch));
      const { reportCron, reportTimeZone } = columns;
      const scopeId = await ensureWatchScope(tx, marketId, columns.filters);
      const reportSince = text`case when cardinality(${w.channelIds}) = 0
        or (${w.reportCron}, ${w.reportTimeZone}) is distinct from (${reportCron}::text, ${reportTimeZone}::text)
        then ${now} else ${w.reportSince} end`;
      await on(tx)
        .update(w)
        .set({ ...columns, scopeId, reportSince })
        .where(eq(w.id, id));
      const after = await findWatch(tx, id);
      if (after === null) return 'missing';
      await onChanged?.(tx, watch, { ...after, marketId, scopeId });
      return after;
    });
  } catch (error) {
    if ((error as { constraint_name?: unknown }).constraint_name === 'watch_name') return 'name-taken';
    throw error;
  }
}

/** Deletes a watch with its rules; false: unknown id. Its scope and books stay. */
export async function deleteWatch(sql: Sql, id: string): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const place = await watchScope(tx, id);
    if (place === null) return false;
    await holdPriceRules(tx, place.marketId);
    return await deleteRow(tx, w, id);
  });
}

/** Returns the market and scope of a watch; null: unknown id. */
export async function watchScope(db: Db, id: string): Promise<{ marketId: number; scopeId: number } | null> {
  const [row] = await on(db).select({ marketId: w.marketId, scopeId: w.scopeId }).from(w).where(eq(w.id, id));
  return row ?? null;
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
    from watch w join market m on m.id = w.market_id join scope s on s.id = w.scope_id
    where w.market_id = ${marketId} and m.kind <> 'recorded' order by w.created_at, w.id`;
  return rows.map(({ name, gpuNames, rentable, filters, ...row }) => ({
    ...row,
    scope: { name, gpuNames, rentable },
    types: typesOfWatch(filters),
  }));
}

/** Returns the watches of a market with scheduled reports, and since when the next one is due. */
export async function listReportSchedules(
  db: Db,
  marketId: number,
): Promise<{ watchId: string; cron: string; timeZone: string; lastAt: Date }[]> {
  return await db<{ watchId: string; cron: string; timeZone: string; lastAt: Date }[]>`
    select w.id as "watchId", w.report_cron as cron, w.report_time_zone as "timeZone",
      greatest(r.sent_at, w.created_at, w.report_since) as "lastAt"
    from watch w left join watch_report r on r.watch_id = w.id
    where w.market_id = ${marketId} and w.report_cron is not null and w.report_time_zone is not null
      and cardinality(w.channel_ids) > 0 order by w.id`;
}

async function ensureWatchScope(db: Db, marketId: number, filters: WatchFilters): Promise<number> {
  const scope = scopeOfWatch(filters);
  return await ensureScope(db, marketId, scope.name, scope);
}
