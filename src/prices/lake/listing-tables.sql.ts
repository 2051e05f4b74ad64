import { fieldEntries, type StoredField } from '../../core/offer-fields.ts';
import { type SqlText, sqlText as sql } from '../../database/sql-text.ts';
import { type ColumnType, columnsOf } from '../../exports/export-column.ts';
import { type LakeQuery, type LakeScope, lakeQuery } from '../../exports/lake/lake-query.ts';
import { axisSql, bookDaysSql, type Days, midnight, stretchSql } from './day-axis.sql.ts';

const columnTypes: Record<StoredField['type'], ColumnType> = {
  bigint: 'integer',
  smallint: 'integer',
  integer: 'integer',
  float8: 'number',
  text: 'text',
  boolean: 'boolean',
  name: 'text',
  'bigint[]': 'text',
};

/** Columns of the fields stored in one place, under the names of their dictionaries' values. */
const fieldsOf = (of: StoredField['of']) =>
  fieldEntries
    .filter(([, field]) => field.of === of)
    .map(([, field]) => ({ ...field, name: field.dictionary ?? field.column }));

const typesOf = (of: StoredField['of']): Record<string, ColumnType> =>
  Object.fromEntries(fieldsOf(of).map(({ name, type }) => [name, columnTypes[type]]));

const list = (parts: readonly SqlText[]): SqlText => parts.reduce((all, part) => sql`${all}, ${part}`);

/** The listing that a row is about. */
const listingColumns: Record<string, ColumnType> = {
  listing_id: 'integer',
  type: 'text',
  gpu_name: 'text',
  num_gpus: 'integer',
  machine_id: 'integer',
  ordinal: 'integer',
};
const listingSql = sql`l.id as listing_id, l.type, m.name as gpu_name, l.num_gpus, l.machine_id, l.ordinal`;

const pricesOf = (alias: SqlText): SqlText =>
  list(fieldsOf('price').map(({ column }) => sql`${alias}.${sql.column(column)}`));

/** SQL of presence of a market that overlaps the days, as `p`, with scope `s` and listing `l`. */
const presenceSql = ({ marketId }: LakeScope, { from, to }: Days, prices: SqlText): SqlText => sql`
  from scope s
  join presence p on p.scope_id = s.id and p.first_at < ${midnight(to)} and p.last_at >= ${midnight(from)}
  join listing l on l.id = p.listing_id ${prices}
  where s.market_id = ${marketId}`;

/** What each listing cost, in stretches of equal prices within a day. */
export const priceIntervalsTable: LakeQuery = lakeQuery({
  name: 'price_intervals',
  about:
    'one row a listing and stretch within the day in which it was in every covering book, at the same price components',
  columns: columnsOf({
    scope: 'text',
    ...listingColumns,
    first_at: 'moment',
    last_at: 'moment',
    books: 'integer',
    usd_per_gpu_hour: 'number',
    ...typesOf('price'),
  }),
  daysSql: bookDaysSql,
  // First all stretches: joined with days at once, they would be looked up again for each day.
  rowsSql: (scope, from, to) =>
    sql`
    with ${axisSql(scope, { from, to })}, held as materialized (
      select s.id as scope_id, s.name as scope, l.id, l.type, l.gpu_model_id, l.num_gpus, l.machine_id, l.ordinal,
        greatest(p.first_at, r.valid_from) as begins, least(p.last_at, r.valid_to - interval '1 microsecond') as ends,
        ${pricesOf(sql`r`)}
      ${presenceSql(
        scope,
        { from, to },
        sql`join price_interval r on r.listing_id = p.listing_id and r.scope_id = p.scope_id
          and r.valid_from < ${midnight(to)} and r.valid_to > ${midnight(from)} and r.valid_from <= p.last_at
          and r.valid_to > p.first_at`,
      )}
    ), ${stretchSql({ from, to })}
    select l.day, l.scope, ${listingSql}, l.first_at, l.last_at, l.books,
      (l.base_usd_per_hour + l.storage_usd_per_gb_month * 8 / 720) / l.num_gpus as usd_per_gpu_hour,
      ${pricesOf(sql`l`)}
    from stretch l join gpu_model m on m.id = l.gpu_model_id
    order by l.day, l.scope_id, l.type, l.gpu_model_id, l.id, l.first_at`.text,
});

/** SQL of a stored attribute of `t`, under its name in the lake. */
const attributeSql = ({ name, column, type, dictionary }: ReturnType<typeof fieldsOf>[number]): SqlText => {
  if (dictionary !== undefined) return sql`${sql.column(dictionary)}.name as ${sql.column(name)}`;
  if (type === 'bigint[]') return sql`to_json(t.${sql.column(column)})::text as ${sql.column(name)}`;
  return sql`t.${sql.column(column)}`;
};

const dictionariesSql = fieldsOf('attribute').reduce(
  (joins, { column, dictionary }) =>
    dictionary === undefined
      ? joins
      : sql`${joins} left join ${sql.column(dictionary)} on ${sql.column(dictionary)}.id = t.${sql.column(column)}`,
  sql``,
);

/** The slow attributes in force on a day, of each listing that a covering book of the day had. */
export const dailyAttributesTable: LakeQuery = lakeQuery({
  name: 'daily_attributes',
  about: 'one row a listing that the day had, with the attributes in force on the day',
  columns: columnsOf({ ...listingColumns, ...typesOf('attribute') }),
  daysSql: bookDaysSql,
  // A late book changes what was in force on later days.
  dependsOnPast: true,
  rowsSql: (scope, from, to) =>
    sql`
    with ${axisSql(scope, { from, to })}, held as materialized (
      select s.id as scope_id, l.id, l.type, l.gpu_model_id, p.first_at as begins, p.last_at as ends
      ${presenceSql(scope, { from, to }, sql``)}
    ), ${stretchSql({ from, to })}, present as materialized (
      select distinct day, id from stretch
    ), in_force as materialized (
      select t.day as since, t.valid_until, l.gpu_model_id, ${listingSql},
        ${list(fieldsOf('attribute').map(attributeSql))}
      from listing_attribute t join listing l on l.id = t.listing_id join gpu_model m on m.id = l.gpu_model_id
      ${dictionariesSql}
      where l.market_id = ${scope.marketId} and t.day < ${to}::date and t.valid_until > ${from}::date)
    select present.day, t.*
    from present join in_force t on t.listing_id = present.id and t.since <= present.day and t.valid_until > present.day
    order by present.day, t.type, t.gpu_model_id, t.listing_id`.text,
});
