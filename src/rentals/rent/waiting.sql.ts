import type { Db } from '../../database/connection.ts';

/** After this time, a running machine whose SSH port stays closed is checked less often. */
const reachableMs = 15 * 60_000;

/** Whether a rental or a plan waits for the next list. */
export async function isRentalWaiting(db: Db, marketId: number, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - reachableMs);
  const [row] = await db<{ waits: boolean }[]>`
    select exists (
      select from rental where market_id = ${marketId} and ended_at is null
        and (state in ('creating', 'settling', 'provisioning', 'destroying')
          or (state = 'running' and first_running_at > ${since}))
    ) or exists (
      select from instance_plan p
      join instance i on i.market_id = p.market_id and i.instance_id = p.instance_id
      where p.market_id = ${marketId} and i.gone_at is null
        and p.wanted in ('destroyed', 'stopped')
    ) as waits`;
  return row?.waits ?? false;
}
