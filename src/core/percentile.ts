/**
 * Returns the linearly interpolated percentile of ascending values, like PostgreSQL's percentile_cont; null for an
 * empty list.
 */
export function percentileCont(ascending: ArrayLike<number>, share: number): number | null {
  const last = ascending.length - 1;
  if (last < 0) return null;
  const place = share * last;
  const [below, above] = [ascending[Math.floor(place)] ?? 0, ascending[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
}

/** Returns the median of values in any order; null for an empty list. */
export const medianOf = (values: readonly number[]): number | null =>
  percentileCont(
    [...values].sort((a, b) => a - b),
    0.5,
  );
