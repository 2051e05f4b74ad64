/**
 * A number in [0, 1) that only depends on the seed, its purpose and up to two numbers. The whole market is built from
 * these, so any moment can be computed without earlier ones.
 */
export type Chance = (purpose: number, a: number, b?: number) => number;

/** Returns the random source of a seed: the same arguments give the same number in every process. */
export function createChance(seed: number): Chance {
  const start = mix(seed | 0, Math.floor(seed / 2 ** 32) | 0);
  return (purpose, a, b = 0) => finish(mix(mix(mix(start, purpose), a | 0), b | 0)) / 2 ** 32;
}

/** Returns an integer for a word, to name a purpose. */
export function purposeOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  }
  return finish(hash) | 0;
}

/** A one-to-one scrambling of the integers below 2^bits (at most 30 bits): ids look arbitrary and never collide. */
export function createScramble(seed: number, bits: number): (value: number) => number {
  const mask = 2 ** bits - 1;
  const half = Math.max(1, Math.ceil(bits / 2));
  const add = finish(mix(seed | 0, 0x51ed270b)) & mask;
  return (value) => {
    let x = (Math.imul(value, 0x2c1b3c6d) + add) & mask;
    x ^= x >>> half;
    x = Math.imul(x, 0x297a2d39) & mask;
    return x ^ (x >>> half);
  };
}

/** Picks one of `items` by their weights; `at` is in [0, 1). */
export function pickWeighted<T>(items: readonly (readonly [item: T, weight: number])[], at: number): T {
  const total = items.reduce((sum, [, weight]) => sum + weight, 0);
  let left = at * total;
  for (const [item, weight] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  const last = items.at(-1);
  if (last === undefined) throw new Error('nothing to pick from');
  return last[0];
}

/** Picks one of `items` with equal probability; `at` is in [0, 1). */
export function pickOne<T>(items: readonly T[], at: number): T {
  const item = items[Math.floor(at * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** A number from `low` to `high`, evenly on a logarithmic scale; `at` is in [0, 1). */
export const logBetween = (low: number, high: number, at: number): number => low * (high / low) ** at;

/** A number from `low` to `high`, evenly; `at` is in [0, 1). */
export const between = (low: number, high: number, at: number): number => low + (high - low) * at;

function mix(hash: number, value: number): number {
  const scrambled = Math.imul(value, 0xcc9e2d51);
  const turned = Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593) ^ hash;
  return (Math.imul((turned << 13) | (turned >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number): number {
  let x = hash ^ (hash >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
