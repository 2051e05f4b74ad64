/** A price in force between two moments, ms; Infinity: still in force. */
export interface HeldPrice {
  from: number;
  to: number;
  usdPerHour: string;
}

/**
 * Returns the intervals of one kind of price after a snapshot stated it from `at` until the next snapshot:
 * `usdPerHour`, or null if the catalog lacked it. `held` are the intervals that touch this period. Neighbors with one
 * price are joined, so that the same snapshots give the same intervals in any order.
 */
export function spliceInterval(
  held: readonly HeldPrice[],
  { at, until, usdPerHour }: { at: number; until: number; usdPerHour: string | null },
): HeldPrice[] {
  const pieces = held.flatMap(({ from, to, usdPerHour: price }) => [
    { from, to: Math.min(to, at), usdPerHour: price },
    { from: Math.max(from, until), to, usdPerHour: price },
  ]);
  if (usdPerHour !== null) pieces.push({ from: at, to: until, usdPerHour });
  const spliced: HeldPrice[] = [];
  for (const piece of pieces.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = spliced.at(-1);
    if (last !== undefined && last.to === piece.from && last.usdPerHour === piece.usdPerHour)
      last.to = piece.to;
    else spliced.push({ ...piece });
  }
  return spliced;
}

/** Whether two lists of intervals are equal. */
export const areSame = (a: readonly HeldPrice[], b: readonly HeldPrice[]): boolean =>
  a.length === b.length &&
  a.every(({ from, to, usdPerHour }, index) => {
    const other = b[index];
    return other?.from === from && other.to === to && other.usdPerHour === usdPerHour;
  });
