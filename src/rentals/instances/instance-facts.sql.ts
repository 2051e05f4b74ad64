import { assignments, columnList } from '../../database/column-lists.ts';
import type { Db } from '../../database/connection.ts';

/** What is known of an instance, by column. */
const names = [
  'gpu_name',
  'num_gpus',
  'machine_id',
  'type',
  'disk_space_gb',
  'listed_label',
  'label',
  'rented_by',
  'cost_center',
];

/**
 * Stores changed facts of instances from `seenAt` on, so that spend of an earlier moment stays the same. Must be called
 * in the transaction of the change.
 */
export async function noteInstanceFacts(
  db: Db,
  { marketId, seenAt }: { marketId: number; seenAt: Date },
  instanceIds: readonly number[],
): Promise<void> {
  const known = db`i.gpu_name, i.num_gpus, i.machine_id, i.type, i.disk_space_gb, i.label, n.label, n.rented_by,
    coalesce(p.cost_center, n.cost_center)`;
  await db`
    insert into instance_fact (market_id, instance_id, seen_at, ${columnList(db, names)})
    select ${marketId}, ids.id, greatest(${seenAt}, last.seen_at), ${known}
    from unnest(${[...instanceIds]}::bigint[]) as ids(id)
    left join instance i on i.market_id = ${marketId} and i.instance_id = ids.id
    left join rental n on n.market_id = ${marketId} and n.instance_id = ids.id
    left join instance_plan p on p.market_id = ${marketId} and p.instance_id = ids.id
    left join lateral (
      select * from instance_fact f where f.market_id = ${marketId} and f.instance_id = ids.id
      order by f.seen_at desc limit 1) last on true
    where last.seen_at is null or (${known}) is distinct from (${columnList(db, names, { of: 'last' })})
    on conflict (market_id, instance_id, seen_at) do update set ${assignments(db, names, 'excluded')}`;
}
