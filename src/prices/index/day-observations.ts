/**
 * One model's listings on one UTC day: an entry per listing, ordered by machine, number of GPUs and ordinal. Columns
 * have equal length. Source: docs/meaning.md#like-for-like-index.
 */
export interface DayObservations {
  machineIds: Float64Array;
  numGpus: Int32Array;
  ordinals: Int32Array;
  /** -1: unknown. */
  hostIds: Float64Array;
  /** Mean of ln usdPerGpuHour over the day's books that held the listing; NaN: it had no price above 0. */
  logPrices: Float64Array;
  /** 1: listings of this machine and size, which differ only in their ordinal, had different prices in one book. */
  differs: Uint8Array;
  /** Prices of 0 or less, once per book, which are not observations. */
  pricesLeftOut: number;
}

/** Returns columns for this many entries. */
export const createDayObservations = (length: number): DayObservations => ({
  machineIds: new Float64Array(length),
  numGpus: new Int32Array(length),
  ordinals: new Int32Array(length),
  hostIds: new Float64Array(length),
  logPrices: new Float64Array(length),
  differs: new Uint8Array(length),
  pricesLeftOut: 0,
});
