import { Decimal } from 'decimal.js';
import type { ChargedUsd } from './charged.sql.ts';
import { estimateCost, type RateStep } from './rental-cost.ts';

/** The cost of an instance. Dollars as decimal text. */
export interface RentalCost {
  /** The charges, and the estimate of the time after them. */
  usd: string;
  /** Estimate of the whole time, by the listed rates; without traffic. */
  estimatedUsd: string;
  /** null: no charge has arrived yet. */
  chargedUsd: string | null;
  chargedUntil: Date | null;
  /** Charges without traffic, minus the estimate of the same time; null: nothing was charged yet. */
  differenceUsd: string | null;
  /** A rate was unknown for some time: it cost more. */
  isLowerBound: boolean;
}

/** Returns the cost by charges as far as they reach, and by rates after that. */
export function costOf(steps: readonly RateStep[], charged: ChargedUsd | null, now: Date): RentalCost {
  const whole = estimateCost(steps, now);
  if (charged === null) {
    const usd = whole.usd.toString();
    return {
      usd,
      estimatedUsd: usd,
      chargedUsd: null,
      chargedUntil: null,
      differenceUsd: null,
      isLowerBound: whole.isLowerBound,
    };
  }
  const until = charged.until < now ? charged.until : now;
  const before = estimateCost(steps, until);
  const after = estimateCost(steps, now, until);
  return {
    usd: new Decimal(charged.usd).plus(after.usd).toString(),
    estimatedUsd: whole.usd.toString(),
    chargedUsd: charged.usd,
    chargedUntil: charged.until,
    differenceUsd: new Decimal(charged.usd).minus(charged.trafficUsd).minus(before.usd).toString(),
    isLowerBound: after.isLowerBound,
  };
}
