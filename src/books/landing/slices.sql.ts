import type { Coverage, CoverageSlice } from '../../core/coverage.ts';
import type { ReservedSql } from '../../database/connection.ts';

/**
 * Stores the verdicts of a book by model, from `placed_offer`. If `slices` is empty, one slice covers all models; else
 * one per model, plus one without a model for offers of models that were not requested by name. A model without any
 * offers also gets one, because a later book may have it.
 */
export async function saveSlices(
  tx: ReservedSql,
  bookId: number,
  whole: Coverage,
  slices: readonly CoverageSlice[],
): Promise<void> {
  const named = slices.filter(({ gpuName }) => gpuName !== null);
  const names = named.map(({ gpuName }) => gpuName);
  await tx`
    insert into gpu_model (name) select distinct n.name from unnest(${names}::text[]) as n(name)
    where not exists (select from gpu_model m where m.name = n.name) order by 1 on conflict do nothing`;
  await tx`
    insert into book_slice (book_id, gpu_model_id, verdict, reason, offers)
    select ${bookId}, m.id, s.verdict, s.reason,
      (select count(*) from placed_offer o where o.gpu_model_id = m.id)
    from unnest(${names}::text[],
      ${named.map(({ coverage }) => coverage.verdict)}::text[],
      ${named.map(({ coverage }) => coverage.reason)}::text[]) as s(name, verdict, reason)
    join gpu_model m on m.name = s.name`;
  const others = slices.find(({ gpuName }) => gpuName === null)?.coverage ?? whole;
  await tx`
    insert into book_slice (book_id, gpu_model_id, verdict, reason, offers)
    select ${bookId}, null, ${others.verdict}, ${others.reason}, count(*) from placed_offer o
    where not exists (select from book_slice s where s.book_id = ${bookId} and s.gpu_model_id = o.gpu_model_id)`;
}
