/** Returns how many of some ascending values are below a limit, which is also the index of the first that is not. */
export function countBelow(values: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
