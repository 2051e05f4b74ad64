import type postgres from 'postgres';
import type { Db } from '../database/connection.ts';

/**
 * SQL of whether the book `b` covers a model: the book is complete, or its slice with the model is. `modelId` is SQL of
 * the model's id; `null`: any model. Source: docs/meaning.md#books-and-coverage.
 */
export const coversModel = (db: Db, modelId: postgres.Fragment | null): postgres.Fragment =>
  db`(b.verdict = 'complete' or exists (select from book_slice c
    where c.book_id = b.id and c.verdict = 'complete' and ${modelId === null ? db`c.gpu_model_id is not null` : db`c.gpu_model_id = ${modelId}`}))`;

/** SQL as of `coversModel` for a model's name; null: all models, so only complete books count. */
export const coversModelNamed = (db: Db, gpuName: string | null): postgres.Fragment =>
  gpuName === null
    ? db`b.verdict = 'complete'`
    : db`(b.verdict = 'complete' or exists (select from book_slice c join gpu_model m on m.id = c.gpu_model_id
        where c.book_id = b.id and m.name = ${gpuName} and c.verdict = 'complete'))`;

/** Names of the models that the book `b` covers; null: all, because it is complete. */
export const coveredModels = (db: Db): postgres.Fragment => db`
  case when b.verdict <> 'complete' then array(
    select m.name from book_slice c join gpu_model m on m.id = c.gpu_model_id
    where c.book_id = b.id and c.verdict = 'complete') end`;
