/** A number in [0, 1). */
export type Random = () => number;

/** Returns a random item. Throws if there are none. */
export function pick<T>(items: readonly T[], random: Random): T {
  if (items.length === 0) throw new Error('nothing to pick from');
  return items[Math.floor(random() * items.length)] as T;
}
