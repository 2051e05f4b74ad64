/** One stretch of a thing that changes in steps; moments and lengths in seconds since 1970. */
export interface Epoch {
  /** Counts the stretches; different for each. */
  index: number;
  startS: number;
  endS: number;
}

/** Which stretch of `lengthS` seconds, shifted by `phase` (0 to 1) of a length, the moment falls into. */
export const epochIndex = (atS: number, lengthS: number, phase: number): number =>
  Math.floor(atS / lengthS + phase);

/** The stretch itself, see epochIndex. */
export function epochAt(atS: number, lengthS: number, phase: number): Epoch {
  const index = epochIndex(atS, lengthS, phase);
  return { index, startS: (index - phase) * lengthS, endS: (index + 1 - phase) * lengthS };
}

export const hourS = 3600;
export const dayS = 86_400;
