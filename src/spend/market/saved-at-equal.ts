import { Exact, sumUsd } from '../exact-sums.ts';
import type { ChargedHour } from './charged-hours.sql.ts';
import type { EqualMachine } from './equal-machines.sql.ts';

type Hour = Pick<ChargedHour, 'seconds' | 'gpuFrom' | 'gpuUntil' | 'paidUsd'>;
type Offered = Pick<EqualMachine, 'usdPerHour' | 'since' | 'until'>;

/**
 * Returns how much less an instance's charged time would have cost at an equal machine's price while that was offered,
 * exact; an hour that it was offered for a part of counts by that part.
 */
export function savedAtEqual(hours: readonly Hour[], { usdPerHour, since, until }: Offered): string {
  return sumUsd(
    hours.map(({ seconds, gpuFrom, gpuUntil, paidUsd }) => {
      const from = Math.max(gpuFrom.getTime(), since.getTime());
      const to = Math.min(gpuUntil.getTime(), until?.getTime() ?? Number.POSITIVE_INFINITY);
      if (to <= from) return '0';
      const less = new Exact(paidUsd).minus(new Exact(usdPerHour).times(seconds).div(3600));
      const share = new Exact(to - from).div(gpuUntil.getTime() - gpuFrom.getTime());
      return less.times(share).toDecimalPlaces(12).toString();
    }),
  );
}
