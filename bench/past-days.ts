import type { Sql } from '../src/database/connection.ts';

/** Days before the newest book, and books on each. */
export interface PastDays {
  scopeId: number;
  newestBookId: number;
  days: number;
}

/**
 * Gives every listing of the newest book a history of hourly books: on one day in ten its price changes, and on one in
 * four it is absent for one to three hours. Written in SQL, because landing that many books would take hours; the rows
 * are the ones that landing would leave.
 */
export async function addPastDays(sql: Sql, { scopeId, newestBookId, days }: PastDays): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select setseed(0.5)`;
    const [newest] = await tx<{ at: Date }[]>`
      select observed_at as at from book where id = ${newestBookId}`;
    if (newest === undefined) throw new Error('there is no newest book to give a past');
    // Hours count from the first book.
    const first = new Date(newest.at.getTime() - days * 24 * 3_600_000);
    const hour = (column: string) => tx`${first}::timestamptz + ${tx.unsafe(column)} * interval '1 hour'`;
    await tx`
      insert into book (scope_id, type, observed_at, started_at, verdict, proof, content_hash, offers,
        allocated_storage_gb, certificate)
      select scope_id, type, ${hour('h')}, ${hour('h')}, 'complete', 'declared', 'bench ' || h, offers,
        allocated_storage_gb, certificate
      from book cross join generate_series(0, ${days} * 24 - 1) as h where id = ${newestBookId} order by h`;
    await tx`
      create temporary table past_listing on commit drop as
      select listing_id from latest_offer where book_id = ${newestBookId}`;
    await tx`
      create temporary table gap on commit drop as
      select listing_id, d * 24 + floor(random() * 20)::int as begins, 1 + floor(random() * 3)::int as hours
      from past_listing cross join generate_series(0, ${days} - 1) as d where random() < 0.25`;
    await tx`analyze past_listing, gap`;
    await tx`delete from presence where scope_id = ${scopeId}`;
    await tx`
      insert into presence (listing_id, scope_id, first_at, last_at)
      select listing_id, ${scopeId}, ${hour('first')},
        case when until is null then 'infinity' else ${hour('(until - 1)')} end
      from (
        select listing_id, begins + hours as first,
          lead(begins) over (partition by listing_id order by begins) as until from gap
        union all
        select listing_id, 0, min(begins) from past_listing left join gap using (listing_id) group by 1) spans
      where until is null or until > first`;
    await tx`
      create temporary table change on commit drop as
      select listing_id, d * 24 + floor(random() * 24)::int as begins, 0.85 + 0.3 * random() as factor
      from past_listing cross join generate_series(0, ${days} - 1) as d where random() < 0.1`;
    await tx`
      create temporary table last_run on commit drop as
      select r.* from price_interval r join past_listing using (listing_id)
      where r.scope_id = ${scopeId} and r.valid_to = 'infinity'`;
    await tx`delete from price_interval where scope_id = ${scopeId}`;
    await tx`
      insert into price_interval (listing_id, scope_id, valid_from, valid_to, base_usd_per_hour,
        storage_usd_per_gb_month, inet_down_usd_per_gb, inet_up_usd_per_gb, min_bid_usd_per_hour,
        discounted_usd_per_hour, discount_rate)
      select listing_id, ${scopeId}, ${hour('begins')}, case when until is null then 'infinity' else ${hour('until')} end,
        -- The last price is the one of the newest book.
        base_usd_per_hour * case when until is null then 1 else factor end, storage_usd_per_gb_month,
        inet_down_usd_per_gb, inet_up_usd_per_gb, min_bid_usd_per_hour, discounted_usd_per_hour, discount_rate
      from (
        select listing_id, begins, factor, lead(begins) over (partition by listing_id order by begins) as until
        from (select * from change union all
          select listing_id, -1, 0.85 + 0.3 * random() from past_listing) all_changes) runs
      join last_run using (listing_id)`;
    await tx`
      update listing_attribute a set day = ${first}::date - 1, observed_at = ${hour('-1')}
      from past_listing p where p.listing_id = a.listing_id`;
  });
  await sql`analyze book, presence, price_interval, listing_attribute, latest_offer, listing`;
}
