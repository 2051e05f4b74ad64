import { fieldEntries } from '../../core/offer-fields.ts';
import { assignments, columnList } from '../../database/column-lists.ts';
import type { ReservedSql } from '../../database/connection.ts';
import type { LandingGroup } from './group.ts';
import { lockAttributes } from './locks.sql.ts';
import type { Series } from './place.sql.ts';

const attributes = fieldEntries.map(([, field]) => field).filter(({ of }) => of === 'attribute');
/** The columns of a listing's slowly changing attributes. */
export const attributeNames = attributes.map(({ column }) => column);
const named = attributes.filter(({ type }) => type === 'name').map(({ column }) => column);
const staged = attributes.filter(({ type }) => type !== 'name').map(({ column }) => column);

/**
 * Writes the day's attributes of listings that this book is the first to hold on its UTC day, then decides again from
 * that day on which days are in force: those whose values differ from the day in force before. If retention has dropped
 * later days, the row in force stays. Returns the number of listings touched. In a group of books `decideGroup` decides
 * once.
 */
export async function mergeAttributes(
  tx: ReservedSql,
  series: Series,
  at: Date,
  group?: LandingGroup,
): Promise<number> {
  const day = at.toISOString().slice(0, 10);
  await lockAttributes(tx, series);
  const isThinned = await hasThinnedDays(tx, series, day);
  await writeDay(tx, day, at, isThinned);
  const [touched] = await tx<{ count: number }[]>`select count(*) from attribute_touched`;
  if (touched !== undefined && touched.count > 0) {
    if (isThinned) await putBefore(tx, day);
    else {
      // A listing's only day is already written as in force.
      await tx`delete from attribute_touched where is_only_day`;
      if (group === undefined) await decideInForce(tx, day);
      else await decideLater(tx, group, day);
    }
  }
  await tx`drop table attribute_touched`;
  return touched?.count ?? 0;
}

async function decideLater(tx: ReservedSql, group: LandingGroup, day: string): Promise<void> {
  await tx`create temporary table if not exists attribute_undecided (listing_id integer)`;
  await tx`insert into attribute_undecided select listing_id from attribute_touched`;
  if (group.undecidedFrom === null || day < group.undecidedFrom) group.undecidedFrom = day;
}

/** Decides which days are in force for all listings that the group's books touched. */
export async function decideGroup(tx: ReservedSql, { undecidedFrom }: LandingGroup): Promise<void> {
  if (undecidedFrom === null) return;
  await tx`create temporary table attribute_touched as select distinct listing_id from attribute_undecided`;
  await tx`analyze attribute_touched`;
  await decideInForce(tx, undecidedFrom);
  await tx`drop table attribute_touched, attribute_undecided`;
}

/** Whether retention has dropped repeating days, so that this day may have been one of them. */
export async function hasThinnedDays(
  tx: ReservedSql,
  { marketId }: { marketId: number },
  day: string,
): Promise<boolean> {
  const [row] = await tx<{ thinned: boolean }[]>`
    select coalesce(${day}::date < days_dropped_before, false) as thinned from market where id = ${marketId}`;
  return row?.thinned === true;
}

async function writeDay(tx: ReservedSql, day: string, at: Date, isThinned: boolean): Promise<void> {
  await tx`drop table if exists attribute_touched`;
  // Later days that repeated the row in force were dropped; a new row before them would wrongly apply to them too.
  const isDecided = isThinned
    ? tx`exists (select from listing_attribute f where f.listing_id = o.listing_id and f.day <= ${day}
        and f.valid_until > ${day})`
    : tx`false`;
  // A subquery, not an anti-join, because the planner's statistics know nothing of a day that has just begun.
  await tx`
    create temporary table attribute_touched as
    select o.listing_id, not exists (select from listing_attribute a
      where a.listing_id = o.listing_id and a.day <> ${day}) as is_only_day
    from placed_offer o
    join slice_neighbor n on n.gpu_model_id = o.gpu_model_id
    where coalesce((select a.observed_at from listing_attribute a
      where a.listing_id = o.listing_id and a.day = ${day}) > ${at}, true)
      and not ${isDecided}`;
  await tx`analyze attribute_touched`;
  await tx`
    insert into listing_attribute (listing_id, day, valid_until, observed_at, ${columnList(tx, [...named, ...staged])})
    select t.listing_id, ${day}, case when t.is_only_day then 'infinity'::date end, ${at},
      ${columnList(tx, named, { of: 'o' })}, ${columnList(tx, staged, { of: 's' })}
    from attribute_touched t join placed_offer o using (listing_id) join staged_offer s using (offer_id)
    order by t.listing_id
    on conflict (listing_id, day) do update
      set observed_at = excluded.observed_at, ${assignments(tx, attributeNames, 'excluded')}`;
}

/** Puts a day in force until the listing's next row in force, which still applies to later days. */
async function putBefore(tx: ReservedSql, day: string): Promise<void> {
  await tx`
    update listing_attribute a set valid_until = coalesce((
      select min(f.day) from listing_attribute f
      where f.listing_id = a.listing_id and f.day > ${day} and f.valid_until is not null), 'infinity')
    from attribute_touched t where a.listing_id = t.listing_id and a.day = ${day}`;
}

/** Decides again which days of the listings in `attribute_touched` are in force, from `day` on. */
export async function decideInForce(tx: ReservedSql, day: string): Promise<void> {
  // `force` carries the row in force from day to day; a chain ends with the listing's last day.
  await tx`
    with recursive days as (
      select a as here, a.listing_id, row_number() over (partition by a.listing_id order by a.day) as place
      from listing_attribute a join attribute_touched using (listing_id) where a.day >= ${day}
    ), chain as (
      select t.listing_id, 0::bigint as place, (
        select a from listing_attribute a
        where a.listing_id = t.listing_id and a.day < ${day} and a.valid_until is not null
        order by a.day desc limit 1) as force
      from attribute_touched t
      union all
      select d.listing_id, d.place,
        case when (c.force).listing_id is null or ${tx.unsafe(moved)} then d.here else c.force end
      from chain c join days d on d.listing_id = c.listing_id and d.place = c.place + 1
    ), in_force as (
      select listing_id, (force).day,
        coalesce(lead((force).day) over (partition by listing_id order by (force).day), 'infinity') as until
      from (select distinct listing_id, force from chain where (force).listing_id is not null) rows
    )
    update listing_attribute a set valid_until = f.until
    from (
      select d.listing_id, (d.here).day, f.until from days d
      left join in_force f on f.listing_id = d.listing_id and f.day = (d.here).day
      union all
      select f.listing_id, f.day, f.until from in_force f where f.day < ${day}
    ) f
    where a.listing_id = f.listing_id and a.day = f.day and a.valid_until is distinct from f.until`;
}

const moved = attributes
  .map(({ column, moves = 'any' }) => {
    const here = `(d.here).${column}`;
    const force = `(c.force).${column}`;
    if (moves === 'any') return `${here} is distinct from ${force}`;
    // Rounded, because 0.57 - 0.56 is a little less than 0.01 in floating point.
    const limit = 'step' in moves ? `${moves.step}` : `${moves.share} * abs(${force})`;
    const far = `round((abs(${here} - ${force}) - ${limit})::numeric, 9) >= 0`;
    return `(${here} is null) <> (${force} is null) or ${force} <> ${here} and ${far}`;
  })
  .map((condition) => `(${condition})`)
  .join(' or ');
