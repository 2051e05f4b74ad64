import { uuidv7 } from 'uuidv7';
import { ensureScope } from '../books/markets.sql.ts';
import type { CrawlScope } from '../core/crawl-scope.ts';
import type { PricingType } from '../core/offer.ts';
import type { Db, Sql } from '../database/connection.ts';
import { behind } from '../database/paging.sql.ts';
import { holdPriceRules } from './rules/rules.sql.ts';
import { scopeOfWatch, typesOfWatch, type Watch, type WatchFields, type WatchFilters } from './watch.ts';

type Row = Omit<Watch, 'schedule' | 'reportSchedule'> & {
  cron: string;
  timeZone: string;
  reportCron: string | null;
  reportTimeZone: string | null;
};

const columns = (db: Db) => db`
  w.id, m.name as market, w.name, w.filters, w.profile, w.rank_by as "rankBy", w.top, w.cron,
  w.time_zone as "timeZone", w.channel_ids as "channelIds", w.report_cron as "reportCron",
  w.report_time_zone as "reportTimeZone"`;

/** Watches of a market by name: those behind the name `after`, null for all; at most `limit`, null for all. */
export async function listWatches(
  db: Db,
  { marketId, after, limit }: { marketId: number; after: string | null; limit: number | null },
): Promise<Watch[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from watch w join market m on m.id = w.market_id
    where w.market_id = ${marketId} and ${behind(db, 'w.name', 'ascending', after)}
    order by w.name limit ${limit}`;
  return rows.map(toWatch);
}

/** One watch; null: no such id. */
export async function findWatch(db: Db, id: string): Promise<Watch | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from watch w join market m on m.id = w.market_id where w.id = ${id}`;
  return row === undefined ? null : toWatch(row);
}

/** One watch by its name in a market; null: there is none. */
export async function findWatchByName(db: Db, marketId: number, name: string): Promise<Watch | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from watch w join market m on m.id = w.market_id
    where w.market_id = ${marketId} and w.name = ${name}`;
  return row === undefined ? null : toWatch(row);
}

/** Stores a new watch, and its scope where that is new; null: the market has a watch of that name. */
export async function insertWatch(
  sql: Sql,
  marketId: number,
  fields: WatchFields,
  now: Date,
): Promise<Watch | null> {
  return await sql.begin(async (tx) => {
    const { name, filters, profile, rankBy, top, schedule, channelIds, reportSchedule } = fields;
    const scopeId = await ensureWatchScope(tx, marketId, filters);
    const [made] = await tx<{ id: string }[]>`
      insert into watch (id, market_id, scope_id, name, filters, profile, rank_by, top, cron, time_zone,
        channel_ids, report_cron, report_time_zone, created_at)
      values (${uuidv7()}, ${marketId}, ${scopeId}, ${name}, ${tx.json({ ...filters })}, ${tx.json({ ...profile })},
        ${rankBy}, ${top}, ${schedule.cron}, ${schedule.timeZone}, ${[...channelIds]}::uuid[],
        ${reportSchedule?.cron ?? null}, ${reportSchedule?.timeZone ?? null}, ${now})
      on conflict (market_id, name) do nothing returning id`;
    return made === undefined ? null : await findWatch(tx, made.id);
  });
}

/** A watch with where its books are. */
export type PlacedWatch = Watch & { marketId: number; scopeId: number };

interface WatchChange {
  /** When its reports begin to follow a schedule that is new. */
  now: Date;
  /** Told of the change inside its transaction, while no book is judged. */
  onChanged?: ((tx: Db, before: Watch, after: PlacedWatch) => Promise<void>) | undefined;
}

/**
 * Replaces a watch's fields by what `change` makes of them while nobody else can change them; what it throws
 * is thrown on and changes nothing. Its old scope stays, with its books.
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
      const { name, filters, profile, rankBy, top, schedule, channelIds, reportSchedule } = change(watch);
      const scopeId = await ensureWatchScope(tx, marketId, filters);
      await tx`update watch set scope_id = ${scopeId}, name = ${name}, filters = ${tx.json({ ...filters })},
        profile = ${tx.json({ ...profile })}, rank_by = ${rankBy}, top = ${top}, cron = ${schedule.cron},
        time_zone = ${schedule.timeZone}, channel_ids = ${[...channelIds]}::uuid[],
        report_since = case when cardinality(channel_ids) = 0 or (report_cron, report_time_zone)
          is distinct from (${reportSchedule?.cron ?? null}::text, ${reportSchedule?.timeZone ?? null}::text)
          then ${now} else report_since end,
        report_cron = ${reportSchedule?.cron ?? null}, report_time_zone = ${reportSchedule?.timeZone ?? null}
        where id = ${id}`;
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

/** Ends a watch with its rules; false: there is none with this id. Its scope stays, with its books. */
export async function deleteWatch(sql: Sql, id: string): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const place = await watchScope(tx, id);
    if (place === null) return false;
    await holdPriceRules(tx, place.marketId);
    return (await tx`delete from watch where id = ${id} returning id`).length > 0;
  });
}

/** The market and the scope of a watch; null: no such id. */
export async function watchScope(db: Db, id: string): Promise<{ marketId: number; scopeId: number } | null> {
  const [row] = await db<{ marketId: number; scopeId: number }[]>`
    select market_id as "marketId", scope_id as "scopeId" from watch where id = ${id}`;
  return row ?? null;
}

/** When a watch wants a book of what. */
export interface WatchScheduleRow {
  watchId: string;
  scope: CrawlScope;
  types: readonly PricingType[];
  cron: string;
  timeZone: string;
  createdAt: Date;
}

/** The schedules of a market's watches, the oldest first; none for a recorded market, which is never crawled. */
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

/** The watches of a market whose reports go out by themselves, with since when the next one is waited for. */
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

function toWatch({ cron, timeZone, reportCron, reportTimeZone, ...row }: Row): Watch {
  const reportSchedule =
    reportCron === null || reportTimeZone === null ? null : { cron: reportCron, timeZone: reportTimeZone };
  return { ...row, schedule: { cron, timeZone }, reportSchedule };
}
