import type { PricingType } from '../../src/core/offer.ts';
import { noteInstanceFacts } from '../../src/rentals/instances/instance-facts.sql.ts';
import type { TestApp } from '../support/test-app.ts';

/** Stores an instance of one RTX 4090 with its rates, as lists of instances showed them on 5 March 2026. */
export async function addInstance(
  { sql, market }: TestApp,
  id: number,
  rates: readonly (readonly [
    from: string,
    computing: boolean,
    base: string | null,
    storage: string | null,
  ])[],
  label: string | null = null,
  type: PricingType = 'on-demand',
): Promise<void> {
  await sql`insert into instance (market_id, instance_id, first_seen_at, last_seen_at, machine_id, gpu_name, num_gpus, type,
      disk_space_gb, label, raw)
    values (${market.id}, ${id}, '2026-03-05T00:00:00Z', '2026-03-06T00:00:00Z', 10, 'RTX 4090', 1, ${type}, 8,
      ${label}, '{}')`;
  for (const [from, computing, base, storage] of rates) {
    await sql`insert into instance_rate (market_id, instance_id, from_at, computing, base_usd_per_hour,
        storage_usd_per_hour, seen_at)
      values (${market.id}, ${id}, ${from}, ${computing}, ${base}, ${storage}, ${from})`;
  }
  await noteInstanceFacts(sql, { marketId: market.id, seenAt: new Date('2026-03-05T00:00:00Z') }, [id]);
}
