import { Decimal } from 'decimal.js';
import type { WantedState } from '../rentals/instances/plans.sql.ts';
import type { RentalState } from '../rentals/rental.ts';
import { openStates } from '../rentals/rental.ts';
import type { AttemptOutcome } from './order.ts';

/** The rental of an attempt. */
export interface AttemptRental {
  id: string;
  state: RentalState;
  instanceId: number | null;
  reason: string | null;
  /** Decimal text. */
  usdPerHour: string;
  maxUsdPerHour: string | null;
  /** null: it never ends by itself. */
  maxHours: number | null;
  /** null: the market's answer was clear. */
  settleBy: Date | null;
  firstRunningAt: Date | null;
  failedStartAt: Date | null;
  createdAt: Date;
  endedAt: Date | null;
  /** Its instance by the newest list; null: no list has it. */
  listed: ListedBid | null;
}

/** What a list says of an instance whose bid may be outbid. */
export interface ListedBid {
  seenAt: Date;
  actualStatus: string | null;
  intendedStatus: string | null;
  /** What Offerbook last asked of it; null: nothing that is open. */
  wanted: WantedState | null;
  minBidUsdPerHour: number | null;
  storageUsdPerGbMonth: number | null;
  diskSpaceGb: number | null;
}

/** An attempt of an order. */
export interface OrderAttempt {
  attempt: number;
  choice: number;
  bookId: number;
  offerId: number;
  machineId: number;
  /** Decimal text. */
  usdPerHour: string;
  maxUsdPerHour: string;
  at: Date;
  tries: number;
  outcome: AttemptOutcome;
  reason: string | null;
  /** The newest bid, $/hour of the whole machine without its disk, decimal text; null: on demand. */
  bidUsdPerHour: string | null;
  /** When it was made. */
  bidAt: Date | null;
  /** null: nothing was sent. */
  rental: AttemptRental | null;
}

/** Whether a rental never ran and is gone, after its start had failed. */
const hasFailedToStart = ({ state, firstRunningAt, failedStartAt }: AttemptRental): boolean =>
  state === 'destroyed' && firstRunningAt === null && failedStartAt !== null;

/** Whether an attempt is a machine of its order: one that is rented, or that may be, or is not destroyed yet. */
export const isMachine = ({ rental, outcome }: Pick<OrderAttempt, 'rental' | 'outcome'>): boolean =>
  rental !== null &&
  rental.state !== 'failed' &&
  !hasFailedToStart(rental) &&
  !(outcome === 'given-up' && rental.endedAt !== null);

/** Whether a machine is not known to have run yet. */
export const isStarting = ({ rental }: Pick<OrderAttempt, 'rental'>): boolean =>
  rental !== null && rental.firstRunningAt === null && rental.endedAt === null;

const hourMs = 3_600_000;

/**
 * Returns the dollars that an attempt commits: its price (a bid: its cap, to which it may be raised) for all of its
 * hours, and if it ended earlier for the hours until then. null: it has no end.
 */
function committedUsd({ rental, bidUsdPerHour }: OrderAttempt): Decimal | null {
  if (rental === null || rental.state === 'failed') return new Decimal(0);
  const { usdPerHour, maxUsdPerHour, maxHours, createdAt, endedAt, state } = rental;
  const mayRise = openStates.includes(state) || bidUsdPerHour !== null;
  const rate = mayRise ? Decimal.max(usdPerHour, maxUsdPerHour ?? 0) : usdPerHour;
  const used = endedAt === null ? null : (endedAt.getTime() - createdAt.getTime()) / hourMs;
  if (used === null) return maxHours === null ? null : new Decimal(rate).times(maxHours);
  return new Decimal(rate).times(maxHours === null ? used : Math.min(maxHours, used));
}

/** Returns the sum over attempts; null: a rental without an end. */
export function sumCommitted(attempts: readonly OrderAttempt[]): Decimal | null {
  let sum = new Decimal(0);
  for (const attempt of attempts) {
    const usd = committedUsd(attempt);
    if (usd === null) return null;
    sum = sum.plus(usd);
  }
  return sum;
}
