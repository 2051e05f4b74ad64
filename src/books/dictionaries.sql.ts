import type { Verification } from '../core/offer-fields.ts';
import type { Db } from '../database/connection.ts';

/** Returns ids of models and verification tiers by name. */
export async function readDictionaries(
  db: Db,
): Promise<{ gpuModels: Map<string, number>; tiers: Map<Verification, number> }> {
  const rows = await db<{ kind: string; id: number; name: string }[]>`
    select 'model' as kind, id, name from gpu_model union all select 'tier', id, name from verification_tier`;
  const of = <Name extends string>(kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ name, id }) => [name as Name, id]));
  return { gpuModels: of('model'), tiers: of('tier') };
}

/** Returns names by id. */
export const byId = <Name>(ids: ReadonlyMap<Name, number>): Map<number, Name> =>
  new Map([...ids].map(([name, id]) => [id, name]));
