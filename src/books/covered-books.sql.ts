import type postgres from 'postgres';
import type { Db } from '../database/connection.ts';

/**
 * SQL of whether the book with the alias `b` counts for a model: it is complete, or its part of the model is. `modelId`
 * is SQL of the model's id; `null`: for any model. Source: docs/meaning.md#books-and-coverage.
 */
export const coversModel = (db: Db, modelId: postgres.Fragment | null): postgres.Fragment =>
  db`(b.verdict = 'complete' or exists (select from book_slice c
    where c.book_id = b.id and c.verdict = 'complete' and ${modelId === null ? db`c.gpu_model_id is not null` : db`c.gpu_model_id = ${modelId}`}))`;

/** The same for the model of this name; null: for all models, that is of complete books alone. */
export const coversModelNamed = (db: Db, gpuName: string | null): postgres.Fragment =>
  gpuName === null
    ? db`b.verdict = 'complete'`
    : db`(b.verdict = 'complete' or exists (select from book_slice c join gpu_model m on m.id = c.gpu_model_id
        where c.book_id = b.id and m.name = ${gpuName} and c.verdict = 'complete'))`;

/** The models that the book with the alias `b` counts for, a list of names; null: all, since it is complete. */
export const coveredModels = (db: Db): postgres.Fragment => db`
  case when b.verdict <> 'complete' then array(
    select m.name from book_slice c join gpu_model m on m.id = c.gpu_model_id
    where c.book_id = b.id and c.verdict = 'complete') end`;
