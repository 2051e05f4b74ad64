import type { NumberCondition } from './number-index.ts';

/** The places of a book's offers that match a watch. */
export interface Matches {
  has: (place: number) => boolean;
  /** It is known that none does. */
  isNone: () => boolean;
  /** Ascending. */
  places: () => Uint32Array;
  /** How many there are, and how many of them are not missing. */
  counts: () => { held: number; there: number };
}

/** What all watches of a table share. */
export interface MatchRoom {
  /** Where matches are worked out: good for one watch at a time. */
  scratch: Int32Array;
  /** How many places there are. */
  size: number;
  /** Places that are not missing. */
  there: Int32Array;
}

/** The best of a watch is mostly among the first places that are asked for: all are worked out after so many. */
const askedOneByOne = 256;

/** Places that are in all sets and fulfil all conditions. */
export function createMatches(
  { scratch, size, there }: MatchRoom,
  masks: readonly Int32Array[],
  conditions: readonly NumberCondition[],
): Matches {
  let asked = 0;
  let isNone: boolean | null = null;
  const workOut = (): Int32Array => {
    isNone ??= !intersect(scratch, masks, conditions);
    return scratch;
  };
  return {
    has: (place) => {
      if (isNone === null && asked < askedOneByOne) {
        asked += 1;
        return holdsAt(place, masks, conditions);
      }
      return isIn(workOut(), place);
    },
    isNone: () => isNone === true,
    places: () => placesOf(workOut(), size),
    counts: () => ({ held: countOf(workOut(), scratch), there: countOf(workOut(), there) }),
  };
}

const isIn = (set: Int32Array, place: number): boolean =>
  (((set[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1;

function holdsAt(
  place: number,
  masks: readonly Int32Array[],
  conditions: readonly NumberCondition[],
): boolean {
  for (const mask of masks) if (!isIn(mask, place)) return false;
  for (const { column, atLeast, maybe, surely } of conditions) {
    if (!isIn(maybe, place)) return false;
    if (surely !== null && isIn(surely, place)) continue;
    if (!((column[place] ?? Number.NaN) >= atLeast)) return false;
  }
  return true;
}

/** Intersects sets, looking at numbers only where the sets leave a doubt; false: nothing is left. */
function intersect(
  into: Int32Array,
  masks: readonly Int32Array[],
  conditions: readonly NumberCondition[],
): boolean {
  const sets = [...masks, ...conditions.map(({ maybe }) => maybe)];
  into.fill(-1);
  for (let at = 0; at < sets.length; at += 3) {
    const one = sets[at] ?? into;
    keepCommon(into, one, sets[at + 1] ?? one, sets[at + 2] ?? one);
  }
  for (const condition of conditions) dropBelow(into, condition);
  return into.some((word) => word !== 0);
}

/** Three at a time: a loop over one set is hardly begun when it is over. */
function keepCommon(into: Int32Array, one: Int32Array, two: Int32Array, three: Int32Array): void {
  for (let word = 0; word < into.length; word += 1) {
    into[word] = (into[word] ?? 0) & (one[word] ?? 0) & (two[word] ?? 0) & (three[word] ?? 0);
  }
}

function dropBelow(into: Int32Array, { column, atLeast, surely }: NumberCondition): void {
  for (let word = 0; word < into.length; word += 1) {
    const bits = into[word] ?? 0;
    let doubtful = surely === null ? bits : bits & ~(surely[word] ?? 0);
    let kept = bits;
    while (doubtful !== 0) {
      const low = doubtful & -doubtful;
      const at = (word << 5) + 31 - Math.clz32(low);
      doubtful ^= low;
      if (!((column[at] ?? Number.NaN) >= atLeast)) kept ^= low;
    }
    into[word] = kept;
  }
}

/** How many places two sets have in common. */
function countOf(one: Int32Array, other: Int32Array): number {
  let count = 0;
  for (let word = 0; word < one.length; word += 1) {
    // Bits counted in pairs, then fours, then bytes, which one product adds up.
    let bits = (one[word] ?? 0) & (other[word] ?? 0);
    bits -= (bits >>> 1) & 0x5555_5555;
    bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}

function placesOf(bits: Int32Array, size: number): Uint32Array {
  const places = new Uint32Array(size);
  let count = 0;
  for (const [word, each] of bits.entries()) {
    for (let left = each; left !== 0; ) {
      const low = left & -left;
      places[count] = (word << 5) + 31 - Math.clz32(low);
      count += 1;
      left ^= low;
    }
  }
  return places.subarray(0, count);
}
