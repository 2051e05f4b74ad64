import { coversModel } from '../../books/covered-books.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { type CoveredBefore, coveredBefore } from '../statistics/book-axis.ts';
import {
  fromMicroseconds,
  readFlags,
  readInt2s,
  readInt4s,
  readInt8s,
  type SentArray,
} from './sent-array.ts';

/** Covering books of one series in a range, for any model, oldest first; a book's index is its ordinal. */
export interface BookMoments {
  ids: Int32Array;
  /** Microseconds since 2000. */
  micros: Float64Array;
  times: Date[];
  /** 1: all models are covered. */
  complete: Int8Array;
  /** Ordinals of partial books whose slice of the model is complete. */
  slices: Map<number, number[]>;
  /** By model; null: all models. */
  coverOf: (gpuModelId: number | null) => CoveredBefore;
}

export interface SeriesRange {
  scopeId: number;
  type: PricingType;
  from: Date;
  to: Date;
}

/** Reads the covering books of [from, to). */
export async function readBookMoments(db: Db, range: SeriesRange): Promise<BookMoments> {
  const { scopeId, type, from, to } = range;
  const [row] = await db<Record<'ids' | 'at' | 'complete' | 'sliceBook' | 'sliceModel', SentArray>[]>`
    with covering as materialized (
      select b.id, b.observed_at, b.verdict = 'complete' as complete from book b
      where b.scope_id = ${scopeId} and b.type = ${type} and b.observed_at >= ${from} and b.observed_at < ${to}
        and ${coversModel(db, null)}
      order by b.observed_at
    ), sliced as (
      select s.book_id, s.gpu_model_id from covering c join book_slice s on s.book_id = c.id
      where not c.complete and s.gpu_model_id is not null and s.verdict = 'complete'
    )
    select * from (select array_send(array_agg(id)) as ids, array_send(array_agg(observed_at)) as at,
      array_send(array_agg(complete)) as complete from covering) books
    cross join (select array_send(array_agg(book_id)) as "sliceBook",
      array_send(array_agg(gpu_model_id)) as "sliceModel" from sliced) slices`;
  const ids = readInt4s(row?.ids ?? null);
  const micros = readInt8s(row?.at ?? null);
  const complete = readFlags(row?.complete ?? null);
  const slices = new Map<number, number[]>();
  const ordinals = new Map(Array.from(ids, (id, ordinal) => [id, ordinal]));
  const models = readInt2s(row?.sliceModel ?? null);
  readInt4s(row?.sliceBook ?? null).forEach((bookId, index) => {
    const ordinal = ordinals.get(bookId);
    const model = models[index];
    if (ordinal === undefined || model === undefined) return;
    slices.set(model, [...(slices.get(model) ?? []), ordinal]);
  });
  return {
    ids,
    micros,
    complete,
    slices,
    times: Array.from(micros, fromMicroseconds),
    coverOf: coversBy(complete, slices),
  };
}

function coversBy(complete: Int8Array, slices: Map<number, number[]>): BookMoments['coverOf'] {
  const whole = coveredBefore(complete);
  const known = new Map<number, CoveredBefore>();
  return (gpuModelId) => {
    const own = gpuModelId === null ? undefined : slices.get(gpuModelId);
    if (gpuModelId === null || own === undefined) return whole;
    const cover = known.get(gpuModelId) ?? coveredBefore(withOnes(complete, own));
    known.set(gpuModelId, cover);
    return cover;
  };
}

function withOnes(flags: Int8Array, places: readonly number[]): Int8Array {
  const copy = flags.slice();
  for (const place of places) copy[place] = 1;
  return copy;
}
