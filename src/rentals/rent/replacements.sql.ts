import type { Db } from '../../database/connection.ts';
import type { Rental, RentalState } from '../rental.ts';

/** The rental in another's place. */
export interface ReplacementRental {
  id: string;
  instanceId: number | null;
  state: RentalState;
  reason: string | null;
  label: string | null;
  endedAt: Date | null;
}

/**
 * Returns the newest rental in a rental's place, or in the place of one that was; one that has not ended comes first.
 * null: none, or nothing was rented.
 */
export async function findReplacement(db: Db, rentalId: string): Promise<ReplacementRental | null> {
  const [row] = await db<ReplacementRental[]>`
    with recursive next as (
      select r.* from rental r where r.replaces_id = ${rentalId}
      union
      select r.* from rental r join next on r.replaces_id = next.id)
    select id, instance_id as "instanceId", state, reason, label, ended_at as "endedAt" from next
    where state <> 'failed' order by (ended_at is null) desc, id desc limit 1`;
  return row === undefined ? null : { ...row };
}

/** Uses up one replacement of a rental; false: another process has started it. */
export async function takeReplacement(db: Db, id: string): Promise<boolean> {
  const taken = await db`
    update rental set replacements_left = 0
    where id = ${id} and replacements_left > 0 and on_failure = 'replace' returning id`;
  return taken.length > 0;
}

/**
 * Whether the market showed labels when a rental was made, judged by the answered creates before and after it; null:
 * unknown. The one before must show it and the one after must not contradict it, because a market may stop or resume at
 * any time.
 */
export async function showsLabels(
  db: Db,
  { id, marketId }: Pick<Rental, 'id' | 'marketId'>,
): Promise<boolean | null> {
  const answered = db`
    from rental r join instance i on i.market_id = r.market_id and i.instance_id = r.instance_id
    where r.market_id = ${marketId} and r.settle_by is null`;
  const shows = db`coalesce(i.label, '') like '%#' || r.id`;
  const [row] = await db<{ before: boolean | null; after: boolean | null }[]>`
    select (select ${shows} ${answered} and r.id < ${id} order by r.id desc limit 1) as before,
      (select ${shows} ${answered} and r.id > ${id} order by r.id limit 1) as after`;
  const { before = null, after = null } = row ?? {};
  return before === true && after === false ? false : before;
}
