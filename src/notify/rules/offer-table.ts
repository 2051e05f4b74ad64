import type { RuleOffer } from '../../db/notify/rule-offers.ts';
import { type Blocklist, isListed } from '../../domain/blocklist.ts';
import type { RankingFigure, UsageProfile } from '../../domain/metric.ts';
import type { WatchFilters } from '../../domain/watch.ts';
import { figureColumn, type NumberColumns, readNumbers } from './figure-column.ts';
import { atLeastOf, createNumberIndex, type NumberCondition, type NumberIndex } from './number-index.ts';

/** The offers of a book by column, so that thousands of watches can be held against them. */
export interface OfferTable {
  offers: readonly RuleOffer[];
  /** 1: missing in the book and not yet gone. */
  missing: Uint8Array;
  /** 1: a joke price, which is no best price. */
  joke: Uint8Array;
  hasDlperf: boolean;
  /** The offers that match; its sets are good until the next call. */
  match: (filters: WatchFilters, storageGb: number) => Matches;
  /** The figure of each place, NaN: it has none; and the places that have one, the lowest first. */
  figures: (by: RankingFigure, profile: UsageProfile) => Figures;
}

/** A set of places. */
export interface Matches {
  has: (place: number) => boolean;
  isEmpty: boolean;
  /** Ascending. */
  places: () => Uint32Array;
  /** How many there are, and how many of them are not missing. */
  counts: () => { held: number; there: number };
}

export interface Figures {
  values: Float64Array;
  order: Uint32Array;
}

const megabytesPerGb = 1000;
const mostKept = 2_000;
const mostFigures = 64;

