import type { Db } from '../../database/connection.ts';
import type { Rental } from '../rental.ts';

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
