import type postgres from 'postgres';
import { assignments, columnList, differIn } from '../../database/column-lists.ts';
import type { ReservedSql } from '../../database/connection.ts';
import { copyIn } from '../../database/copy-stream.ts';
import type { PointTable } from '../../database/month-partitions.ts';
import { type CellOf, type CellSeries, cellsOfSeries, placeCells } from './point-cells.sql.ts';
import type { PointRow } from './point-row.ts';

const figures = [
  'min',
  'p10',
  'p25',
  'median',
  'p75',
  'p90',
  'max',
  'books',
  'observations',
  'offers',
  'gpus',
  'machines',
  'physical_gpus',
  'physical_gpus_is_lower_bound',
];
const columns = ['cell_id', 't', ...figures];
const rowsPerChunk = 500;

/**
 * Replaces the points of some moments with `rows`; equal ones are not written again. `moments`: single ones, or all in
 * a range.
 */
export async function writePoints(
  tx: ReservedSql,
  table: PointTable,
  series: CellSeries,
  moments: readonly Date[] | { from: Date; to: Date },
  rows: readonly PointRow[],
): Promise<void> {
  const cellOf = await placeCells(tx, series, rows);
  const within =
    'from' in moments
      ? tx`p.t >= ${moments.from} and p.t < ${moments.to}`
      : tx`p.t = any(${moments.map((at) => at.toISOString())}::timestamptz[])`;
  const ofSeries = tx`p.cell_id in (${cellsOfSeries(tx, series)})`;
  const [known] = await tx<{ any: boolean }[]>`
    select exists (select from ${tx(table)} p where ${ofSeries} and ${within}) as any`;
  if (known?.any === false) {
    await copyRows(tx, `${table} (${columns.join(', ')})`, rows, cellOf);
    return;
  }
  await tx`drop table if exists fresh_point`;
  await tx`create temporary table fresh_point as select ${columnList(tx, columns)} from ${tx(table)} limit 0`;
  await copyRows(tx, 'fresh_point', rows, cellOf);
  // The planner may know neither size; row by row with this index is cheap, without it very slow.
  await tx`create unique index on fresh_point (cell_id, t)`;
  await tx`analyze fresh_point (t)`;
  await tx`
    delete from ${tx(table)} p where ${ofSeries} and ${within}
      and not exists (select from fresh_point f where f.cell_id = p.cell_id and f.t = p.t)`;
  await upsert(tx, table, tx`fresh_point`);
  await tx`drop table fresh_point`;
}

/**
 * Adds points of buckets from which nothing can have vanished, as when a newer book has landed; equal ones are not
 * written again.
 */
export async function addPoints(
  tx: ReservedSql,
  series: CellSeries,
  parts: readonly { table: PointTable; rows: readonly PointRow[] }[],
): Promise<void> {
  const cellOf = await placeCells(
    tx,
    series,
    parts.flatMap(({ rows }) => rows),
  );
  await tx`drop table if exists fresh_point`;
  await tx`
    create temporary table fresh_point as select ${columnList(tx, columns)}, 0::smallint as part from book_point limit 0`;
  for (const [part, { rows }] of parts.entries())
    await copyRows(tx, 'fresh_point', rows, cellOf, `\t${part}`);
  for (const [part, { table }] of parts.entries()) {
    await upsert(tx, table, tx`fresh_point where part = ${part}`);
  }
  await tx`drop table fresh_point`;
}

async function upsert(tx: ReservedSql, table: PointTable, source: postgres.Fragment): Promise<void> {
  const names = columnList(tx, columns);
  await tx`
    insert into ${tx(table)} as p (${names}) select ${names} from ${source}
    on conflict (cell_id, t) do update
      set ${assignments(tx, figures, 'excluded')} where ${differIn(tx, figures, 'p', 'excluded')}`;
}

async function copyRows(
  tx: ReservedSql,
  target: string,
  rows: readonly PointRow[],
  cellOf: CellOf,
  ending = '',
): Promise<void> {
  if (rows.length > 0) await copyIn(tx, `copy ${target} from stdin`, copyLines(rows, cellOf, ending));
}

function* copyLines(rows: readonly PointRow[], cellOf: CellOf, ending: string): Generator<string> {
  for (let at = 0; at < rows.length; at += rowsPerChunk) {
    yield rows
      .slice(at, at + rowsPerChunk)
      .map((row) => `${copyLine(row, cellOf(row))}${ending}\n`)
      .join('');
  }
}

function copyLine(row: PointRow, cellId: number): string {
  const prices = [row.min, ...(row.percentiles ?? [null, null, null, null, null]), row.max];
  const values = [
    cellId,
    row.t.toISOString(),
    ...prices.map((price) => price ?? '\\N'),
    row.books,
    row.observations,
    row.offers,
    row.gpus,
    row.machines,
    row.physicalGpus,
    row.physicalGpusIsLowerBound ? 't' : 'f',
  ];
  return values.join('\t');
}
