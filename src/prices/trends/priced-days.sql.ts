import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';

/** The first UTC day with a price, and the end of the last one. */
export interface PricedDays {
  from: Date;
  to: Date;
}

/** Returns these days by model, from stored statistics; a model without any, or not computed yet, is missing. */
export async function readPricedDays(
  db: Db,
  { scopeId, type, gpuNames }: { scopeId: number; type: PricingType; gpuNames: readonly string[] },
): Promise<Map<string, PricedDays>> {
  // Two short walks down the key for each model.
  const end = (order: 'asc' | 'desc') => db`
    (select t from day_point where cell_id = c.id and median is not null
      order by t ${order === 'asc' ? db`asc` : db`desc`} limit 1)`;
  const rows = await db<{ gpuName: string; from: Date | null; to: Date | null }[]>`
    select m.name as "gpuName", ${end('asc')} as from, ${end('desc')} + interval '1 day' as to
    from gpu_model m join point_cell c on c.gpu_model_id = m.id
    join scope s on s.id = c.scope_id and s.days_stored
    where m.name = any(${[...gpuNames]}::text[]) and c.scope_id = ${scopeId} and c.type = ${type}
      and c.num_gpus = 0 and c.verification_tier_id = 0`;
  return new Map(
    rows.flatMap(({ gpuName, from, to }) =>
      from === null || to === null ? [] : [[gpuName, { from, to }] as const],
    ),
  );
}
