import type postgres from 'postgres';
import { coversModelNamed } from '../../books/covered-books.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';

/** Returns the moment of the newest book complete for these models, or for the market if none is given; or null. */
export async function newestCoveringBook(
  db: Db,
  { scopeId, type, gpuNames }: { scopeId: number; type: PricingType; gpuNames: readonly string[] },
): Promise<Date | null> {
  const names = gpuNames.length === 0 ? [null] : gpuNames;
  const covers = names.reduce<postgres.Fragment>(
    (all, name) => db`${all} and ${coversModelNamed(db, name)}`,
    db`true`,
  );
  const [row] = await db<{ at: Date }[]>`
    select b.observed_at as at from book b where b.scope_id = ${scopeId} and b.type = ${type} and ${covers}
    order by b.observed_at desc limit 1`;
  return row?.at ?? null;
}

/** Returns the ids of models that a market ever listed for a type. */
export async function listedModels(
  db: Db,
  { marketId, type }: { marketId: number; type: PricingType },
): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select m.id from gpu_model m where exists (select from listing l
      where l.market_id = ${marketId} and l.type = ${type} and l.gpu_model_id = m.id) order by m.id`;
  return rows.map(({ id }) => id);
}
