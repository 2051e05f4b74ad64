/** Returns a price for people: 4 significant digits, no trailing zeros beyond cents. */
export function formatUsd(value: number | null): string {
  if (value === null) return '–';
  const digits = value === 0 ? 2 : Math.max(2, 3 - Math.floor(Math.log10(Math.abs(value))));
  return `${value < 0 ? '-' : ''}$${Math.abs(value)
    .toFixed(Math.min(digits, 8))
    .replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

/**
 * Returns prices of one column for people, all with as many decimals as the price that needs most, so that they line up.
 */
export function alignUsd(values: readonly (number | null)[]): string[] {
  const decimals = Math.max(...values.map((value) => formatUsd(value).split('.')[1]?.length ?? 0), 2);
  return values.map((value) =>
    value === null ? formatUsd(value) : `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(decimals)}`,
  );
}
