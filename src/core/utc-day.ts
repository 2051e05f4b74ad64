const dayMs = 86_400_000;

/** Returns the UTC day of a moment, counted from 1 January 1970. */
export const utcDayNumber = (at: Date): number => Math.floor(at.getTime() / dayMs);
