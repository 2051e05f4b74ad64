import type { CoverageCertificate } from '../core/coverage.ts';
import type { PricingType } from '../core/offer.ts';
import type { Db } from '../database/connection.ts';
import type { CrawlEnd } from './crawls.sql.ts';

/** One series of a market's books: a scope and a pricing type. */
export interface BookSeries {
  scope: string;
  type: PricingType;
}

export interface SeriesBook extends BookSeries {
  observedAt: Date;
  offers: number;
}

/** The newest complete book of each series of a market; one without any is missing. */
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
  /** null exactly when a complete or unchanged book came of it. */
  reason: string | null;
  endedAt: Date;
  /** null: it failed before there was one. Those of older versions lack what is new. */
  certificate: Partial<CoverageCertificate> | null;
}

/**
 * The newest crawl of each series of a market that has ended, of all scopes or one; imported and seeded books
 * are none.
 */
export async function newestCrawls(
  db: Db,
  marketId: number,
  scope: string | null = null,
): Promise<SeriesCrawl[]> {
  return await db<SeriesCrawl[]>`
    select s.name as scope, t.type, r.outcome, r.reason, r.ended_at as "endedAt", r.certificate
    from scope s cross join unnest(enum_range(null::pricing_type)) as t(type)
    join lateral (
      select outcome, reason, ended_at, certificate from crawl
      where market_id = ${marketId} and kind = 'offers' and scope_name = s.name and type = t.type
        and outcome is not null and cause not in ('import', 'seed')
      order by started_at desc limit 1) r on true
    where s.market_id = ${marketId} and ${scope === null ? db`true` : db`s.name = ${scope}`}
    order by 1, 2`;
}

/** How many crawls of one kind, scope and type ever ended in one way. */
export interface CrawlCount {
  kind: string;
  scope: string;
  type: PricingType | null;
  outcome: CrawlEnd;
  crawls: number;
}

/** The crawls of a market that have ended; a quarter of a second for half a million. */
export async function countCrawls(db: Db, marketId: number): Promise<CrawlCount[]> {
  return await db<CrawlCount[]>`
    select kind, scope_name as scope, type, outcome, count(*) as crawls from crawl
    where market_id = ${marketId} and outcome is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`;
}
