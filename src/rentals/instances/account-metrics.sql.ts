import type { Db } from '../../database/connection.ts';

/** The newest complete sync of a market's invoices or charges. */
export interface NewestSync {
  kind: 'invoice' | 'charge';
  startedAt: Date;
  /** Rows that it read. */
  rows: number;
}

/** By kind; a kind without a complete sync is missing. */
export async function newestSyncs(db: Db, marketId: number): Promise<NewestSync[]> {
  return await db<NewestSync[]>`
    select k.kind, r.started_at as "startedAt", r.rows
    from (values ('invoice'), ('charge')) as k(kind)
    join lateral (
      select started_at, rows from billing_sync
      where market_id = ${marketId} and kind = k.kind and state = 'complete'
      order by started_at desc limit 1) r on true
    order by 1`;
}

/** The instances of an account after the newest poll. */
export interface PolledInstances {
  polledAt: Date;
  /** By `actual_status` as delivered; null: being provisioned. Without gone ones. */
  statuses: { status: string | null; instances: number }[];
}

/** null: the market was never polled. */
export async function polledInstances(db: Db, marketId: number): Promise<PolledInstances | null> {
  const [row] = await db<PolledInstances[]>`
    select polled_at as "polledAt", (
      select coalesce(jsonb_agg(s order by s.status nulls first), '[]')
      from (
        select actual_status as status, count(*) as instances from instance
        where market_id = ${marketId} and gone_at is null group by 1) s) as statuses
    from instance_poll where market_id = ${marketId} order by polled_at desc limit 1`;
  return row ?? null;
}
