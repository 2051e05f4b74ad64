import { type Chance, createScramble, logBetween, pickWeighted, purposeOf } from './chance.ts';
import { type Chunk, cutIntoChunks } from './chunks.ts';
import { dayS, epochAt, epochIndex, hourS } from './epochs.ts';
import { type GpuModel, gpuModels } from './gpu-models.ts';
import type { Host } from './hosts.ts';

/** A machine for its whole life of some months; afterwards another with another id takes its place. */
export interface Machine {
  /** Unique among all machines ever: the input of its random numbers. */
  key: number;
  machineId: number;
  bornAtS: number;
  goneAtS: number;
  host: Host;
  model: GpuModel;
  numGpus: number;
  /** The first of its consecutive GPU ids. */
  firstGpuId: number;
  /** Its price rank among equal machines: 0 the cheapest, 1 the most expensive. */
  rank: number;
  /** The factor of that rank on its price, around 1, without the host's. */
  markup: number;
  /** How often its price, its tenants and its availability change. */
  repriceS: number;
  tenancyS: number;
  phase: number;
  chunks: readonly Chunk[];
}

const lives = 128;
const lifeBits = 7;
const p = {
  life: purposeOf('life'),
  phase: purposeOf('phase'),
  model: purposeOf('gpu model'),
  gpus: purposeOf('number of gpus'),
  spread: [1, 2, 3, 4].map((n) => purposeOf(`spread ${n}`)),
  tail: purposeOf('dear tail'),
  reprice: purposeOf('reprice length'),
  tenancy: purposeOf('tenancy length'),
  inner: purposeOf('inner phase'),
};

const gpuCounts: readonly (readonly [count: number, weight: number])[] = [
  [1, 40],
  [2, 20],
  [3, 2],
  [4, 17],
  [5, 1],
  [6, 2.5],
  [8, 15],
  [10, 1],
  [12, 0.8],
  [16, 0.5],
];

/** Days between two prices; the mean of their inverses is the share repriced in a day: 0.11. */
const repriceDays = [4, 8, 12, 20, 40];
const weightedModels = gpuModels.map((model) => [model, model.weight] as const);

/**
 * The machines of a market with `count` places: `at(place, moment)` returns the machine there. A life begins at
 * midnight UTC, so that ids containing the day they began never pass to the next machine.
 */
export function createMachines(
  seed: number,
  chance: Chance,
  count: number,
  ownerOf: (machineKey: number) => Host,
): { at(place: number, atS: number): Machine } {
  const placeBits = Math.max(1, Math.ceil(Math.log2(count)));
  const scramble = createScramble(seed, placeBits + lifeBits);
  const known: (Machine | undefined)[] = new Array(count);
  return {
    at(place, atS) {
      const last = known[place];
      if (last !== undefined && atS >= last.bornAtS && atS < last.goneAtS) return last;
      const machine = makeMachine(chance, place, atS, placeBits, scramble, ownerOf);
      known[place] = machine;
      return machine;
    },
  };
}

function makeMachine(
  chance: Chance,
  place: number,
  atS: number,
  placeBits: number,
  scramble: (value: number) => number,
  ownerOf: (machineKey: number) => Host,
): Machine {
  const lifeDays = Math.round(logBetween(120, 400, chance(p.life, place)));
  const phaseDays = Math.floor(chance(p.phase, place) * lifeDays);
  // Half a day keeps the division of two integers from landing just below a boundary.
  const dayIndex = Math.floor(atS / dayS);
  const life = epochIndex(dayIndex + 0.5 + phaseDays, lifeDays, 0);
  const bornAtS = (life * lifeDays - phaseDays) * dayS;
  const key = (((life % lives) + lives) % lives) * 2 ** placeBits + place;
  const model = pickWeighted(weightedModels, chance(p.model, key));
  const numGpus = Math.min(model.maxGpus, pickWeighted(gpuCounts, chance(p.gpus, key)));
  const spread = p.spread.reduce((sum, purpose) => sum + chance(purpose, key), -2) * Math.sqrt(3);
  const tail = chance(p.tail, key);
  return {
    key,
    machineId: 1 + scramble(key),
    bornAtS,
    goneAtS: bornAtS + lifeDays * dayS,
    host: ownerOf(key),
    model,
    numGpus,
    firstGpuId: 16 * (1 + scramble(key)),
    rank: 1 / (1 + Math.exp(-1.7 * spread)),
    markup: Math.exp(0.24 * spread) * (tail < 0.06 ? 1.4 + 25 * tail : 1),
    repriceS: (repriceDays[Math.floor(chance(p.reprice, key) * repriceDays.length)] ?? 12) * dayS,
    tenancyS: logBetween(4, 30, chance(p.tenancy, key)) * hourS,
    phase: chance(p.inner, key),
    chunks: cutIntoChunks(chance, key, place, numGpus),
  };
}

/** Returns the days in which a machine's price stays the same. */
export const priceEpoch = (machine: Machine, atS: number) => epochAt(atS, machine.repriceS, machine.phase);
