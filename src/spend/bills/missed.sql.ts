import type { BillingChanges } from '../../books/billing-certificate.ts';
import type { Db } from '../../database/connection.ts';
import type { BillingKind, BillingRange } from './bill.ts';

/** An entry missing from this many complete syncs in a row has disappeared. Source: docs/meaning.md#bills. */
const syncsUntilGone = 2;

/** Counts a miss for every entry of the window that is not in `billing_pair`, and closes those missed often enough. */
export async function markMissed(
  tx: Db,
  { marketId, kind, at, from, to }: BillingRange & { marketId: number; kind: BillingKind; at: Date },
): Promise<Pick<BillingChanges, 'missed' | 'disappeared'>> {
  const [row] = await tx<{ missed: number; disappeared: number }[]>`
    with missed as (
      update billing_entry e set missed_readings = missed_readings + 1,
        disappeared_at = case when missed_readings + 1 >= ${syncsUntilGone} then ${at}::timestamptz end
      where e.market_id = ${marketId} and e.kind = ${kind} and e.disappeared_at is null
        and e.start_at >= coalesce(${from}::timestamptz, '-infinity')
        and e.start_at < coalesce(${to}::timestamptz, 'infinity')
        and not exists (select from billing_pair p where p.id = e.id)
      returning e.id, e.disappeared_at
    ), closed as (
      update billing_version v set seen_to = ${at} from missed m
      where m.disappeared_at is not null and v.entry_id = m.id and v.seen_to = 'infinity'
      returning v.entry_id
    )
    select count(*) as missed, (select count(*) from closed) as disappeared from missed`;
  return { missed: row?.missed ?? 0, disappeared: row?.disappeared ?? 0 };
}
