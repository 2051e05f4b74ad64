import { fieldEntries, type StoredField } from '../../core/offer-fields.ts';
import { type SqlText, sqlText as sql } from '../../database/sql-text.ts';
import { type ColumnType, columnsOf } from '../../exports/export-column.ts';
import { type LakeQuery, lakeQuery } from '../../exports/lake/lake-query.ts';
import { axisSql, bookDaysSql, booksOfStretch, midnight } from './day-axis.sql.ts';

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

const priceList = list(fieldsOf('price').map(({ column }) => sql`r.${sql.column(column)}`));

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
  rowsSql: (scope, from, to) =>
    sql`
    with ${axisSql(scope, { from, to })}
    select a.day, s.name as scope, ${listingSql}, a.moments[w.before + 1] as first_at, a.moments[w.through] as last_at,
      w.through - w.before as books,
      (r.base_usd_per_hour + r.storage_usd_per_gb_month * 8 / 720) / l.num_gpus as usd_per_gpu_hour, ${priceList}
    from scope s
    join presence p on p.scope_id = s.id and p.first_at < ${midnight(to)} and p.last_at >= ${midnight(from)}
    join price_interval r on r.listing_id = p.listing_id and r.scope_id = s.id and r.valid_from < ${midnight(to)}
      and r.valid_to > ${midnight(from)} and r.valid_from <= p.last_at and r.valid_to > p.first_at
    join listing l on l.id = p.listing_id join gpu_model m on m.id = l.gpu_model_id
    ${booksOfStretch(
      { from, to },
      {
        scopeId: sql`s.id`,
        begins: sql`greatest(p.first_at, r.valid_from)`,
        ends: sql`least(p.last_at, r.valid_to - interval '1 microsecond')`,
      },
    )}
    where s.market_id = ${scope.marketId} and w.through > w.before
    order by a.day, s.id, l.type, l.gpu_model_id, l.id, first_at`.text,
});

const attributeList = list(
  fieldsOf('attribute').map(({ name, column, type, dictionary }) => {
    if (dictionary !== undefined) {
      return sql`(select name from ${sql.column(dictionary)} where id = t.${sql.column(column)}) as ${sql.column(name)}`;
    }
    return type === 'bigint[]'
      ? sql`to_json(t.${sql.column(column)})::text as ${sql.column(name)}`
      : sql`t.${sql.column(column)}`;
  }),
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
    with ${axisSql(scope, { from, to })}, present as materialized (
      select distinct a.day, l.id
      from scope s
      join presence p on p.scope_id = s.id and p.first_at < ${midnight(to)} and p.last_at >= ${midnight(from)}
      join listing l on l.id = p.listing_id
      ${booksOfStretch({ from, to }, { scopeId: sql`s.id`, begins: sql`p.first_at`, ends: sql`p.last_at` })}
      where s.market_id = ${scope.marketId} and w.through > w.before)
    select present.day, ${listingSql}, ${attributeList}
    from present join listing l on l.id = present.id join gpu_model m on m.id = l.gpu_model_id
    join listing_attribute t on t.listing_id = l.id and t.day <= present.day and t.valid_until > present.day
    order by present.day, l.type, l.gpu_model_id, l.id`.text,
});
