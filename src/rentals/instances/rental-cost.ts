import { Decimal } from 'decimal.js';

/** What an instance is billed for from a moment on. Dollars as decimal text; null: unknown. */
export interface RateStep {
  fromAt: Date;
  /** Whether GPUs are billed, not only the disk. */
  computing: boolean;
  /** Whether the instance is gone, so that nothing is billed. */
  gone: boolean;
  baseUsdPerHour: string | null;
  storageUsdPerHour: string | null;
}

/** An estimate without traffic. */
export interface CostEstimate {
  usd: Decimal;
  /** Whether a rate was unknown for some of the time: it cost more then. */
  isLowerBound: boolean;
}

const hourMs = 3_600_000;

/**
 * Returns the cost of an instance from `from` to `until` by its steps: GPUs while they run, disk as long as it exists.
 * Steps ascend in time; before the first nothing is billed.
 */
export function estimateCost(
  steps: readonly RateStep[],
  until: Date,
  from: Date = new Date(0),
): CostEstimate {
  let usd = new Decimal(0);
  let isLowerBound = false;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1]?.fromAt ?? until;
    const begin = Math.max(step.fromAt.getTime(), from.getTime());
    const ms = Math.min(next.getTime(), until.getTime()) - begin;
    if (ms <= 0 || step.gone) continue;
    const rates = [step.storageUsdPerHour, ...(step.computing ? [step.baseUsdPerHour] : [])];
    for (const rate of rates) {
      if (rate === null) isLowerBound = true;
      else usd = usd.plus(new Decimal(rate).times(ms).div(hourMs));
    }
  }
  return { usd: usd.toDecimalPlaces(12), isLowerBound };
}
