/** Whether parts that are rounded, to cents by default, add up to something else than their exact sum, rounded alike. */
export function differAsShown(sum: string, parts: readonly string[], decimals = 2): boolean {
  const shown = (usd: string): number => Math.round(Number(usd) * 10 ** decimals);
  return parts.length > 1 && parts.reduce((all, part) => all + shown(part), 0) !== shown(sum);
}
