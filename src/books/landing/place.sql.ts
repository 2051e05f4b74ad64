import type { PricingType } from '../../core/offer.ts';
import { fieldEntries } from '../../core/offer-fields.ts';
import { assignments, columnList } from '../../database/column-lists.ts';
import type { Db, ReservedSql } from '../../database/connection.ts';
import { findLeftPages, saveRecords, stageNewest, tidyLeftPages } from './records.sql.ts';

/** The series that a book belongs to: one scope and pricing type of a market. */
export interface Series {
  marketId: number;
  scopeId: number;
  type: PricingType;
}

/** The names in a book's offers, gathered while they are staged. */
export interface OfferNames {
  gpuNames: ReadonlySet<string>;
  countries: ReadonlySet<string>;
  tiers: ReadonlySet<string>;
}

/**
 * Gives every staged offer its listing, created if new, in `placed_offer`. Offers that share machine, model and size
 * differ by an ordinal, in the order of (base price, offer id). `grown`: the planner's statistics are from a time when
 * the market was much smaller or not there, even if other markets have many rows.
 */
export async function placeOffers(
  tx: ReservedSql,
  { marketId, type }: Series,
  names: OfferNames,
): Promise<{ grown: boolean }> {
  await addOfferNames(tx, names);
  await tx`drop table if exists numbered_offer, placed_offer`;
  await tx`
    create temporary table numbered_offer as
    select s.offer_id, s.machine_id, m.id as gpu_model_id, s.num_gpus, c.id as country_id,
      v.id as verification_tier_id,
      row_number() over (partition by s.machine_id, m.id, s.num_gpus
        order by s.base_usd_per_hour, s.offer_id)::smallint as ordinal
    from staged_offer s
    join gpu_model m on m.name = s.gpu_name
    left join country c on c.name = s.country
    left join verification_tier v on v.name = s.verification_tier`;
  const inserted = await tx`
    insert into listing (market_id, type, machine_id, gpu_model_id, num_gpus, ordinal)
    select ${marketId}, ${type}, machine_id, gpu_model_id, num_gpus, ordinal
    from numbered_offer p
    where not exists (
      select from listing l where l.market_id = ${marketId} and l.type = ${type}
        and l.machine_id = p.machine_id and l.gpu_model_id = p.gpu_model_id
        and l.num_gpus = p.num_gpus and l.ordinal = p.ordinal)
    order by machine_id, gpu_model_id, num_gpus, ordinal
    on conflict do nothing`;
  // Negative: not analyzed yet, so the planner goes by the size of the tables.
  const [known] = await tx<{ listings: number; offers: number }[]>`
    select (select reltuples from pg_class where oid = 'listing'::regclass)::float8 as listings,
      (select count(*) from numbered_offer)::int as offers`;
  const made = inserted.count;
  const grown =
    known !== undefined &&
    known.listings >= 0 &&
    made > Math.max(Math.min(known.listings, known.offers - made) / 2, fewListings);
  if (grown) await tx`analyze listing`;
  await tx`
    create temporary table placed_offer as
    select p.*, l.id as listing_id from numbered_offer p
    join listing l on l.market_id = ${marketId} and l.type = ${type} and l.machine_id = p.machine_id
      and l.gpu_model_id = p.gpu_model_id and l.num_gpus = p.num_gpus and l.ordinal = p.ordinal`;
  await tx`create unique index on placed_offer (listing_id)`;
  await tx`analyze placed_offer`;
  return { grown };
}

/** Up to this many, any plan is fast. */
const fewListings = 200;

/** Adds names that are missing from the dictionaries. */
export async function addOfferNames(db: Db, names: OfferNames): Promise<void> {
  await addNames(db, 'gpu_model', names.gpuNames);
  await addNames(db, 'country', names.countries);
  await addNames(db, 'verification_tier', names.tiers);
}

async function addNames(tx: Db, dictionary: string, names: ReadonlySet<string>): Promise<void> {
  // Only missing names, because a conflicting row would still use up one of the dictionary's 32,767 ids. Sorted, so
  // that two landings that add the same names wait for each other instead of deadlocking.
  await tx`
    insert into ${tx(dictionary)} (name)
    select n.name from unnest(${[...names]}::text[]) as n(name)
    where not exists (select from ${tx(dictionary)} d where d.name = n.name)
    order by name
    on conflict do nothing`;
}

/** Columns of a listing's newest offer, as staged or as ids of names. */
const storedFields = fieldEntries.filter(([, { of }]) => of !== 'listing').map(([, field]) => field);
const named = storedFields.filter(({ type }) => type === 'name').map(({ column }) => column);
const staged = [
  'offer_id',
  ...storedFields.filter(({ type }) => type !== 'name').map(({ column }) => column),
  'page',
  'place',
];

/**
 * Stores the newest offer of each listing with its record, separately for complete and partial books; a late book never
 * replaces a newer offer. In a group, records come by offer id, and pages with replaced ones are tidied at its end;
 * null: records are already staged.
 */
export async function saveLatestOffers(
  tx: ReservedSql,
  { scopeId }: Series,
  book: { id: number; observedAt: Date; complete: boolean; records: ReadonlyMap<number, string> | null },
): Promise<void> {
  const { id, observedAt, complete, records } = book;
  if (records !== null) await stageNewest(tx, { scopeId, observedAt, complete }, records);
  const isReplaced = tx`old.listing_id = p.listing_id and old.scope_id = ${scopeId}
    and old.from_complete_book = ${complete} and old.observed_at < ${observedAt}`;
  await findLeftPages(tx);
  await tx`
    insert into left_page select distinct old.book_id, old.page from latest_offer old join placed_offer p on ${isReplaced}`;
  await tx`
    update latest_offer old set book_id = ${id}, observed_at = ${observedAt}, 
      ${assignments(tx, staged, 's')}, ${assignments(tx, named, 'p')}
    from placed_offer p join staged_offer s using (offer_id)
    where ${isReplaced}`;
  // Two statements, in key order, are faster than one with `on conflict`. Materialized, because usually few are missing
  // and the planner would read all staged rows first.
  await tx`
    with missing as materialized (
      select p.* from placed_offer p where not exists (select from latest_offer old
        where old.listing_id = p.listing_id and old.scope_id = ${scopeId} and old.from_complete_book = ${complete})
    )
    insert into latest_offer (listing_id, scope_id, from_complete_book, book_id, observed_at,
      ${columnList(tx, [...staged, ...named])})
    select p.listing_id, ${scopeId}, ${complete}, ${id}, ${observedAt},
      ${columnList(tx, staged, { of: 's' })}, ${columnList(tx, named, { of: 'p' })}
    from missing p join staged_offer s using (offer_id)
    order by p.listing_id`;
  await saveRecords(tx, id);
  if (records === null) await tidyLeftPages(tx);
}
