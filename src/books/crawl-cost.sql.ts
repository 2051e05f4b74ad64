import type { PricingType } from '../core/offer.ts';
import type { Db } from '../database/connection.ts';

/** The cost of the newest successful crawl of a series. */
export interface CrawlCost {
  scopeName: string;
  type: PricingType;
  /** Searches, including second passes; 0: never crawled. */
  pages: number;
}

/** Returns the costs of the given series in order. */
export async function crawlCosts(
  db: Db,
  marketId: number,
  series: readonly { scopeName: string; type: PricingType }[],
): Promise<CrawlCost[]> {
  const rows = await db<CrawlCost[]>`
    select t.scope_name as "scopeName", t.type, coalesce(r.pages, 0) as pages
    from unnest(${series.map(({ scopeName }) => scopeName)}::text[], ${series.map(({ type }) => type)}::pricing_type[])
      with ordinality as t(scope_name, type, place)
    left join lateral (
      select (certificate ->> 'pages')::int as pages from crawl
      where market_id = ${marketId} and kind = 'offers' and scope_name = t.scope_name and type = t.type
        and outcome in ('complete', 'partial') and cause not in ('import', 'seed')
      order by started_at desc limit 1) r on true
    order by t.place`;
  return [...rows];
}
