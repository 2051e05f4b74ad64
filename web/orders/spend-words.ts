import type { StandingOrder } from '../core/api.ts';
import { countOf, formatAmount, formatLimit } from '../core/figures.ts';
import { choicesOf } from './order-words.ts';

/** Returns what an order may spend once it is armed, one sentence each. */
export function maxSpendWords(order: StandingOrder): string[] {
  const { budgetUsd, committedUsd, count, machines, request } = order;
  const left = Math.max(0, count - machines);
  const wanted = countOf(left, machines === 0 ? 'machine' : 'more machine');
  if (budgetUsd !== null) {
    const committed = committedUsd === null ? 'an unknown part' : formatAmount(committedUsd);
    return [
      `It may rent ${wanted} and spend up to ${formatAmount(budgetUsd)}, its budget, of which ${committed} is committed.`,
      'Traffic is not in the budget.',
    ];
  }
  const price = maxPrice(order);
  const hours = typeof request.maxHours === 'number' ? request.maxHours : null;
  const each = price === null ? '' : `, each for up to ${formatLimit(price)}/GPU-hour`;
  return [
    `It has no budget. It may rent ${wanted}${each}.`,
    ...(price === null ? ['Its prices have no limit in dollars, except your own for each rental.'] : []),
    ...(hours === null
      ? ['It has no time limit: its machines cost money until you destroy them.']
      : price === null
        ? []
        : [
            `In ${hours} h that is up to ${formatAmount(String(price * hours * left))} for machines with one GPU, and as many times that as they have GPUs.`,
          ]),
    ...(hours !== null && request.endAction !== 'destroy'
      ? [`After ${hours} h they are stopped: their disks are charged until you destroy them.`]
      : []),
  ];
}

/** Returns the highest price of any choice, $/GPU-hour; null: a choice has none. */
function maxPrice(order: StandingOrder): number | null {
  const prices = choicesOf(order).map(({ maxUsdPerGpuHour }) => maxUsdPerGpuHour ?? Number.POSITIVE_INFINITY);
  const highest = Math.max(...prices);
  return Number.isFinite(highest) ? highest : null;
}
