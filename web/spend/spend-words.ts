import type { Spend } from '../core/api.ts';
import { formatAmount } from '../core/figures.ts';
import { differAsShown } from '../core/rounded-parts.ts';

/** Whether any bills were ever read; without them spend is unknown, not zero. */
export const hasBills = ({ readUntil }: Spend): boolean =>
  readUntil.charges !== null || readUntil.invoices !== null;

/** What stands in place of what only bills tell. */
export const noBills = 'No bills have been synced yet.';

/** Names of the categories. */
export const categoryWords: Record<Spend['totals'][number]['category'], string> = {
  consumption: 'Consumption',
  payment: 'Paid in',
  transfer: 'Transfers',
  refund: 'Refunds',
  payout: 'Payouts',
};
/** Names of the sums of the categories: what was spent is named as a reader looks for it, once. */
export const sumWords = new Map<string, string>([
  ...Object.entries(categoryWords),
  ['consumption', 'Spent (consumption)'],
]);

/** Returns the sum of amounts, as decimal text. */
export const sumUsd = (parts: readonly Pick<Spend['totals'][number], 'amountUsd'>[]): string =>
  parts.length === 1 && parts[0] !== undefined
    ? parts[0].amountUsd
    : parts.reduce((sum, { amountUsd }) => sum + Number(amountUsd), 0).toFixed(12);

/** Names of the bases. */
export const basisWords = { charged: 'charged', estimated: 'estimated' };

/**
 * Returns an amount with the sign that the page gives it: what comes into the account is positive, which bills have
 * negative; consumption stays as it is.
 */
export function signedUsd({
  category,
  amountUsd,
}: Pick<Spend['totals'][number], 'category' | 'amountUsd'>): string {
  if (category === 'consumption' || Number(amountUsd) === 0) return amountUsd;
  return amountUsd.startsWith('-') ? amountUsd.slice(1) : `-${amountUsd}`;
}

/** Returns the exact totals to which groups do not add up as they are shown, rounded; null: all do. */
export function roundedWords({ totals, items }: Pick<Spend, 'totals' | 'items'>): string | null {
  const differing = totals.filter(({ category, basis, amountUsd }) =>
    differAsShown(
      amountUsd,
      items
        .filter((item) => item.category === category && item.basis === basis)
        .map((item) => item.amountUsd),
    ),
  );
  if (differing.length === 0) return null;
  const sums = differing.map(
    (total) =>
      `${categoryWords[total.category]}${total.basis === 'estimated' ? ', estimated,' : ''} is ${formatAmount(signedUsd(total))} in total`,
  );
  return `Amounts are rounded: ${sums.join('; ')}, the sum of the exact ones.`;
}
