/**
 * Spans of books over which an offer did not change, in columns: entry i is one span. Books are ordinals on a time
 * axis; `first` and `last` are inclusive.
 */
export interface SpanColumns {
  length: number;
  first: Int32Array;
  last: Int32Array;
  /** The price; NaN: unknown, the offer counts without a price. */
  value: Float64Array;
  gpuModelId: Int16Array;
  numGpus: Int16Array;
  /** -1: the market did not say. */
  verificationTierId: Int16Array;
  machineId: Float64Array;
  /** Index in `gpuIdSets`; -1: the market lists none. */
  gpuIdSet: Int32Array;
  gpuIdSets: (readonly string[])[];
  /** The listing's ordinal, from 1; 0: not requested. */
  ordinal: Int16Array;
  /** NaN: unknown or not requested. */
  hostId: Float64Array;
  /** null: not requested. */
  offers: SpanOffers | null;
}

/** Additional columns about each span's offer, in the same order. */
export interface SpanOffers {
  /** The listing's id. */
  listing: Int32Array;
  baseUsdPerHour: Float64Array;
  /** $/GPU/hour at the listed 8 GB; NaN: the price of storage is unknown. */
  listedUsdPerGpuHour: Float64Array;
}

/** Creates empty columns for up to `capacity` spans. */
export function createSpanColumns(capacity: number): SpanColumns {
  return {
    length: 0,
    first: new Int32Array(capacity),
    last: new Int32Array(capacity),
    value: new Float64Array(capacity),
    gpuModelId: new Int16Array(capacity),
    numGpus: new Int16Array(capacity),
    verificationTierId: new Int16Array(capacity),
    machineId: new Float64Array(capacity),
    gpuIdSet: new Int32Array(capacity),
    gpuIdSets: [],
    ordinal: new Int16Array(capacity),
    hostId: new Float64Array(capacity).fill(Number.NaN),
    offers: null,
  };
}

/** Creates additional columns for up to `capacity` spans. */
export const createSpanOffers = (capacity: number): SpanOffers => ({
  listing: new Int32Array(capacity),
  baseUsdPerHour: new Float64Array(capacity),
  listedUsdPerGpuHour: new Float64Array(capacity),
});

/** Indexes of some spans, such as those of one cell. */
export type Picked = Int32Array;

/** Returns the indexes of all spans. */
export function pickAll({ length }: SpanColumns): Picked {
  return Int32Array.from({ length }, (_, index) => index);
}

/** Groups the indexes of the spans by a number that identifies their cell. */
export function pickBy({ length }: SpanColumns, cellOf: (index: number) => number): Map<number, Picked> {
  const cells = new Float64Array(length);
  const sizes = new Map<number, number>();
  for (let index = 0; index < length; index += 1) {
    const cell = cellOf(index);
    cells[index] = cell;
    sizes.set(cell, (sizes.get(cell) ?? 0) + 1);
  }
  const picked = new Map([...sizes].map(([cell, size]) => [cell, { places: new Int32Array(size), at: 0 }]));
  for (let index = 0; index < length; index += 1) {
    const entry = picked.get(cells[index] as number);
    if (entry === undefined) continue;
    entry.places[entry.at] = index;
    entry.at += 1;
  }
  return new Map([...picked].map(([cell, { places }]) => [cell, places]));
}
