/** Where a line goes through. */
export interface Spot {
  x: number;
  /** NaN: the line breaks here. */
  y: number;
}

/** What a canvas shows of the time axis. */
export interface Columns {
  /** Milliseconds. */
  from: number;
  to: number;
  /** How many columns of pixels it has. */
  count: number;
}

/** Which column of pixels each of some moments is in; null: there are no more than columns, and all are kept. */
export type ColumnOfEach = Int32Array | null;

/** The columns of ascending moments. */
export function columnsOf(x: Float64Array, { from, to, count }: Columns): ColumnOfEach {
  const perMs = count / (to - from);
  if (!(perMs > 0 && perMs < Number.POSITIVE_INFINITY) || x.length <= count) return null;
  const columns = new Int32Array(x.length);
  for (let index = 0; index < x.length; index += 1) {
    columns[index] = Math.floor(((x[index] as number) - from) * perMs);
  }
  return columns;
}

/**
 * A line through heights at ascending times, with no more spots than the canvas can show: of each column of pixels the
 * lowest and the highest, in their order, so that each column is filled as before. Breaks (NaN) stay breaks, and every
 * unbroken part keeps its ends. A line with no more spots than columns has all of them.
 */
export function thinLine(x: Float64Array, y: Float64Array, columns: ColumnOfEach): Spot[] {
  return pick(x, y, keptIndexes(y, y, columns));
}

/** The same of a band, which keeps its lowest below and its highest above, both sides at the same moments. */
export function thinBand(
  x: Float64Array,
  low: Float64Array,
  high: Float64Array,
  columns: ColumnOfEach,
): { low: Spot[]; high: Spot[] } {
  const kept = keptIndexes(low, high, columns);
  return { low: pick(x, low, kept), high: pick(x, high, kept) };
}

const pick = (x: Float64Array, y: Float64Array, indexes: readonly number[]): Spot[] =>
  indexes.map((index) => ({ x: x[index] ?? Number.NaN, y: y[index] ?? Number.NaN }));

/** Indexes, ascending, of what stays of a line that is as low as `low` and as high as `high`. */
function keptIndexes(low: Float64Array, high: Float64Array, columns: ColumnOfEach): number[] {
  if (columns === null) return Array.from(low, (_, index) => index);
  const kept: number[] = [];
  let newest = -1;
  const keep = (index: number): void => {
    if (index <= newest) return;
    kept.push(index);
    newest = index;
  };
  // The part of a column that is gone through; none: -1.
  let lowest = -1;
  let highest = -1;
  const endColumn = (): void => {
    if (lowest < 0) return;
    keep(Math.min(lowest, highest));
    keep(Math.max(lowest, highest));
    lowest = -1;
  };
  let column = 0;
  let least = 0;
  let greatest = 0;
  let isBroken = true;
  for (let index = 0; index < low.length; index += 1) {
    const lower = low[index] as number;
    const higher = high[index] as number;
    // Nothing is below or above NaN.
    if (!(lower <= higher)) {
      endColumn();
      if (!isBroken || index === 0) {
        if (index > 0) keep(index - 1);
        keep(index);
      }
      isBroken = true;
      continue;
    }
    if (columns[index] !== column) endColumn();
    if (isBroken) keep(index);
    isBroken = false;
    if (lowest < 0) {
      lowest = highest = index;
      least = lower;
      greatest = higher;
      column = columns[index] as number;
      continue;
    }
    if (lower < least) {
      lowest = index;
      least = lower;
    }
    if (higher > greatest) {
      highest = index;
      greatest = higher;
    }
  }
  endColumn();
  if (!isBroken) keep(low.length - 1);
  return kept;
}
