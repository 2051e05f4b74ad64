import { createScramble } from './chance.ts';
import { chunkBits } from './chunks.ts';
import { dayS } from './epochs.ts';

const firstDay = Date.UTC(2021, 0, 1) / 1000 / dayS;
const days = 4096;

/**
 * Ids of offers in a market with this many machines: the day an id began, then the chunk. Newer ids are higher, and
 * within eleven years none is reused for another chunk. Below 2^31 up to about 25,000 offers per type.
 */
export function createOfferIds(seed: number, machines: number): (slot: number, startS: number) => number {
  const bits = Math.max(1, Math.ceil(Math.log2(machines))) + chunkBits;
  const scramble = createScramble(seed + 3, bits);
  return (slot, startS) => {
    const day = Math.floor(startS / dayS) - firstDay;
    return (((day % days) + days) % days) * 2 ** bits + 1 + scramble(slot);
  };
}
