/** Decimals of a price per hour, and those below some prices, the smallest first; on the page, too. */
export const priceDecimals = {
  usual: 4,
  below: [
    { usd: 0.0001, decimals: 8 },
    { usd: 0.01, decimals: 6 },
  ],
} as const;

/** Returns the decimals of prices that stand together: those of the smallest; zeros and nulls do not count. */
function decimalsOf(values: readonly (number | null)[]): number {
  const sizes = values.flatMap((value) => (value === null || value === 0 ? [] : [Math.abs(value)]));
  const smallest = Math.min(...sizes);
  return priceDecimals.below.find(({ usd }) => smallest < usd)?.decimals ?? priceDecimals.usual;
}

const inUsd = (value: number, decimals: number): string =>
  value.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });

/** Formats a price per hour for people, as the page does: `$0.4020`; `–` for null. */
export const formatUsd = (value: number | null): string =>
  value === null ? '–' : inUsd(value, decimalsOf([value]));

const limitFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 12,
});

/** Formats a limit of a price as it was typed, to six significant digits, but with at least two decimals, as the page does: `$2.00`, `$0.0375`. */
export const formatLimit = (usd: number): string => limitFormat.format(Number(usd.toPrecision(6)));

/** Formats a price per hour without its sign, for a column that has the unit in its head; blank for null. */
export const formatPrice = (value: number | null): string =>
  value === null ? '' : value.toFixed(decimalsOf([value]));

/** Formats prices of one column for people, all with as many decimals as the one that needs most, so that they line up. */
export function alignUsd(values: readonly (number | null)[]): string[] {
  const decimals = decimalsOf(values);
  return values.map((value) => (value === null ? '–' : inUsd(value, decimals)));
}

/** Formats an amount of dollars for people, `$1,234.57`; `<$0.01` or `-<$0.01` if it would round to zero. */
export function formatAmount(amount: number): string {
  if (amount === 0 || Math.abs(amount) >= 0.005) return inUsd(amount, 2);
  return amount > 0 ? '<$0.01' : '-<$0.01';
}
