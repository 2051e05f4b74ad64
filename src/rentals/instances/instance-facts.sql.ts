import type { Db } from '../../database/connection.ts';

/** What is known of an instance, by the name of its column and where it comes from. */
const sources = {
  gpu_name: 'i.gpu_name',
  num_gpus: 'i.num_gpus',
  machine_id: 'i.machine_id',
  type: 'i.type',
  disk_space_gb: 'i.disk_space_gb',
  listed_label: 'i.label',
  label: 'n.label',
  rented_by: 'n.rented_by',
  cost_center: 'coalesce(p.cost_center, n.cost_center)',
};

/**
 * Keeps what is known of instances from `seenAt` on where it is not what was known before, so that spend of an earlier
 * moment is what it was. To be called when it has changed, in the same transaction.
 */
export async function noteInstanceFacts(
  db: Db,
  { marketId, seenAt }: { marketId: number; seenAt: Date },
  instanceIds: readonly number[],
): Promise<void> {
  const names = Object.keys(sources);
  await db.unsafe(
    `insert into instance_fact (market_id, instance_id, seen_at, ${names.join(', ')})
    select $1, ids.id, greatest($2, last.seen_at), ${Object.values(sources).join(', ')}
    from unnest($3::bigint[]) as ids(id)
    left join instance i on i.market_id = $1 and i.instance_id = ids.id
    left join rental n on n.market_id = $1 and n.instance_id = ids.id
    left join instance_plan p on p.market_id = $1 and p.instance_id = ids.id
    left join lateral (
      select * from instance_fact f where f.market_id = $1 and f.instance_id = ids.id
      order by f.seen_at desc limit 1) last on true
    where last.seen_at is null or (${Object.values(sources).join(', ')})
      is distinct from (${names.map((name) => `last.${name}`).join(', ')})
    on conflict (market_id, instance_id, seen_at) do update set
      ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [marketId, seenAt, [...instanceIds]],
  );
}
