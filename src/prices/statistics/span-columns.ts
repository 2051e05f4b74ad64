/**
 * Spans of books over which an offer did not change, in columns: entry i is one span. Books are named by their
 * place on a time axis (ordinals); `first` and `last` belong to the span.
 */
export interface SpanColumns {
  length: number;
  first: Int32Array;
  last: Int32Array;
  /** The price; NaN: unknown, the offer counts without one. */
  value: Float64Array;
  gpuModelId: Int16Array;
  numGpus: Int16Array;
  /** -1: the market did not say. */
  verificationTierId: Int16Array;
  machineId: Float64Array;
  /** Place in `gpuIdSets`; -1: the market lists none. */
  gpuIdSet: Int32Array;
  gpuIdSets: (readonly string[])[];
  /** Of the listing, from 1; 0: nobody asked. */
  ordinal: Int16Array;
  /** NaN: unknown, or nobody asked. */
  hostId: Float64Array;
}

/** Columns for up to `capacity` spans, none yet. */
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
  };
}

/** Some of the spans, by their places; a cell of the statistics. */
export type Picked = Int32Array;

/** The places of all spans. */
export function pickAll({ length }: SpanColumns): Picked {
  return Int32Array.from({ length }, (_, index) => index);
}

/** The places of the spans by a number that stands for their cell. */
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
