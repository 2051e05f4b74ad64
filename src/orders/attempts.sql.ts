import { on } from '../database/builder.ts';
import type { Db } from '../database/connection.ts';
import { and, eq } from '../database/drizzle.ts';
import { standingOrderAttempt } from '../database/schema/order.ts';
import type { AttemptOutcome } from './order.ts';
import type { AttemptRental, ListedBid, OrderAttempt } from './order-facts.ts';

const a = standingOrderAttempt;

/** An attempt that is about to begin. */
export type NewAttempt = Pick<
  OrderAttempt,
  'choice' | 'bookId' | 'offerId' | 'machineId' | 'usdPerHour' | 'maxUsdPerHour' | 'at' | 'bidUsdPerHour'
>;

/**
 * Stores that an attempt begins, if its order is still armed, and returns its number; null: it is not. An attempt that
 * had sent nothing is begun again under its number, and so with its key.
 */
export async function beginAttempt(tx: Db, orderId: string, begun: NewAttempt): Promise<number | null> {
  const { choice, bookId, offerId, machineId, usdPerHour, maxUsdPerHour, at, bidUsdPerHour } = begun;
  const bidAt = bidUsdPerHour === null ? null : at;
  const [order] = await tx`
    select from standing_order where id = ${orderId} and state = 'armed' for no key update`;
  if (order === undefined) return null;
  const [row] = await tx<{ attempt: number }[]>`
    insert into standing_order_attempt as a (order_id, attempt, choice, book_id, offer_id, machine_id, usd_per_hour,
      max_usd_per_hour, at, tries, outcome,
      bid_usd_per_hour, bid_at)
    select ${orderId}, coalesce(
        (select attempt from standing_order_attempt where order_id = ${orderId} and outcome = 'held'),
        (select max(attempt) + 1 from standing_order_attempt where order_id = ${orderId}), 1),
      ${choice}, ${bookId}, ${offerId}, ${machineId}, ${usdPerHour}, ${maxUsdPerHour}, ${at}, 1, 'open',
      ${bidUsdPerHour}, ${bidAt}
    on conflict (order_id, attempt) do update set choice = excluded.choice, book_id = excluded.book_id,
      offer_id = excluded.offer_id, machine_id = excluded.machine_id, usd_per_hour = excluded.usd_per_hour,
      max_usd_per_hour = excluded.max_usd_per_hour, at = excluded.at, tries = a.tries + 1, outcome = 'open',
      reason = null, bid_usd_per_hour = excluded.bid_usd_per_hour, bid_at = excluded.bid_at
    returning attempt`;
  return row?.attempt ?? null;
}

/** Stores the outcome of an attempt. */
export async function endAttempt(
  db: Db,
  orderId: string,
  attempt: number,
  { outcome, reason }: { outcome: AttemptOutcome; reason: string | null },
): Promise<void> {
  await on(db)
    .update(a)
    .set({ outcome, reason })
    .where(and(eq(a.orderId, orderId), eq(a.attempt, attempt)));
}

/** Stores a bid that is about to be sent, or the one before after it was not. */
export async function noteBid(
  db: Db,
  orderId: string,
  attempt: number,
  { bidUsdPerHour, at }: { bidUsdPerHour: string; at: Date },
): Promise<void> {
  await on(db)
    .update(a)
    .set({ bidUsdPerHour, bidAt: at })
    .where(and(eq(a.orderId, orderId), eq(a.attempt, attempt)));
}

/** Returns the attempts of an order with their rentals, in order. */
export async function listAttempts(
  db: Db,
  { id, marketId }: { id: string; marketId: number },
): Promise<OrderAttempt[]> {
  const rows = await db<(Omit<OrderAttempt, 'rental'> & { rental: RentalRow | null })[]>`
    select a.attempt, a.choice, a.book_id as "bookId", a.offer_id as "offerId", a.machine_id as "machineId",
      a.usd_per_hour::text as "usdPerHour", a.max_usd_per_hour::text as "maxUsdPerHour", a.at, a.tries, a.outcome,
      a.reason, a.bid_usd_per_hour::text as "bidUsdPerHour", a.bid_at as "bidAt",
      case when r.id is not null then jsonb_build_object('id', r.id, 'state', r.state, 'instanceId', r.instance_id,
        'reason', r.reason, 'usdPerHour', r.usd_per_hour::text, 'maxUsdPerHour', r.max_usd_per_hour::text,
        -- Hours that a person has changed since count where they are longer.
        'maxHours', greatest(p.max_hours, (r.request ->> 'maxHours')::float8), 'settleBy', r.settle_by,
        'firstRunningAt', r.first_running_at, 'failedStartAt', r.failed_start_at, 'createdAt', r.created_at, 'endedAt', r.ended_at,
        'listed', case when i.gone_at is null and i.instance_id is not null then jsonb_build_object(
          'seenAt', i.last_seen_at, 'actualStatus', i.actual_status, 'intendedStatus', i.intended_status,
          'wanted', p.wanted, 'minBidUsdPerHour', i.min_bid_usd_per_hour,
          'storageUsdPerGbMonth', i.storage_usd_per_gb_month, 'diskSpaceGb', i.disk_space_gb) end) end as rental
    from standing_order_attempt a
    left join rental r on r.market_id = ${marketId}
      and r.idempotency_key = 'order/' || a.order_id::text || '/' || a.attempt::text
    left join instance_plan p on p.market_id = r.market_id and p.instance_id = r.instance_id
    left join instance i on i.market_id = r.market_id and i.instance_id = r.instance_id
    where a.order_id = ${id} order by a.attempt`;
  return rows.map((row) => ({ ...row, rental: row.rental === null ? null : withDates(row.rental) }));
}

type Moments = 'settleBy' | 'firstRunningAt' | 'failedStartAt' | 'endedAt';
type RentalRow = Omit<AttemptRental, Moments | 'createdAt' | 'listed'> &
  Record<Moments, string | null> & {
    createdAt: string;
    listed: (Omit<ListedBid, 'seenAt'> & { seenAt: string }) | null;
  };

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const withDates = (row: RentalRow): AttemptRental => ({
  ...row,
  settleBy: dateOf(row.settleBy),
  firstRunningAt: dateOf(row.firstRunningAt),
  failedStartAt: dateOf(row.failedStartAt),
  endedAt: dateOf(row.endedAt),
  createdAt: new Date(row.createdAt),
  listed: row.listed === null ? null : { ...row.listed, seenAt: new Date(row.listed.seenAt) },
});
