import type { Db } from '../database/connection.ts';
import { withParameters } from '../database/sql-text.ts';
import { entriesSql } from './entries.sql.ts';
import type { SpendGrouping, SpendScope } from './spend-grouping.ts';

/** What an instance is called beside its id, as its newest entry of the range with a label has it. */
export interface NamedInstance {
  instanceId: number;
  /** A person's label; null: none. */
  label: string | null;
  /** null: no list of the account showed it. */
  gpuName: string | null;
  numGpus: number | null;
}

/** Returns the instances of a range's entries by id; none unless sums are grouped by instance. */
export async function listGroupInstances(
  db: Db,
  { marketId, asOf, from, to }: SpendScope,
  groupings: readonly (SpendGrouping | null)[],
): Promise<NamedInstance[]> {
  if (!groupings.includes('instance')) return [];
  const entries = entriesSql(withParameters(db), { marketId, asOf, touches: { from, to } });
  const rows = await db<NamedInstance[]>`
    select distinct on (instance_id) instance_id as "instanceId", own_label as label, gpu_name as "gpuName",
      num_gpus as "numGpus"
    from (${entries}) as entry where instance_id is not null and disappeared_at is null
    order by instance_id, own_label is null, start_at desc, entry_no desc nulls last, own_label`;
  return rows.map((row) => ({ ...row }));
}
