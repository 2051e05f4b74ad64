import type { Db } from '../database/connection.ts';
import { closingDays } from './spend-grouping.ts';

/** A closed month in the zone's time. */
export interface ClosedMonth {
  /** `2026-11`. */
  month: string;
  from: Date;
  to: Date;
  /** End of the sync that closed the month: later changes are adjustments. */
  closedAt: Date;
}

/**
 * Returns the closed months of a range as of `asOf`: a sync of the whole window, begun at least three days after the
 * month, has ended for both kinds of bills, or for invoices if charges are not read.
 * Source: docs/decisions/0020-closed-months.md.
 */
export async function closedMonths(
  db: Db,
  scope: { marketId: number; from: Date; to: Date; timeZone: string; asOf: Date },
): Promise<ClosedMonth[]> {
  const { marketId, from, to, timeZone: zone, asOf } = scope;
  const first = (kind: string) => db`(
    select min(r.ended_at) from billing_sync r
    where r.market_id = ${marketId} and r.kind = ${kind} and r.state = 'complete' and r.whole
      and r.started_at >= m.to_at + make_interval(days => ${closingDays}) and r.ended_at <= ${asOf})`;
  const rows = await db<(Omit<ClosedMonth, 'closedAt'> & Closes)[]>`
    select to_char(local, 'YYYY-MM') as month, m.from_at as "from", m.to_at as "to", ${first('invoice')} as invoices,
      ${first('charge')} as charges, exists (select from billing_sync r where r.market_id = ${marketId}
        and r.kind = 'charge' and r.state = 'complete' and r.ended_at <= ${asOf}) as "hasCharges"
    from generate_series(date_trunc('month', ${from} at time zone ${zone}),
      (${to} - interval '1 microsecond') at time zone ${zone}, interval '1 month') as local
    cross join lateral (select local at time zone ${zone} as from_at,
      (local + interval '1 month') at time zone ${zone} as to_at) as m
    order by local`;
  return rows.flatMap(({ invoices, charges, hasCharges, ...month }) => {
    if (invoices === null || (hasCharges && charges === null)) return [];
    const closedAt = charges !== null && charges > invoices ? charges : invoices;
    return [{ ...month, closedAt }];
  });
}

interface Closes {
  invoices: Date | null;
  charges: Date | null;
  hasCharges: boolean;
}
