/** Whether parts that are rounded, to cents by default, add up to something else than their exact sum, rounded alike. */
export function differAsShown(sum: string, parts: readonly string[], decimals = 2): boolean {
  const shown = (usd: string): number => Math.round(Number(usd) * 10 ** decimals);
  return parts.length > 1 && parts.reduce((all, part) => all + shown(part), 0) !== shown(sum);
}

const centsOf = (usd: string): number => Math.round(Number(usd) * 100);

/**
 * Returns what is left of a sum without one of its parts, as both are shown, and the other parts so that they add up to it:
 * each is at most a cent off, those first whose cents are rounded most. Less than a cent stays exact.
 */
export function restAsShown(
  sum: string,
  part: string,
  others: readonly string[],
): { rest: string; others: string[] } {
  const rest = centsOf(sum) - centsOf(part);
  const cents = others.map((usd) => Math.floor(Number((Number(usd) * 100).toFixed(6))));
  const cut = others.map((usd, place) => Number(usd) * 100 - (cents[place] ?? 0));
  const byCut = [...cut.keys()].sort((a, b) => (cut[b] ?? 0) - (cut[a] ?? 0));
  const missing = rest - cents.reduce((all, each) => all + each, 0);
  for (const place of byCut.slice(0, Math.max(0, missing))) cents[place] = (cents[place] ?? 0) + 1;
  const textOf = (count: number, exact: string): string => (count === 0 ? exact : String(count / 100));
  return {
    rest: textOf(rest, String(Number(sum) - Number(part))),
    others: cents.map((count, place) => textOf(count, others[place] ?? '0')),
  };
}
