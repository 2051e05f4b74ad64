/** Said where parts, as they are shown, do not add up to their sum as it is shown. */
export const roundedWords = 'Parts are rounded to cents each; the sum is exact, and rounded once.';

/** Whether parts that are rounded, to cents by default, add up to something else than their exact sum, rounded alike. */
export function differAsShown(sum: string, parts: readonly string[], decimals = 2): boolean {
  const shown = (usd: string): number => Math.round(Number(usd) * 10 ** decimals);
  return parts.length > 1 && parts.reduce((all, part) => all + shown(part), 0) !== shown(sum);
}
