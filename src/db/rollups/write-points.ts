import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PricingType } from '../../domain/offer.ts';
import type { PointRow } from '../../domain/pool/point-row.ts';
import type { ReservedSql } from '../connection.ts';
import type { PointTable } from '../month-partitions.ts';

interface SeriesKey {
  scopeId: number;
  type: PricingType;
}

const figures = [
  ...['min', 'p10', 'p25', 'median', 'p75', 'p90', 'max', 'books', 'observations', 'offers', 'gpus'],
  ...['machines', 'physical_gpus', 'physical_gpus_is_lower_bound'],
];
const cell = ['gpu_model_id', 'num_gpus', 'verification_tier_id', 't'];
const columns = [...cell, ...figures].join(', ');
const rowsPerChunk = 500;

/**
 * Makes the points of some moments what `rows` says: others of those moments go, what is the same already is not
 * written again. `moments`: one by one, or all of a range.
 */
export async function writePoints(
  tx: ReservedSql,
  table: PointTable,
  { scopeId, type }: SeriesKey,
  moments: readonly Date[] | { from: Date; to: Date },
  rows: readonly PointRow[],
): Promise<void> {
  await tx`drop table if exists fresh_point`;
  await tx.unsafe(`create temporary table fresh_point as select ${columns} from ${table} limit 0`);
  await copyRows(tx, rows);
  const within =
    'from' in moments
      ? tx`p.t >= ${moments.from} and p.t < ${moments.to}`
      : tx`p.t = any(${moments.map((at) => at.toISOString())}::timestamptz[])`;
  await tx`
    delete from ${tx(table)} p where p.scope_id = ${scopeId} and p.type = ${type} and ${within}
      and not exists (select from fresh_point f where f.gpu_model_id = p.gpu_model_id
        and f.num_gpus = p.num_gpus and f.verification_tier_id = p.verification_tier_id and f.t = p.t)`;
  const set = figures.map((name) => `${name} = excluded.${name}`).join(', ');
  const old = figures.map((name) => `p.${name}`).join(', ');
  const fresh = figures.map((name) => `excluded.${name}`).join(', ');
  await tx`
    insert into ${tx(table)} as p (scope_id, type, ${tx.unsafe(columns)})
    select ${scopeId}, ${type}, ${tx.unsafe(columns)} from fresh_point
    on conflict (scope_id, type, gpu_model_id, num_gpus, verification_tier_id, t) do update
      set ${tx.unsafe(set)} where (${tx.unsafe(old)}) is distinct from (${tx.unsafe(fresh)})`;
  await tx`drop table fresh_point`;
}

async function copyRows(tx: ReservedSql, rows: readonly PointRow[]): Promise<void> {
  if (rows.length === 0) return;
  const stream = await tx`copy fresh_point from stdin`.writable();
  const done = finished(stream);
  for (let at = 0; at < rows.length; at += rowsPerChunk) {
    const text = rows
      .slice(at, at + rowsPerChunk)
      .map(copyLine)
      .join('');
    if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done]);
  }
  stream.end();
  await done;
}

function copyLine(row: PointRow): string {
  const prices = [row.min, ...(row.percentiles ?? [null, null, null, null, null]), row.max];
  const values = [
    ...[row.gpuModelId, row.numGpus, row.verificationTierId, row.t.toISOString()],
    ...prices.map((price) => price ?? '\\N'),
    ...[row.books, row.observations, row.offers, row.gpus, row.machines, row.physicalGpus],
    row.physicalGpusIsLowerBound ? 't' : 'f',
  ];
  return `${values.join('\t')}\n`;
}
