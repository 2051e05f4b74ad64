const day = Math.floor(Date.now() / 86_400_000);

/** `npm test` runs a share of what takes longest, another one each day; a file that is named runs whole, as all does with `SHARD=1/1`. */
const isShared = process.env.npm_lifecycle_event === 'test' && process.env.SHARD !== '1/1';

/** Returns every `of`th of the items, from another one each day, so that each had its turn after `of` days; all: nothing is shared. */
export function shareOfToday<T>(items: readonly T[], of: number): T[] {
  return isShared ? items.filter((_, index) => (index + day) % of === 0) : [...items];
}
