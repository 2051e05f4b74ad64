import type { RuleOffer } from '../../db/notify/rule-offers.ts';
import { type Blocklist, isListed } from '../../domain/blocklist.ts';
import type { RankingFigure, UsageProfile } from '../../domain/metric.ts';
import type { WatchFilters } from '../../domain/watch.ts';

const numberColumns = [
  'reliability',
  'gpuRamMb',
  'cudaMaxGood',
  'diskSpaceGb',
  'inetDown',
  'inetUp',
  'dlperf',
  'totalTflops',
  'baseUsdPerHour',
  'storageUsdPerGbMonth',
  'inetDownUsdPerGb',
  'inetUpUsdPerGb',
  'numGpus',
] as const;
type NumberColumn = (typeof numberColumns)[number];

/** The offers of a book by column, so that thousands of watches can be held against them. */
export interface OfferTable {
  offers: readonly RuleOffer[];
  /** NaN: unknown. */
  numbers: Readonly<Record<NumberColumn, Float64Array>>;
  /** 1: missing in the book and not yet gone. */
  missing: Uint8Array;
  /** 1: a joke price, which is no best price. */
  joke: Uint8Array;
  hasDlperf: boolean;
  /** The places of the offers that match, ascending. */
  match: (filters: WatchFilters, storageGb: number) => Uint32Array;
}

interface NumberCondition {
  column: Float64Array;
  atLeast: number;
}

const hoursPerMonth = 720;
const megabytesPerGb = 1000;
const mostKeptSets = 2_000;

/** Arranges offers; blocked machines and hosts match nothing. `isJoke` judges each offer once. */
export function createOfferTable(
  offers: readonly RuleOffer[],
  isJoke: (offer: RuleOffer) => boolean,
  blocklist: Blocklist,
): OfferTable {
  const size = offers.length;
  const numbers = Object.fromEntries(
    numberColumns.map((name) => [name, Float64Array.from(offers, (offer) => offer[name] ?? Number.NaN)]),
  ) as Record<NumberColumn, Float64Array>;
  // No price is divided by nothing.
  for (const name of ['dlperf', 'gpuRamMb', 'totalTflops'] as const) {
    const column = numbers[name];
    for (let at = 0; at < size; at += 1) if (column[at] === 0) column[at] = Number.NaN;
  }
  const ramOrNothing = Float64Array.from(offers, (offer) => offer.gpuRamMb ?? Number.NaN);
  const words = Math.ceil(size / 32);
  const sets = new Map<string, Uint32Array>();
  const setOf = (key: string, holds: (offer: RuleOffer) => boolean): Uint32Array => {
    const known = sets.get(key);
    if (known !== undefined) return known;
    const bits = new Uint32Array(words);
    for (let at = 0; at < size; at += 1) {
      const offer = offers[at];
      if (offer !== undefined && holds(offer)) bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
    }
    if (sets.size < mostKeptSets) sets.set(key, bits);
    return bits;
  };
  const allowed = setOf('allowed', (offer) => !isListed(blocklist.block, offer));

  const match = (filters: WatchFilters, storageGb: number): Uint32Array => {
    const masks = [allowed];
    const oneOf = <T>(
      name: string,
      values: readonly T[] | undefined,
      read: (offer: RuleOffer) => T | null,
    ) => {
      if (values === undefined || values.length === 0) return;
      const wanted = new Set<T | null>(values);
      masks.push(setOf(`${name} ${values.join('|')}`, (offer) => wanted.has(read(offer))));
    };
    const noneOf = <T>(
      name: string,
      values: readonly T[] | undefined,
      read: (offer: RuleOffer) => T | null,
    ) => {
      if (values === undefined || values.length === 0) return;
      const unwanted = new Set<T | null>(values);
      masks.push(setOf(`no ${name} ${values.join('|')}`, (offer) => !unwanted.has(read(offer))));
    };
    oneOf('gpuName', filters.gpuName, (offer) => offer.gpuName);
    oneOf(
      'type',
      filters.type === undefined || filters.type.length === 0 ? ['on-demand'] : filters.type,
      (offer) => offer.type,
    );
    oneOf('numGpus', filters.numGpus, (offer) => offer.numGpus);
    oneOf('verification', filters.verification, (offer) => offer.verification);
    oneOf('country', filters.country, (offer) => offer.country);
    oneOf('machineId', filters.machineId, (offer) => offer.machineId);
    oneOf('hostId', filters.hostId, (offer) => offer.hostId);
    noneOf('machineId', filters.excludeMachineId, (offer) => offer.machineId);
    noneOf('hostId', filters.excludeHostId, (offer) => offer.hostId);
    const { datacenter, staticIp } = filters;
    if (datacenter !== undefined) oneOf('datacenter', [datacenter], (offer) => offer.datacenter);
    if (staticIp !== undefined) oneOf('staticIp', [staticIp], (offer) => offer.staticIp);
    const conditions: NumberCondition[] = [];
    const atLeast = (column: Float64Array, limit: number | undefined) => {
      if (limit !== undefined) conditions.push({ column, atLeast: limit });
    };
    atLeast(numbers.reliability, filters.minReliability);
    atLeast(ramOrNothing, filters.minVramGb === undefined ? undefined : filters.minVramGb * megabytesPerGb);
    atLeast(numbers.cudaMaxGood, filters.minCuda);
    atLeast(numbers.diskSpaceGb, filters.minDiskGb);
    atLeast(numbers.inetDown, filters.minInetDown);
    atLeast(numbers.inetUp, filters.minInetUp);
    return gather({ masks, conditions, numbers, size, maxUsdPerHour: filters.maxUsdPerHour, storageGb });
  };
  return {
    ...{ offers, numbers, match },
    missing: Uint8Array.from(offers, (offer) => (offer.missing ? 1 : 0)),
    joke: Uint8Array.from(offers, (offer) => (isJoke(offer) ? 1 : 0)),
    hasDlperf: offers.some(({ dlperf }) => dlperf !== null && dlperf > 0),
  };
}

