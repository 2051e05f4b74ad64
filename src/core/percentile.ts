/** The linearly interpolated percentile of ascending values, as percentile_cont has it; null: there are none. */
export function percentileCont(ascending: ArrayLike<number>, share: number): number | null {
  const last = ascending.length - 1;
  if (last < 0) return null;
  const place = share * last;
  const [below, above] = [ascending[Math.floor(place)] ?? 0, ascending[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
}

/** The median of values in any order; null: there are none. */
export const medianOf = (values: readonly number[]): number | null =>
  percentileCont(
    [...values].sort((a, b) => a - b),
    0.5,
  );
