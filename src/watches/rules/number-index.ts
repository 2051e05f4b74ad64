/** Between two cuts values have to be looked at one by one: of 25,000 offers a hundred. */
const steps = 256;

/** A column of numbers, with the sets of places that reach some of its values. NaN: unknown, reaches nothing. */
export interface NumberIndex {
  column: Float64Array;
  /** Ascending values; the first is the lowest. */
  cuts: readonly number[];
  /** The set of a cut holds the places whose value is at least that. */
  sets: readonly Int32Array[];
}

/** Indexes a column at the quantiles of its values. */
export function createNumberIndex(column: Float64Array): NumberIndex {
  const sorted = column.filter((value) => !Number.isNaN(value)).sort();
  const cuts = [
    ...new Set(
      Array.from({ length: steps }, (_, step) => sorted[Math.floor((step * sorted.length) / steps)]),
    ),
  ].filter((cut) => cut !== undefined);
  const words = Math.ceil(column.length / 32);
  const sets = cuts.map(() => new Int32Array(words));
  for (const [at, value] of column.entries()) {
    const set = sets[lastCut(cuts, value)];
    if (set !== undefined) set[at >>> 5] = (set[at >>> 5] ?? 0) | (1 << (at & 31));
  }
  // What reaches a cut reaches all below it.
  for (let cut = sets.length - 1; cut > 0; cut -= 1) {
    const [above, below] = [sets[cut], sets[cut - 1]];
    for (let word = 0; word < words && above !== undefined && below !== undefined; word += 1) {
      below[word] = (below[word] ?? 0) | (above[word] ?? 0);
    }
  }
  return { column, cuts, sets };
}

/** A condition on a column: places of `maybe` have to be looked at unless they are in `surely`. */
export interface NumberCondition {
  column: Float64Array;
  atLeast: number;
  maybe: Int32Array;
  /** null: none is sure. */
  surely: Int32Array | null;
}

/** The condition that values are at least a limit; null: none is. */
export function atLeastOf({ column, cuts, sets }: NumberIndex, limit: number): NumberCondition | null {
  const last = Math.max(0, lastCut(cuts, limit));
  const maybe = sets[last];
  if (maybe === undefined) return null;
  const isExact = (cuts[last] ?? Number.POSITIVE_INFINITY) >= limit;
  return { column, atLeast: limit, maybe, surely: isExact ? maybe : (sets[last + 1] ?? null) };
}

/** The place of the last cut at or below a value; -1: all are above, or it is NaN. */
function lastCut(cuts: readonly number[], value: number): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cuts[middle] ?? Number.POSITIVE_INFINITY) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