interface Gathering {
  masks: readonly Uint32Array[];
  conditions: readonly NumberCondition[];
  numbers: OfferTable['numbers'];
  size: number;
  maxUsdPerHour: number | undefined;
  storageGb: number;
}

/** Intersects the sets word by word, then looks at the numbers of what is left. */
function gather({ masks, conditions, numbers, size, maxUsdPerHour, storageGb }: Gathering): Uint32Array {
  const found = new Uint32Array(size);
  const { baseUsdPerHour, storageUsdPerGbMonth } = numbers;
  const words = masks[0]?.length ?? 0;
  let count = 0;
  for (let word = 0; word < words; word += 1) {
    let bits = 0xffff_ffff;
    for (const mask of masks) bits &= mask[word] ?? 0;
    while (bits !== 0) {
      const low = bits & -bits;
      const at = (word << 5) + (31 - Math.clz32(low));
      bits ^= low;
      let holds = true;
      for (const { column, atLeast } of conditions) {
        // Unknown is NaN, which is not at least anything.
        if (!((column[at] ?? Number.NaN) >= atLeast)) {
          holds = false;
          break;
        }
      }
      if (!holds) continue;
      if (maxUsdPerHour !== undefined) {
        const price =
          (baseUsdPerHour[at] ?? Number.NaN) +
          ((storageUsdPerGbMonth[at] ?? Number.NaN) * storageGb) / hoursPerMonth;
        if (!(price <= maxUsdPerHour)) continue;
      }
      found[count] = at;
      count += 1;
    }
  }
  return found.subarray(0, count);
}

/** A function that gives the figure of the offer in a place; NaN: it has none. The same as domain's `rankingValue`. */
export function figureOf(
  { numbers }: OfferTable,
  by: RankingFigure,
  profile: UsageProfile,
): (at: number) => number {
  const { storageGb, downGb, upGb, runningHours, stoppedHours } = profile;
  const {
    baseUsdPerHour: base,
    storageUsdPerGbMonth: storage,
    numGpus,
    dlperf,
    gpuRamMb,
    totalTflops,
  } = numbers;
  const { inetDownUsdPerGb: down, inetUpUsdPerGb: up } = numbers;
  const nan = Number.NaN;
  const price = (at: number): number =>
    (base[at] ?? nan) + ((storage[at] ?? nan) * storageGb) / hoursPerMonth;
  switch (by) {
    case 'usdPerGpuHour':
      return (at) => price(at) / (numGpus[at] ?? nan);
    case 'usdPerDlperfHour':
      return (at) => price(at) / (dlperf[at] ?? nan);
    case 'usdPerGbVramHour':
      return (at) => price(at) / (((gpuRamMb[at] ?? nan) / megabytesPerGb) * (numGpus[at] ?? nan));
    case 'usdPerTflopHour':
      return (at) => price(at) / (totalTflops[at] ?? nan);
    case 'allInUsdPerHour':
      return (at) => {
        const running = (base[at] ?? nan) * runningHours;
        const disk = (((storage[at] ?? nan) * storageGb) / hoursPerMonth) * (runningHours + stoppedHours);
        return (running + disk + (down[at] ?? nan) * downGb + (up[at] ?? nan) * upGb) / runningHours;
      };
  }
}
