/**
 * What one UTC day shows of one model's listings: an entry a listing, in the order of machine, number of GPUs and ordinal.
 * Columns of equal length. Source: docs/meaning.md#like-for-like-index.
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
  /** Prices of 0 or less, once for each book: they are no observations. */
  pricesLeftOut: number;
}

/** Columns for so many entries. */
export const createDayObservations = (length: number): DayObservations => ({
  machineIds: new Float64Array(length),
  numGpus: new Int32Array(length),
  ordinals: new Int32Array(length),
  hostIds: new Float64Array(length),
  logPrices: new Float64Array(length),
  differs: new Uint8Array(length),
  pricesLeftOut: 0,
});
