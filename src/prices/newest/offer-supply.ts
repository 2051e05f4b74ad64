import type { CurrentOffer } from './offers.sql.ts';

/** What some offers of a book supply. */
export interface OfferSupply {
  offers: number;
  /** As listed, so that overlapping offers each count. */
  gpus: number;
  /** Different machines. */
  machines: number;
}

/** Returns what offers supply. Source: docs/meaning.md#points-and-percentiles. */
export const supplyOf = (offers: readonly CurrentOffer[]): OfferSupply => ({
  offers: offers.length,
  gpus: offers.reduce((sum, { numGpus }) => sum + numGpus, 0),
  machines: new Set(offers.map(({ machineId }) => machineId)).size,
});
