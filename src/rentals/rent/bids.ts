import { z } from '@hono/zod-openapi';
import { Decimal } from 'decimal.js';
import { UserError } from '../../core/errors.ts';
import type { Offer, PricingType } from '../../core/offer.ts';
import type { Instance } from '../../market/instance.ts';
import type { Rental } from '../rental.ts';
import type { RentRequest } from './rent-request.ts';

// Everything about bids, of rentals and of instances. How the market takes them is `bid` of its dialect.

type MayBid = Pick<RentRequest, 'bidUsdPerHour'>;

/** A bid in a body: $/hour of the whole machine. */
export const bidSchema = z.number().gt(0).max(1e6);

/** Returns `bid` for a request with a bid. Without one it is on demand: there is no default bid. */
export const typeOfRequest = ({ bidUsdPerHour }: MayBid): PricingType =>
  bidUsdPerHour === undefined ? 'on-demand' : 'bid';

/** Returns the $/hour that a request bids for the whole machine; null: it is on demand. */
export const bidOfRequest = ({ bidUsdPerHour }: MayBid): Decimal | null =>
  bidUsdPerHour === undefined ? null : new Decimal(bidUsdPerHour);

/** Returns the $/hour of the machine without its disk: the bid if there is one, else the offer's price. */
export const basePrice = (request: MayBid, { baseUsdPerHour }: Pick<Offer, 'baseUsdPerHour'>): Decimal =>
  bidOfRequest(request) ?? new Decimal(baseUsdPerHour);

/** Returns why a bid is below the offer's minimum; null: it is not, or there is no bid or no known minimum. */
export function findLowBidProblem(
  request: MayBid,
  { minBidUsdPerHour: min }: Pick<Offer, 'minBidUsdPerHour'>,
): string | null {
  const bid = bidOfRequest(request);
  return bid !== null && min !== null && bid.lt(min)
    ? `bid ${bid}: the market's minimum for this offer is ${min} $/hour`
    : null;
}

/**
 * Returns a warning for a bid at or below the offer's minimum; null: it is above, or there is no bid or no known
 * minimum.
 */
export function findMinimumBidWarning(
  request: MayBid,
  { minBidUsdPerHour: min }: Pick<Offer, 'minBidUsdPerHour'>,
): { kind: 'bid-at-minimum'; message: string } | null {
  const bid = bidOfRequest(request);
  if (bid === null || min === null || bid.gt(min)) return null;
  return {
    kind: 'bid-at-minimum',
    message: `The bid is the minimum of ${min} $/hour: whoever bids more takes the machine.`,
  };
}

/** Returns the $/hour of an instance, without its disk, after a change of its bid. Throws a UserError if it has none. */
export function basePriceAfter(
  bidUsdPerHour: number,
  { instanceId, type }: Pick<Instance, 'instanceId' | 'type'>,
): number {
  if (type === null || type === 'bid') return bidUsdPerHour;
  throw new UserError(
    `Instance ${instanceId} is not interruptible: only interruptible instances have a bid.`,
  );
}

/** Returns the $/hour bid for an instance, which the market lists as its base price; null: unknown, or on demand. */
export function bidOfInstance(
  instance: Pick<Instance, 'type' | 'baseUsdPerHour'> | null,
  rental: Pick<Rental, 'type' | 'bidUsdPerHour'> | null,
): string | null {
  if ((instance?.type ?? rental?.type) !== 'bid') return null;
  const listed = instance?.baseUsdPerHour ?? null;
  return listed === null ? (rental?.bidUsdPerHour ?? null) : String(listed);
}
