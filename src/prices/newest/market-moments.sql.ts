import type { PricingType } from '../../core/offer.ts';
import { listedStorageGb } from '../../core/price.ts';
import type { Db } from '../../database/connection.ts';
import { observations } from './observations.sql.ts';
import { usdPerHour } from './price-figures.sql.ts';

/** The median price of a model at one book. */
export interface ModelMedian {
  gpuName: string;
  /** $/GPU/hour at the listed 8 GB. */
  median: number;
}

/** The complete book nearest to but not after a moment; null: there is none. */
export async function bookAtOrBefore(
  db: Db,
  { scopeId, type }: { scopeId: number; type: PricingType },
  at: Date,
): Promise<{ id: number; observedAt: Date } | null> {
  const [row] = await db<{ id: number; observedAt: Date }[]>`
    select id, observed_at as "observedAt" from book
    where scope_id = ${scopeId} and type = ${type} and verdict = 'complete' and observed_at <= ${at}
    order by observed_at desc limit 1`;
  return row ?? null;
}

/** Medians of a book by model; models without a price are missing. */
export async function mediansOfBook(db: Db, bookId: number): Promise<ModelMedian[]> {
  return await db<ModelMedian[]>`
    select m.name as "gpuName",
      percentile_cont(0.5) within group (order by ${usdPerHour(db, listedStorageGb)} / num_gpus) as median
    from (${observations(db, { books: db`b.id = ${bookId}` })}) o join gpu_model m on m.id = o.gpu_model_id
    where ${usdPerHour(db, listedStorageGb)} is not null
    group by m.name`;
}
