import { type Chance, logBetween, purposeOf } from './chance.ts';
import { dayS, epochAt } from './epochs.ts';

/** One listing of a machine: `count` of its GPUs from `first` on. Larger chunks contain smaller ones. */
export interface Chunk {
  /** Its index among the machine's chunks, below 16. */
  ordinal: number;
  /** Unique among all chunks ever: the input of its random numbers. */
  key: number;
  /** Its place in the market, which its offer ids contain. */
  slot: number;
  first: number;
  count: number;
  /** Its price per GPU relative to the machine's, around 1. */
  priceFactor: number;
  /** How long one of its ids lives. */
  idLifeS: number;
  idPhase: number;
}

/** Maximum number of chunks of a machine, as bits. */
export const chunkBits = 4;

const p = {
  wholeOnly: purposeOf('whole machine only'),
  smallest: purposeOf('smallest chunk'),
  twin: purposeOf('twin chunk'),
  twinPrice: purposeOf('twin price'),
  surcharge: purposeOf('small chunk surcharge'),
  idLife: purposeOf('id life'),
  idLength: purposeOf('id length'),
  idPhase: purposeOf('id phase'),
};

const shareWholeOnly = 0.3;
const shareWithTwin = 0.2;
const shareTwinPricedApart = 0.4;
const shareShortIds = 0.5;

/** Returns how a machine with this many GPUs is listed: as a whole, and by powers of two down to its host's minimum. */
export function cutIntoChunks(chance: Chance, machineKey: number, place: number, numGpus: number): Chunk[] {
  const wholeOnly = numGpus > 1 && chance(p.wholeOnly, machineKey) < shareWholeOnly;
  const smallest = wholeOnly ? numGpus : 2 ** Math.floor(chance(p.smallest, machineKey) * 2.3);
  const surcharge = chance(p.surcharge, machineKey) < 0.25 ? 1.05 : 1;
  const chunks: Chunk[] = [];
  const add = (first: number, count: number, priceFactor: number) => {
    const ordinal = chunks.length;
    chunks.push(makeChunk(chance, machineKey, place, ordinal, { first, count, priceFactor }));
  };
  add(0, numGpus, 1);
  for (let count = 2 ** Math.ceil(Math.log2(numGpus) - 1); count >= smallest; count /= 2) {
    add(0, count, surcharge);
    if (count * 2 <= numGpus && chance(p.twin, machineKey, count) < shareWithTwin) {
      const apart = chance(p.twinPrice, machineKey, count);
      add(count, count, apart < shareTwinPricedApart ? surcharge * (1.03 + apart / 4) : surcharge);
    }
  }
  return chunks;
}

function makeChunk(
  chance: Chance,
  machineKey: number,
  place: number,
  ordinal: number,
  cut: { first: number; count: number; priceFactor: number },
): Chunk {
  const key = machineKey * 2 ** chunkBits + ordinal;
  const length = chance(p.idLength, key);
  return {
    ordinal,
    key,
    slot: place * 2 ** chunkBits + ordinal,
    ...cut,
    // At least a day: two ids of a chunk must begin on different days.
    idLifeS: (chance(p.idLife, key) < shareShortIds ? 1 + 0.5 * length : logBetween(15, 60, length)) * dayS,
    idPhase: chance(p.idPhase, key),
  };
}

/** Returns when the chunk's id of that moment began. */
export function idStartS(chunk: Chunk, machineBornAtS: number, atS: number): number {
  return Math.max(machineBornAtS, epochAt(atS, chunk.idLifeS, chunk.idPhase).startS);
}
