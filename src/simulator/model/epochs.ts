/** A period of a thing that changes in steps; moments and lengths in unix seconds. */
export interface Epoch {
  /** Number of the period, unique. */
  index: number;
  startS: number;
  endS: number;
}

/**
 * Returns the index of the period of `lengthS` seconds, shifted by `phase` (0 to 1) of a length, that contains the
 * moment.
 */
export const epochIndex = (atS: number, lengthS: number, phase: number): number =>
  Math.floor(atS / lengthS + phase);

/** Returns the period itself, see epochIndex. */
export function epochAt(atS: number, lengthS: number, phase: number): Epoch {
  const index = epochIndex(atS, lengthS, phase);
  return { index, startS: (index - phase) * lengthS, endS: (index + 1 - phase) * lengthS };
}

export const hourS = 3600;
export const dayS = 86_400;
