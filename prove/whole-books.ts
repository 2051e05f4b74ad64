import type { Sql } from '../src/database/connection.ts';

/** Offers of each covering book according to presence alone. */
const present = `
  select b.id as book_id, b.scope_id, b.observed_at, l.id as listing_id, l.gpu_model_id
  from book b join scope s on s.id = b.scope_id
  join listing l on l.market_id = s.market_id and l.type = b.type
  join presence p on p.listing_id = l.id and p.scope_id = b.scope_id
    and b.observed_at between p.first_at and p.last_at
  where b.verdict = 'complete'`;

const points = 'book_point p join point_cell c on c.id = p.cell_id';
const ofBook = 'c.scope_id = b.scope_id and c.type = b.type and p.t = b.observed_at';

/** Checks of a database that must only hold whole books: each counts its violations. */
const checks: Record<string, string> = {
  'books whose presence is not their number of offers': `
    select count(*) from book b where b.verdict = 'complete'
      and b.offers <> (select count(*) from (${present}) o where o.book_id = b.id)`,
  'books whose slices are not of all their offers': `
    select count(*) from book b
    where (select sum(s.offers) from book_slice s where s.book_id = b.id) is distinct from b.offers`,
  'books whose statistics are not of all their offers': `
    select count(*) from book b where b.verdict = 'complete' and (
      b.offers is distinct from (select sum(p.offers) from ${points} where ${ofBook} and c.gpu_model_id = 0)
      or b.offers <> (select coalesce(sum(p.offers), 0) from ${points}
        where ${ofBook} and c.gpu_model_id <> 0 and c.num_gpus = 0)
      or b.offers <> (select coalesce(sum(p.offers), 0) from ${points}
        where ${ofBook} and c.num_gpus <> 0))`,
  'offers of a book without exactly one price in force': `
    select count(*) from (${present}) o where 1 <> (select count(*) from price_interval r
      where r.listing_id = o.listing_id and r.scope_id = o.scope_id
        and r.valid_from <= o.observed_at and r.valid_to > o.observed_at)`,
  'offers of a book without exactly one row of attributes in force': `
    select count(*) from (${present}) o where 1 <> (select count(*) from listing_attribute a
      where a.listing_id = o.listing_id and a.day <= (o.observed_at at time zone 'UTC')::date
        and a.valid_until > (o.observed_at at time zone 'UTC')::date)`,
  'spans of presence that begin or end at no book': `
    select count(*) from presence p join listing l on l.id = p.listing_id where not exists (
      select from book b where b.scope_id = p.scope_id and b.type = l.type and b.observed_at = p.first_at)
      or p.last_at <> 'infinity' and not exists (
      select from book b where b.scope_id = p.scope_id and b.type = l.type and b.observed_at = p.last_at)`,
  'spans of one listing that overlap': `
    select count(*) from presence a join presence b on b.listing_id = a.listing_id and b.scope_id = a.scope_id
      and b.first_at > a.first_at and b.first_at <= a.last_at`,
  'price runs of one listing that overlap or leave a gap': `
    select count(*) from (select valid_to, lead(valid_from, 1, 'infinity')
      over (partition by listing_id, scope_id order by valid_from) as next from price_interval) r
    where r.valid_to <> r.next`,
  'price runs that begin at no book': `
    select count(*) from price_interval r join listing l on l.id = r.listing_id where not exists (
      select from book b where b.scope_id = r.scope_id and b.type = l.type and b.observed_at = r.valid_from)`,
  'listings of no known market or model': `
    select count(*) from listing l where not exists (select from market m where m.id = l.market_id)
      or not exists (select from gpu_model g where g.id = l.gpu_model_id)`,
  'listings that no book and no attributes speak of': `
    select count(*) from listing l where not exists (select from latest_offer o where o.listing_id = l.id)
      or not exists (select from presence p where p.listing_id = l.id)
      and exists (select from latest_offer o where o.listing_id = l.id and o.from_complete_book)`,
  'latest offers that are not of the newest book that held the listing': `
    select count(*) from latest_offer o where o.from_complete_book and o.observed_at <> (
      select max(b.observed_at) from book b join listing l on l.type = b.type and l.id = o.listing_id
      join presence p on p.listing_id = l.id and p.scope_id = b.scope_id
        and b.observed_at between p.first_at and p.last_at
      where b.verdict = 'complete' and b.scope_id = o.scope_id)`,
  'latest offers without their record': `
    select count(*) from latest_offer o where not exists (select from record_page r
      where r.book_id = o.book_id and r.page = o.page and r.records[o.place] is not null)`,
  'pages of records of which most are of no latest offer': `
    select count(*) from record_page r where cardinality(r.records) > 2 * (
      select count(*) from latest_offer o where o.book_id = r.book_id and o.page = r.page)`,
  'moments with more than one book': `
    select count(*) from (select from book group by scope_id, type, observed_at having count(*) > 1) twice`,
};

/** Returns the defects of the stored books, one line each with its count; empty if every book is whole. */
export async function findHalfBooks(sql: Sql): Promise<string[]> {
  // One snapshot for all checks: a book may be committed between two of them.
  return await sql.begin('isolation level repeatable read read only', async (tx) => {
    const problems: string[] = [];
    for (const [name, query] of Object.entries(checks)) {
      const [row] = await tx.unsafe<{ count: number }[]>(query);
      if (row === undefined || row.count > 0) problems.push(`${row?.count ?? 'unknown'} ${name}`);
    }
    return problems;
  });
}
