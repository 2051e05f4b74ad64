import type postgres from 'postgres';
import { coversModel } from '../../books/covered-books.sql.ts';
import type { Db } from '../../database/connection.ts';

/**
 * Returns one row per offer and covering book, from listings, presence, price intervals and attributes alone: the
 * single definition that all historical figures derive from. Columns: book_id, observed_at, listing_id, machine_id,
 * gpu_model_id, num_gpus, type, the price components, the attributes in force on that UTC day (`a` as a row). `books`
 * restricts the books (alias b), `listings` the listings (alias l).
 */
export function observations(
  db: Db,
  restrict: { books: postgres.Fragment; listings?: postgres.Fragment },
): postgres.Fragment {
  return db`
    select b.id as book_id, b.observed_at, l.id as listing_id, l.machine_id, l.gpu_model_id, l.num_gpus,
      l.type, r.base_usd_per_hour, r.storage_usd_per_gb_month, r.inet_down_usd_per_gb, r.inet_up_usd_per_gb,
      a.dlperf, a.gpu_ids
    from book b
    join scope s on s.id = b.scope_id
    join listing l on l.market_id = s.market_id and l.type = b.type
    join presence p on p.listing_id = l.id and p.scope_id = b.scope_id
      and p.first_at <= b.observed_at and p.last_at >= b.observed_at
    join price_interval r on r.listing_id = l.id and r.scope_id = b.scope_id
      and r.valid_from <= b.observed_at and r.valid_to > b.observed_at
    join listing_attribute a on a.listing_id = l.id and a.valid_until is not null
      and a.day <= (b.observed_at at time zone 'UTC')::date
      and a.valid_until > (b.observed_at at time zone 'UTC')::date
    where ${restrict.books} and ${restrict.listings ?? db`true`}
      and ${coversModel(db, db`l.gpu_model_id`)}`;
}
