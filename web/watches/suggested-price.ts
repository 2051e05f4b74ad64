/** Below every price, to read the value now before the reader has a limit. */
export const noLimitUsd = 1e-9;
/** How far below the value now an alert is suggested. */
const shareOfNow = 0.95;

/** Returns a round price a little below the value now, as text to edit; empty for null. */
export function suggestedPrice(value: number | null): string {
  if (value === null || value <= 0) return '';
  const wanted = value * shareOfNow;
  // Two digits, rounded down so that it stays below the value now.
  const step = 10 ** (Math.floor(Math.log10(wanted)) - 1);
  const price = Math.floor(wanted / step + 1e-9) * step;
  return price.toFixed(Math.max(2, -Math.round(Math.log10(step))));
}

/** Returns the number that a text states; null: none above 0. */
export function priceOf(text: string): number | null {
  const price = Number(text.trim().replace(/^\$/, ''));
  return text.trim() === '' || !Number.isFinite(price) || price <= 0 ? null : price;
}
