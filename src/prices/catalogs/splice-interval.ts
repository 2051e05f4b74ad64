/** A price in force from one moment until another, ms; Infinity: it still is. */
export interface HeldPrice {
  from: number;
  to: number;
  usdPerHour: string;
}

/**
 * The intervals of one kind of price once a snapshot says what it was from `at` until the next snapshot: `usdPerHour`,
 * or null where the catalog did not have it. `held` are those that touch this stretch. Neighbours of one price are
 * joined, so that the same snapshots give the same intervals in any order.
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

/** Whether they are the same. */
export const areSame = (a: readonly HeldPrice[], b: readonly HeldPrice[]): boolean =>
  a.length === b.length &&
  a.every(({ from, to, usdPerHour }, index) => {
    const other = b[index];
    return other?.from === from && other.to === to && other.usdPerHour === usdPerHour;
  });
