/** Said where parts, as they are shown, do not add up to their sum as it is shown. */
export const roundedWords = 'Parts are rounded to cents each; the sum is exact, and rounded once.';

/** Whether parts that are rounded to cents add up to something else than their exact sum, rounded to cents. */
export function differAsShown(sum: string, parts: readonly string[]): boolean {
  const cents = (usd: string): number => Math.round(Number(usd) * 100);
  return parts.length > 1 && parts.reduce((all, part) => all + cents(part), 0) !== cents(sum);
}
