import type { CoverageCertificate } from '../core/coverage.ts';
import type { PricingType } from '../core/offer.ts';
import type { Db } from '../database/connection.ts';
import { type CrawlEnd, latestStart } from './crawls.sql.ts';

/** One series of a market's books: a scope and a pricing type. */
export interface BookSeries {
  scope: string;
  type: PricingType;
}

export interface SeriesBook extends BookSeries {
  observedAt: Date;
  offers: number;
}

/** Returns the newest complete book of each series of a market; a series without one is missing. */
export async function newestCompleteBooks(db: Db, marketId: number): Promise<SeriesBook[]> {
  return await db<SeriesBook[]>`
    select s.name as scope, t.type, b.observed_at as "observedAt", b.offers
    from scope s cross join unnest(enum_range(null::pricing_type)) as t(type)
    join lateral (
      select observed_at, offers from book
      where scope_id = s.id and type = t.type and verdict = 'complete'
      order by observed_at desc limit 1) b on true
    where s.market_id = ${marketId}
    order by 1, 2`;
}

export interface SeriesCrawl extends BookSeries {
  outcome: CrawlEnd;
  /** null exactly if it produced a complete or unchanged book. */
  reason: string | null;
  endedAt: Date;
  /** null: it failed early. Older versions lack newer fields. */
  certificate: Partial<CoverageCertificate> | null;
}

/** Returns the newest ended crawl of each series of a market, of all scopes or one; imports, seeds and crawls ahead of the clock do not count. */
export async function newestCrawls(
  db: Db,
  marketId: number,
  { now, scope = null }: { now: Date; scope?: string | null },
): Promise<SeriesCrawl[]> {
  return await db<SeriesCrawl[]>`
    select s.name as scope, t.type, r.outcome, r.reason, r.ended_at as "endedAt", r.certificate
    from scope s cross join unnest(enum_range(null::pricing_type)) as t(type)
    join lateral (
      select outcome, reason, ended_at, certificate from crawl
      where market_id = ${marketId} and kind = 'offers' and scope_name = s.name and type = t.type
        and outcome is not null and cause not in ('import', 'seed')
        and started_at <= ${latestStart(now)}
      order by started_at desc limit 1) r on true
    where s.market_id = ${marketId} and ${scope === null ? db`true` : db`s.name = ${scope}`}
    order by 1, 2`;
}

/** Number of crawls of one kind, scope and type with one outcome. */
export interface CrawlCount {
  kind: string;
  scope: string;
  type: PricingType | null;
  outcome: CrawlEnd;
  crawls: number;
}

/** Counts the ended crawls of a market; takes a quarter of a second for half a million. */
export async function countCrawls(db: Db, marketId: number): Promise<CrawlCount[]> {
  return await db<CrawlCount[]>`
    select kind, scope_name as scope, type, outcome, count(*) as crawls from crawl
    where market_id = ${marketId} and outcome is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`;
}