/** Arranges offers; blocked machines and hosts match nothing. `isJoke` judges each offer once. */
export function createOfferTable(
  offers: readonly RuleOffer[],
  isJoke: (offer: RuleOffer) => boolean,
  blocklist: Blocklist,
): OfferTable {
  const size = offers.length;
  const words = Math.ceil(size / 32);
  const numbers = readNumbers(offers);
  const sets = new Map<string, Uint32Array>();
  const places = new Map<string, Map<unknown, number[]>>();
  const indexes = new Map<string, NumberIndex>();
  const figures = new Map<string, Figures>();
  const scratch = new Uint32Array(words);
  const setOf = (holds: (offer: RuleOffer) => boolean): Uint32Array => {
    const bits = new Uint32Array(words);
    for (const [at, offer] of offers.entries()) {
      if (holds(offer)) bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
    }
    return bits;
  };
  const all = setOf(() => true);
  const placesBy = <T>(name: string, read: (offer: RuleOffer) => T | null) =>
    kept(places, mostFigures, name, () => Map.groupBy(offers.keys(), (at) => read(offers[at] as RuleOffer)));
  /** Made of the places of the values alone: thousands of watches name machines of their own. */
  const setAmong = <T>(
    name: string,
    values: readonly T[],
    read: (offer: RuleOffer) => T | null,
    wanted: boolean,
  ): Uint32Array =>
    kept(sets, mostKept, `${wanted} ${name} ${values.join('|')}`, () => {
      const bits = wanted ? new Uint32Array(words) : all.slice();
      const byValue = placesBy(name, read);
      for (const value of new Set<T>(values)) {
        for (const at of byValue.get(value) ?? []) bits[at >>> 5] = (bits[at >>> 5] ?? 0) ^ (1 << (at & 31));
      }
      return bits;
    });
  const indexOf = (key: string, read: () => Float64Array): NumberIndex =>
    kept(indexes, mostFigures, key, () => createNumberIndex(read()));
  const allowed = setOf((offer) => !isListed(blocklist.block, offer));
  const there = setOf((offer) => !offer.missing);

  const match = (filters: WatchFilters, storageGb: number): Matches => {
    const masks = [allowed];
    const conditions: (NumberCondition | null)[] = [];
    const list = <T>(
      name: string,
      values: readonly T[] | undefined,
      read: (offer: RuleOffer) => T | null,
      wanted = true,
    ) => {
      if (values !== undefined && values.length > 0) masks.push(setAmong(name, values, read, wanted));
    };
    list('gpuName', filters.gpuName, (offer) => offer.gpuName);
    list('type', filters.type?.length ? filters.type : (['on-demand'] as const), (offer) => offer.type);
    list('numGpus', filters.numGpus, (offer) => offer.numGpus);
    list('verification', filters.verification, (offer) => offer.verification);
    list('country', filters.country, (offer) => offer.country);
    list('machineId', filters.machineId, (offer) => offer.machineId);
    list('hostId', filters.hostId, (offer) => offer.hostId);
    list('machineId', filters.excludeMachineId, (offer) => offer.machineId, false);
    list('hostId', filters.excludeHostId, (offer) => offer.hostId, false);
    const { datacenter, staticIp, minVramGb, maxUsdPerHour } = filters;
    if (datacenter !== undefined) list('datacenter', [datacenter], (offer) => offer.datacenter);
    if (staticIp !== undefined) list('staticIp', [staticIp], (offer) => offer.staticIp);
    const least = (name: keyof NumberColumns, limit: number | undefined) => {
      if (limit !== undefined)
        conditions.push(
          atLeastOf(
            indexOf(name, () => numbers[name]),
            limit,
          ),
        );
    };
    least('reliability', filters.minReliability);
    least('gpuRamMb', minVramGb === undefined ? undefined : minVramGb * megabytesPerGb);
    least('cudaMaxGood', filters.minCuda);
    least('diskSpaceGb', filters.minDiskGb);
    least('inetDown', filters.minInetDown);
    least('inetUp', filters.minInetUp);
    if (maxUsdPerHour !== undefined) {
      // At most a limit is at least its negative.
      const negative = () => figureColumn(numbers, 'usdPerHour', { storageGb }).map((price) => -price);
      conditions.push(atLeastOf(indexOf(`price ${storageGb}`, negative), -maxUsdPerHour));
    }
    const isEmpty = conditions.includes(null) || !intersect(scratch, masks, conditions as NumberCondition[]);
    if (isEmpty) scratch.fill(0);
    return {
      isEmpty,
      has: (place) => (((scratch[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1,
      places: () => placesOf(scratch, size),
      counts: () => ({ held: countOf(scratch, scratch), there: countOf(scratch, there) }),
    };
  };
  return {
    ...{ offers, match },
    missing: Uint8Array.from(offers, (offer) => (offer.missing ? 1 : 0)),
    joke: Uint8Array.from(offers, (offer) => (isJoke(offer) ? 1 : 0)),
    hasDlperf: offers.some(({ dlperf }) => dlperf !== null && dlperf > 0),
    figures: (by, profile) =>
      kept(figures, mostFigures, `${by} ${Object.values(profile).join(' ')}`, () => {
        const values = figureColumn(numbers, by, profile);
        const known = Uint32Array.from(values.keys()).filter((at) => !Number.isNaN(values[at]));
        // Of equal offers the first listing is the best.
        const order = known.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
        return { values, order };
      }),
  };
}

function kept<T>(map: Map<string, T>, most: number, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (map.size < most) map.set(key, made);
  return made;
}

/**
 * Intersects sets, looking at numbers only where the sets leave a doubt; false: nothing is left. A set at a time:
 * loops over nothing but two arrays are several times faster than one over all of them.
 */
function intersect(
  into: Uint32Array,
  masks: readonly Uint32Array[],
  conditions: readonly NumberCondition[],
): boolean {
  into.fill(0xffff_ffff);
  for (const mask of masks) keepCommon(into, mask);
  for (const { maybe } of conditions) keepCommon(into, maybe);
  for (const condition of conditions) dropBelow(into, condition);
  return into.some((word) => word !== 0);
}

function keepCommon(into: Uint32Array, mask: Uint32Array): void {
  for (let word = 0; word < into.length; word += 1) into[word] = (into[word] ?? 0) & (mask[word] ?? 0);
}

function dropBelow(into: Uint32Array, { column, atLeast, surely }: NumberCondition): void {
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
function countOf(one: Uint32Array, other: Uint32Array): number {
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

function placesOf(bits: Uint32Array, size: number): Uint32Array {
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
