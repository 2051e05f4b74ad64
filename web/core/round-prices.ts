/** Returns at most this many round prices between two. */
export function roundPrices(min: number, max: number, most: number): number[] {
  const least = (max - min) / most;
  if (!(least > 0)) return [min];
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5].find((each) => each * power >= least) ?? 10) * power;
  const first = Math.ceil(min / step);
  return Array.from({ length: Math.floor(max / step) - first + 1 }, (_, place) => (first + place) * step);
}
