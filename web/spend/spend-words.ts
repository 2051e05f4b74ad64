import type { Spend } from '../core/api.ts';

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
