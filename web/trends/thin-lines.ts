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
  /** How many pixels wide. */
  pixels: number;
}

/**
 * A line through heights at ascending times, with no more spots than the canvas can show: of each column of pixels the
 * lowest and the highest, in their order, so that each column is filled as before. Breaks (NaN) stay breaks, and every
 * unbroken part keeps its ends. A line with no more spots than pixels has all of them.
 */
export function thinLine(x: Float64Array, y: Float64Array, columns: Columns): Spot[] {
  return pick(x, y, keptIndexes(x, y, y, columns));
}

/** The same of a band, which keeps its lowest below and its highest above, both sides at the same moments. */
export function thinBand(
  x: Float64Array,
  low: Float64Array,
  high: Float64Array,
  columns: Columns,
): { low: Spot[]; high: Spot[] } {
  const kept = keptIndexes(x, low, high, columns);
  return { low: pick(x, low, kept), high: pick(x, high, kept) };
}

const pick = (x: Float64Array, y: Float64Array, indexes: readonly number[]): Spot[] =>
  indexes.map((index) => ({ x: x[index] ?? Number.NaN, y: y[index] ?? Number.NaN }));

/**
 * Indexes, ascending, of what stays of a line that is as low as `low` and as high as `high`. A plain loop over plain
 * numbers, so that ten thousand spots take little time before anything is optimised.
 */
function keptIndexes(
  x: Float64Array,
  low: Float64Array,
  high: Float64Array,
  { from, to, pixels }: Columns,
): number[] {
  const perMs = pixels / (to - from);
  if (!(perMs > 0 && perMs < Number.POSITIVE_INFINITY) || x.length <= pixels) {
    return Array.from(x, (_, index) => index);
  }
  const kept: number[] = [];
  const keep = (index: number): void => {
    if (index > (kept.at(-1) ?? -1)) kept.push(index);
  };
  // The part of a column that is gone through.
  let lowest = -1;
  let highest = -1;
  let column = 0;
  const endColumn = (): void => {
    if (lowest < 0) return;
    keep(Math.min(lowest, highest));
    keep(Math.max(lowest, highest));
    lowest = -1;
  };
  let isBroken = true;
  for (let index = 0; index < x.length; index += 1) {
    const lower = low[index] as number;
    const higher = high[index] as number;
    if (Number.isNaN(lower) || Number.isNaN(higher)) {
      endColumn();
      if (!isBroken || index === 0) {
        if (index > 0) keep(index - 1);
        keep(index);
      }
      isBroken = true;
      continue;
    }
    const own = Math.floor(((x[index] as number) - from) * perMs);
    if (own !== column) endColumn();
    if (isBroken) keep(index);
    isBroken = false;
    if (lowest < 0) {
      lowest = index;
      highest = index;
      column = own;
      continue;
    }
    if (lower < (low[lowest] as number)) lowest = index;
    if (higher > (high[highest] as number)) highest = index;
  }
  endColumn();
  if (!isBroken) keep(x.length - 1);
  return kept;
}
