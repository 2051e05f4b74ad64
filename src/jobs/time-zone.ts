import { tzOffset } from '@date-fns/tz';

/** A period in which a zone's clocks have the same offset from UTC. */
export interface ZoneStretch {
  /** First moment, in ms since 1970. */
  from: number;
  /** The moment after the last. */
  to: number;
  /** Local minus UTC. */
  offsetMs: number;
  /** The offset before `from`; the same offset at the edge of the requested range. */
  offsetBeforeMs: number;
}

const stepMs = 6 * 3_600_000;

/**
 * Returns the periods of a zone that make up [from, to), from the platform's time zone data. Changes happen at whole
 * seconds and never twice within 6 hours.
 */
export function zoneStretches(timeZone: string, from: number, to: number): ZoneStretch[] {
  const stretches: ZoneStretch[] = [];
  let start = from;
  let offsetMs = offsetAt(timeZone, from);
  // A change right at the start counts too: compare with the offset a second before.
  let offsetBeforeMs = offsetAt(timeZone, from - 1_000);
  for (let at = from; at < to; at += stepMs) {
    const end = Math.min(at + stepMs, to);
    const next = offsetAt(timeZone, end);
    if (next === offsetMs) continue;
    const change = findChange(timeZone, at, end, offsetMs);
    stretches.push({ from: start, to: change, offsetMs, offsetBeforeMs });
    start = change;
    offsetBeforeMs = offsetMs;
    offsetMs = next;
  }
  if (start < to) stretches.push({ from: start, to, offsetMs, offsetBeforeMs });
  return stretches;
}

/** Returns the first whole second of (from, to] at which the offset is no longer `offsetMs`. */
function findChange(timeZone: string, from: number, to: number, offsetMs: number): number {
  let [before, after] = [Math.floor(from / 1_000), Math.ceil(to / 1_000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(timeZone, middle * 1_000) === offsetMs) before = middle;
    else after = middle;
  }
  return after * 1_000;
}

const offsetAt = (timeZone: string, at: number): number => tzOffset(timeZone, new Date(at)) * 60_000;
