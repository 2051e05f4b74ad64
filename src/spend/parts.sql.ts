import type { SqlTag } from '../database/sql-text.ts';
import {
  type GroupingSpec,
  groupingEntries,
  groupings,
  type SpendGrouping,
  type SpendScope,
} from './spend-grouping.ts';

/** A 1 with more decimals than the 12 of parts, so that quotients are not truncated before rounding. */
export const precise = <Made>(sql: SqlTag<Made>): Made => sql`1.00000000000000000000000000000000`;

/**
 * SQL for the parts of entries by day of the zone: the entries' columns with `day` (a date) and `part_usd`. Parts are
 * proportional to seconds, to 12 decimals, and the last one takes the remainder; an entry without a duration counts at
 * its start. Adjacent ranges add up exactly. Source: docs/meaning.md#spend.
 */
export function partsSql<Made>(
  sql: SqlTag<Made>,
  entries: Made,
  { from: begin, to: end, timeZone: zone }: SpendScope,
): Made {
  const seconds = (a: Made | Date, b: Made | Date) => sql`extract(epoch from ${b} - ${a})`;
  const [partFrom, partTo, one] = [sql`part_from`, sql`part_to`, precise(sql)];
  const carried = carriedSql(sql);
  // Includes the previous day's midnight, which comes twice where clocks go back over midnight.
  return sql`
    with entry as (${entries}),
    known as (select * from entry where disappeared_at is null),
    spanned as (
      select e.*, d::date as day, greatest(d at time zone ${zone}, e.start_at) as part_from,
        least((d + interval '1 day') at time zone ${zone}, e.until_at) as part_to
      from known e cross join lateral generate_series(
        date_trunc('day', e.start_at at time zone ${zone}) - interval '1 day',
        e.until_at at time zone ${zone}, interval '1 day') d
      where e.until_at > e.start_at),
    shared as (
      select *, round(amount_usd * ${one} * ${seconds(partFrom, partTo)}
        / ${seconds(sql`start_at`, sql`until_at`)}, 12) as share
      from spanned where part_to > part_from
      -- Computed once instead of at each use: it is most of the work.
      offset 0),
    day_part as (
      select *, case when part_to = until_at then amount_usd - (sum(share) over (partition by kind_no, entry_no, entry_id) - share)
        else share end as whole_usd
      from shared),
    cut as (
      select *,
        case when part_to <= ${end} then whole_usd when part_from >= ${end} then 0 else round(whole_usd * ${one}
          * ${seconds(partFrom, end)} / ${seconds(partFrom, partTo)}, 12) end
        - case when part_to <= ${begin} then whole_usd when part_from >= ${begin} then 0 else round(whole_usd
          * ${one} * ${seconds(partFrom, begin)} / ${seconds(partFrom, partTo)}, 12) end as part_usd
      from day_part where part_to > ${begin} and part_from < ${end})
    select ${carried}, day, part_from, part_to, part_usd from cut
    union all
    select ${carried}, (start_at at time zone ${zone})::date, start_at, start_at, amount_usd
    from known where until_at <= start_at and start_at >= ${begin} and start_at < ${end}`;
}

/** Columns of entries that their parts keep, for sums, comparisons and groupings. */
const carriedColumns = new Set([
  'entry_no',
  'entry_id',
  'kind',
  'category',
  'basis',
  'start_at',
  'until_at',
  'amount_usd',
  'num_gpus',
  'machine_id',
  'pricing_type',
  'disk_gb',
  ...groupingEntries.flatMap(([, grouping]) => ('column' in grouping ? [grouping.column] : [])),
]);

const carriedSql = <Made>(sql: SqlTag<Made>): Made =>
  [...carriedColumns].map((name) => sql.column(name)).reduce((list, column) => sql`${list}, ${column}`);

/** SQL for the value of a grouping of a part, as text; null: the entry has none. */
export function groupingSql<Made>(sql: SqlTag<Made>, by: SpendGrouping, marketId: number): Made {
  const grouping: GroupingSpec = groupings[by];
  if (!('days' in grouping)) return groupingValueSql(sql, grouping, marketId);
  const days = {
    month: sql`to_char(day, 'YYYY-MM')`,
    week: sql`to_char(date_trunc('week', day::timestamp), 'YYYY-MM-DD')`,
    day: sql`to_char(day, 'YYYY-MM-DD')`,
  };
  return days[grouping.days];
}

/** The same for a grouping that is not by days, of an entry too. */
export const groupingValueSql = <Made>(
  sql: SqlTag<Made>,
  grouping: Exclude<GroupingSpec, { days: string }>,
  marketId: number,
): Made =>
  'column' in grouping
    ? sql`${sql.column(grouping.column)}::text`
    : sql`(select known.value from (select instance_id as id, ${sql.column(grouping.ofInstance)}::text as value
        from instance where market_id = ${marketId}) known where known.id = instance_id)`;
