/** A number in [0, 1). */
export type Random = () => number;

/** One of the items. Throws for none. */
export function pick<T>(items: readonly T[], random: Random): T {
  if (items.length === 0) throw new Error('nothing to pick from');
  return items[Math.floor(random() * items.length)] as T;
}
