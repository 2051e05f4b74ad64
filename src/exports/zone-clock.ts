import { tzOffset } from '@date-fns/tz';

/** What the clocks of a zone show. */
export interface ZoneClock {
  /** Local time minus UTC, ms. */
  offsetMs: (at: Date) => number;
  /** `2026-11-22T09:00:00.000` */
  localText: (at: Date) => string;
  /** `Z` in UTC, elsewhere `+01:00`. */
  offsetText: (at: Date) => string;
}

/** Offsets only change at full quarters of an hour. */
const quarterMs = 900_000;

/**
 * Returns the clocks of a zone. Offsets are cached by quarter of an hour, because looking one up for each moment is
 * many times slower.
 */
export function createZoneClock(timeZone: string): ZoneClock {
  const known = new Map<number, number>();
  const offsetMs = (at: Date): number => {
    if (timeZone === 'UTC') return 0;
    const quarter = Math.floor(at.getTime() / quarterMs);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    if (known.size > 100_000) known.clear();
    const offset = tzOffset(timeZone, new Date(quarter * quarterMs)) * 60_000;
    known.set(quarter, offset);
    return offset;
  };
  return {
    offsetMs,
    localText: (at) => new Date(at.getTime() + offsetMs(at)).toISOString().slice(0, -1),
    offsetText: (at) => {
      if (timeZone === 'UTC') return 'Z';
      const minutes = Math.round(offsetMs(at) / 60_000);
      const two = (number: number): string => String(Math.trunc(number)).padStart(2, '0');
      return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
    },
  };
}
