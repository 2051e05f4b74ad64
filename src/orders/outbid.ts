import { Decimal } from 'decimal.js';
import { isMeantToStop, showsStopped } from '../market/instance-status.ts';
import { storageUsdPerHour } from '../rentals/account-count.ts';
import type { OrderBid } from './order.ts';
import { isMachine, type ListedBid, type OrderAttempt } from './order-facts.ts';

/** Digits of a bid. */
export const bidDecimals = 6;

/** A market needs a moment until a raised bid has an effect. */
const patienceMs = 2 * 60_000;

/** A bid whose instance is listed. */
export interface LiveBid {
  attempt: OrderAttempt;
  instanceId: number;
  /** $/hour of the whole machine without its disk. */
  bidUsdPerHour: Decimal;
  bidAt: Date;
  listed: ListedBid;
}

/** Returns the bids of an order whose instances are listed, except those that it has given up. */
export const liveBids = (attempts: readonly OrderAttempt[]): LiveBid[] =>
  attempts.flatMap((attempt) => {
    const { bidUsdPerHour: bid, bidAt, rental, outcome } = attempt;
    if (!isMachine(attempt) || outcome === 'given-up' || bid === null || bidAt === null) return [];
    if (rental === null || rental.instanceId === null || rental.endedAt !== null || rental.listed === null)
      return [];
    const { instanceId, listed } = rental;
    return [{ attempt, instanceId, bidUsdPerHour: new Decimal(bid), bidAt, listed }];
  });

/**
 * Whether the market has stopped an instance that nobody asked to stop, as it does when another bid is higher. Only
 * lists that were made a while after the newest bid count.
 */
export const isOutbid = ({ listed, bidAt }: LiveBid): boolean =>
  showsStopped(listed) &&
  !isMeantToStop(listed) &&
  (listed.wanted === null || listed.wanted === 'running') &&
  listed.seenAt.getTime() - bidAt.getTime() >= patienceMs;

/**
 * Returns the next higher bid of an instance that is outbid, $/hour: a step up, or as many as the listed minimum needs.
 * null: the cap leaves no room for a bid that could win, or the price of the disk is not known.
 */
export function nextBid(
  { attempt, bidUsdPerHour, listed }: LiveBid,
  { stepPercent }: OrderBid,
): Decimal | null {
  const disk = storageUsdPerHour(listed.storageUsdPerGbMonth, listed.diskSpaceGb);
  if (disk === null) return null;
  const highest = new Decimal(attempt.maxUsdPerHour)
    .minus(disk)
    .toDecimalPlaces(bidDecimals, Decimal.ROUND_DOWN);
  const min = listed.minBidUsdPerHour ?? 0;
  if (highest.lte(bidUsdPerHour) || highest.lt(min)) return null;
  let next = bidUsdPerHour;
  do next = next.times(100 + stepPercent).div(100);
  while (next.lt(min));
  return Decimal.min(next.toDecimalPlaces(bidDecimals, Decimal.ROUND_UP), highest);
}
