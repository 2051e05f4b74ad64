import type { Spend } from '../core/api.ts';
import { formatCount } from '../core/figures.ts';

type Before = Pick<NonNullable<Spend['before']>, 'consumptionUsd' | 'changeUsd' | 'isCovered'>;

/**
 * In which of two periods something was spent, whether it differs, and whether that can be said: what a sentence about
 * them says. `uncovered`: what is known begins too late for a fair comparison.
 */
export function compareBefore({
  consumptionUsd,
  changeUsd,
  isCovered,
}: Before): 'neither' | 'uncovered' | 'only-now' | 'only-before' | 'same' | 'changed' {
  const [before, change] = [Number(consumptionUsd), Number(changeUsd)];
  if (before === 0 && change === 0) return 'neither';
  if (!isCovered && before + change !== 0) return 'uncovered';
  if (before === 0) return 'only-now';
  if (change === 0) return 'same';
  return before + change === 0 ? 'only-before' : 'changed';
}

/** From this many times on, a factor is easier to understand than a percentage. */
const minTimes = 4;

/** Returns a large rise as how many times what was spent before, `39 times`; null: a percentage says it. */
export function timesWords(changePercent: number | null): string | null {
  const times = (changePercent ?? 0) / 100 + 1;
  return times < minTimes ? null : `${formatCount(Number(times.toFixed(times < 10 ? 1 : 0)))} times`;
}
