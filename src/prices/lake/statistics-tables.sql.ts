import { type SqlText, sqlText as sql } from '../../database/sql-text.ts';
import { columnsOf } from '../../exports/export-column.ts';
import { type LakeQuery, lakeQuery } from '../../exports/lake/lake-query.ts';
import { bookDaysSql, midnight, rowDaysSql, utcDay } from './day-axis.sql.ts';

const pointsSql = (table: string, bucket: string, marketId: number, from: string, to: string): SqlText => sql`
  select ${utcDay(sql`p.t`)} as day, ${bucket} as bucket, s.name as scope, c.type,
    case when c.gpu_model_id = 0 then 'market' when c.num_gpus = 0 then 'model' else 'segment' end as level,
    m.name as gpu_name, nullif(c.num_gpus, 0) as num_gpus, v.name as verification, p.t, p.books, p.observations,
    p.offers::float8 / p.books as offers, p.gpus::float8 / p.books as gpus, p.machines::float8 / p.books as machines,
    p.physical_gpus::float8 / p.books as physical_gpus, p.physical_gpus_is_lower_bound, p.min, p.p10, p.p25, p.median,
    p.p75, p.p90, p.max
  from ${sql.column(table)} p join point_cell c on c.id = p.cell_id join scope s on s.id = c.scope_id
  left join gpu_model m on m.id = c.gpu_model_id left join verification_tier v on v.id = c.verification_tier_id
  where s.market_id = ${marketId} and p.t >= ${midnight(from)} and p.t < ${midnight(to)}`;

/** The points of days and hours. */
export const statisticsTable: LakeQuery = lakeQuery({
  name: 'statistics',
  about: 'one row a bucket (`1h`, `1d`) and cell: the whole market, a model, or a segment of a model',
  columns: columnsOf({
    bucket: 'text',
    scope: 'text',
    type: 'text',
    level: 'text',
    gpu_name: 'text',
    num_gpus: 'integer',
    verification: 'text',
    t: 'moment',
    books: 'integer',
    observations: 'integer',
    offers: 'number',
    gpus: 'number',
    machines: 'number',
    physical_gpus: 'number',
    physical_gpus_is_lower_bound: 'boolean',
    min: 'number',
    p10: 'number',
    p25: 'number',
    median: 'number',
    p75: 'number',
    p90: 'number',
    max: 'number',
  }),
  daysSql: bookDaysSql,
  rowsSql: ({ marketId }, from, to) =>
    sql`
    select * from (${pointsSql('day_point', '1d', marketId, from, to)}
      union all ${pointsSql('hour_point', '1h', marketId, from, to)}) as point
    order by day, bucket, scope, type, gpu_name nulls first, num_gpus nulls first, verification nulls first, t`
      .text,
});

const indexSql = (marketId: number, only: SqlText): string =>
  sql`
  select d.day, s.name as scope, d.type, m.name as gpu_name, d.movement_days, d.movement, d.movement_error, d.week_days,
    d.week, d.week_error, d.month_days, d.month, d.month_error, d.listings, d.machines, d.hosts, d.observations,
    d.listings_left_out, d.prices_left_out
  from index_day d join scope s on s.id = d.scope_id join gpu_model m on m.id = d.gpu_model_id
  where s.market_id = ${marketId} and ${only}`.text;

/** The like-for-like index. */
export const priceIndexTable: LakeQuery = lakeQuery({
  name: 'price_index',
  about: 'one row a model, type and day of the like-for-like index, as differences of log levels',
  columns: columnsOf({
    scope: 'text',
    type: 'text',
    gpu_name: 'text',
    movement_days: 'integer',
    movement: 'number',
    movement_error: 'number',
    week_days: 'integer',
    week: 'number',
    week_error: 'number',
    month_days: 'integer',
    month: 'number',
    month_error: 'number',
    listings: 'integer',
    machines: 'integer',
    hosts: 'integer',
    observations: 'integer',
    listings_left_out: 'integer',
    prices_left_out: 'integer',
  }),
  daysSql: ({ marketId }) => rowDaysSql(indexSql(marketId, sql`true`)),
  rowsSql: ({ marketId }, from, to) =>
    `${indexSql(marketId, sql`d.day >= ${from}::date and d.day < ${to}::date`)}
      order by d.day, s.name, d.type, m.name`,
});
