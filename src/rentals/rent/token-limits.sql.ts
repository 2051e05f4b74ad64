import type { Db } from '../../database/connection.ts';

/** The limits of a token on its own rentals; null: none. */
export interface TokenLimits {
  maxUsdPerHour: number | null;
  maxInstances: number | null;
  maxRentsPerDay: number | null;
}

/** What a token has rented. */
export interface TokenRentals {
  /** Rentals that have not ended; `instanceId` null: not known yet, or none. */
  open: { rentalId: string; instanceId: number | null }[];
  /** Creates of the last 24 hours, except those that clearly rented nothing. */
  rentsToday: number;
}

/** Returns the limits of the newest token of a name, revoked or not; null: it has none, or there is no such token. */
export async function findTokenLimits(db: Db, name: string): Promise<TokenLimits | null> {
  const [row] = await db<TokenLimits[]>`
    select max_usd_per_hour::float8 as "maxUsdPerHour", max_instances as "maxInstances",
      max_rents_per_day as "maxRentsPerDay"
    from credential where kind = 'token' and name = ${name} order by created_at desc, id desc limit 1`;
  return row === undefined || Object.values(row).every((limit) => limit === null) ? null : row;
}

/** Returns what a token of this name has rented. */
export async function readTokenRentals(
  db: Db,
  { marketId, by, now }: { marketId: number; by: string; now: Date },
): Promise<TokenRentals> {
  const open = await db<TokenRentals['open']>`
    select id as "rentalId", instance_id as "instanceId" from rental
    where market_id = ${marketId} and rented_by = ${by} and ended_at is null`;
  const [count] = await db<{ rents: number }[]>`
    select count(*)::int as rents from rental
    where market_id = ${marketId} and rented_by = ${by} and state <> 'failed'
      and created_at > ${new Date(now.getTime() - 86_400_000)}`;
  return { open: [...open], rentsToday: count?.rents ?? 0 };
}
