import type { PricingType } from '../core/offer.ts';
import type { OfferFilter } from '../core/offer-filter.ts';
import type { Db } from '../database/connection.ts';
import { filterCondition } from '../prices/newest/offer-filter.sql.ts';

/**
 * Returns the UTC days of [from, to] on which some complete book of a market contained a matching offer, with the prices
 * and attributes of that time; `YYYY-MM-DD`.
 */
export async function matchingDays(
  db: Db,
  ask: {
    marketId: number;
    scopeId: number;
    types: readonly PricingType[];
    gpuNames: readonly string[];
    filter: OfferFilter;
    storageGb: number;
    from: Date;
    to: Date;
  },
): Promise<string[]> {
  const { filter, storageGb, from, to } = ask;
  const models = ask.gpuNames.length === 0 ? db`true` : db`g.name = any(${[...ask.gpuNames]}::text[])`;
  const rows = await db<{ day: string }[]>`
    with covered as (
      select distinct (observed_at at time zone 'UTC')::date as day from book
      where scope_id = ${ask.scopeId} and type = any(${[...ask.types]}::text[]::pricing_type[]) and verdict = 'complete'
        and observed_at >= ${from} and observed_at <= ${to}
    ), spans as (
      select distinct greatest(p.first_at, r.valid_from, ${from})::date as first_day,
        least(p.last_at, r.valid_to - interval '1 microsecond', ${to})::date as last_day, a.day as from_day,
        a.valid_until as until_day
      from listing l
      join gpu_model g on g.id = l.gpu_model_id
      join presence p on p.listing_id = l.id and p.scope_id = ${ask.scopeId}
        and p.first_at <= ${to} and p.last_at >= ${from}
      join price_interval r on r.listing_id = l.id and r.scope_id = p.scope_id
        and r.valid_from <= least(p.last_at, ${to}) and r.valid_to > greatest(p.first_at, ${from})
      join listing_attribute a on a.listing_id = l.id and a.valid_until is not null
        and a.valid_until > greatest(p.first_at, r.valid_from, ${from})::date
        and a.day <= least(p.last_at, r.valid_to, ${to})::date
      where l.market_id = ${ask.marketId} and l.type = any(${[...ask.types]}::text[]::pricing_type[]) and ${models}
        and ${filterCondition(db, filter, { attributes: 'a', storageGb })}
    )
    select c.day::text as day from covered c
    where exists (select from spans s where c.day between s.first_day and s.last_day
      and c.day >= s.from_day and c.day < s.until_day)`;
  return rows.map(({ day }) => day);
}
