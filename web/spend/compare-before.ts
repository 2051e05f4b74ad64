import type { Spend } from '../core/api.ts';

type Before = Pick<NonNullable<Spend['before']>, 'consumptionUsd' | 'changeUsd'>;

/** In which of two periods something was spent, and whether it differs: what a sentence about them says. */
export function compareBefore({
  consumptionUsd,
  changeUsd,
}: Before): 'neither' | 'only-now' | 'only-before' | 'same' | 'changed' {
  const [before, change] = [Number(consumptionUsd), Number(changeUsd)];
  if (before === 0) return change === 0 ? 'neither' : 'only-now';
  if (change === 0) return 'same';
  return before + change === 0 ? 'only-before' : 'changed';
}
