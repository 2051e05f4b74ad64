import { Exact, sumUsd } from '../exact-sums.ts';
import type { ChargedHour } from './charged-hours.sql.ts';
import type { EqualMachine } from './equal-machines.sql.ts';

type Hour = Pick<ChargedHour, 'seconds' | 'gpuFrom' | 'gpuUntil' | 'paidUsd'>;
type Offered = Pick<EqualMachine, 'usdPerHour' | 'since' | 'until'>;

/** What an equal machine would have saved. */
export interface Saved {
  /** How much less the charged time would have cost there while it was offered, exact. */
  savedUsd: string;
  /** Charged seconds in which it was offered. */
  offeredSeconds: number;
}

/**
 * Returns offers of equal machines in the order of what each alone would have saved, the most first. The amounts of
 * `savedAtEqual` are exact; to order offers, floating point is enough.
 */
export function orderBySaving<T extends Offered>(hours: readonly Hour[], offers: readonly T[]): T[] {
  const charged = hours.map(({ seconds, gpuFrom, gpuUntil, paidUsd }) => ({
    seconds,
    from: gpuFrom.getTime(),
    to: gpuUntil.getTime(),
    paid: Number(paidUsd),
  }));
  const savedAt = ({ usdPerHour, since, until }: T): number => {
    const [start, end] = [since.getTime(), until?.getTime() ?? Number.POSITIVE_INFINITY];
    return charged.reduce((sum, { seconds, from, to, paid }) => {
      const share = Math.max(Math.min(to, end) - Math.max(from, start), 0) / (to - from);
      return sum + share * (paid - (usdPerHour * seconds) / 3600);
    }, 0);
  };
  return offers
    .map((offer) => ({ offer, usd: savedAt(offer) }))
    .sort((a, b) => b.usd - a.usd)
    .map(({ offer }) => offer);
}

/**
 * Returns how much less an instance's charged time would have cost at an equal machine's price while that was offered; an
 * hour that it was offered for a part of counts by that part.
 */
export function savedAtEqual(hours: readonly Hour[], { usdPerHour, since, until }: Offered): Saved {
  const parts = hours.flatMap(({ seconds, gpuFrom, gpuUntil, paidUsd }) => {
    const from = Math.max(gpuFrom.getTime(), since.getTime());
    const to = Math.min(gpuUntil.getTime(), until?.getTime() ?? Number.POSITIVE_INFINITY);
    if (to <= from) return [];
    const less = new Exact(paidUsd).minus(new Exact(usdPerHour).times(seconds).div(3600));
    const share = new Exact(to - from).div(gpuUntil.getTime() - gpuFrom.getTime());
    return [{ usd: less.times(share).toDecimalPlaces(12).toString(), seconds: share.times(seconds) }];
  });
  const seconds = parts.reduce((sum, part) => sum.plus(part.seconds), new Exact(0));
  return { savedUsd: sumUsd(parts.map(({ usd }) => usd)), offeredSeconds: Math.round(seconds.toNumber()) };
}
