import { CronExpressionParser } from 'cron-parser';
import { type ZoneStretch, zoneStretches } from './time-zone.ts';

/** When something is due: a cron expression of 5 fields, or 6 with seconds, in the clocks of a time zone. */
export interface CronTimes {
  cron: string;
  timeZone: string;
}

const dayMs = 86_400_000;
/** No zone has moved its clocks by more at once since cron exists, except across the date line. */
export const maxChangeMs = 3 * 3_600_000;
/** Distances to search for a tick, nearest first; the last one finds February 29. */
const reachesMs = [2 * 60_000, 2 * 3_600_000, 2 * dayMs, 62 * dayMs, 2 * 366 * dayMs, 9 * 366 * dayMs];

/** Whether the text is a cron expression of 5 or 6 fields that ever fires. */
export function isCron(cron: string): boolean {
  const fields = cron.trim().split(/\s+/).length;
  try {
    return (
      (fields === 5 || fields === 6) &&
      nextTick({ cron, timeZone: 'UTC' }, new Date('2026-01-01T00:00:00Z')) !== null
    );
  } catch {
    return false;
  }
}

/** Whether the expression means the same each time it is read: `H` does not. */
export const isFixedCron = (cron: string): boolean => isCron(cron) && !/(?<![a-z])h/i.test(cron);

/**
 * Returns the moments of (after, upTo] that the expression names, ascending and distinct. Where clocks go forward, a
 * skipped time comes that much later; where they go back, a repeated time counts once, except for expressions of every
 * hour.
 */
export function ticksBetween(times: CronTimes, after: Date, upTo: Date): Date[] {
  const [from, to] = [after.getTime(), upTo.getTime()];
  if (to <= from) return [];
  const everyHour = new Set(CronExpressionParser.parse(times.cron).fields.hour.values).size === 24;
  const ticks = new Set<number>();
  // A clock change shortly before the range can still move times into it.
  for (const stretch of zoneStretches(times.timeZone, from - maxChangeMs, to + 1)) {
    for (const piece of everyHour ? [stretch] : piecesOfFixedHours(stretch)) {
      const range = { from: Math.max(piece.from, from), to: Math.min(piece.to, to + 1) };
      for (const at of tickTimes(times.cron, range, piece.offsetMs)) if (at > from) ticks.add(at);
    }
  }
  return [...ticks].sort((a, b) => a - b).map((at) => new Date(at));
}

/** How many ticks each day without a clock change has; null: it differs between days. */
export function ticksADay({ cron }: CronTimes): number | null {
  const { second, minute, hour, dayOfMonth, month, dayOfWeek } = CronExpressionParser.parse(cron).fields;
  if (![dayOfMonth, month, dayOfWeek].every(({ isWildcard }) => isWildcard)) return null;
  return second.values.length * minute.values.length * hour.values.length;
}

/** Returns the last tick at or before a moment; null: none in 9 years. */
export function previousTick(times: CronTimes, at: Date): Date | null {
  for (const reachMs of reachesMs) {
    const tick = ticksBetween(times, new Date(at.getTime() - reachMs), at).at(-1);
    if (tick !== undefined) return tick;
  }
  return null;
}

/** Returns the first tick after a moment; null: none in 9 years. */
export function nextTick(times: CronTimes, after: Date): Date | null {
  for (const reachMs of reachesMs) {
    const [tick] = ticksBetween(times, after, new Date(after.getTime() + reachMs));
    if (tick !== undefined) return tick;
  }
  return null;
}

type Piece = Pick<ZoneStretch, 'from' | 'to' | 'offsetMs'>;

/** How fixed hours are read around a clock change: a skipped hour by the old clocks, a repeated one only once. */
function piecesOfFixedHours(stretch: ZoneStretch): Piece[] {
  const { from, offsetMs, offsetBeforeMs } = stretch;
  const change = offsetMs - offsetBeforeMs;
  if (change > 0) return [{ from, to: from + change, offsetMs: offsetBeforeMs }, stretch];
  return [{ ...stretch, from: from - change }];
}

/** Returns the moments of [from, to) at which clocks with this offset show a time of the expression. */
function tickTimes(cron: string, { from, to }: { from: number; to: number }, offsetMs: number): number[] {
  if (from >= to) return [];
  const currentDate = new Date(from + offsetMs - 1);
  const expression = CronExpressionParser.parse(cron, { tz: 'UTC', currentDate });
  const found: number[] = [];
  for (;;) {
    const local = nextOf(expression);
    if (local === null || local - offsetMs >= to) return found;
    found.push(local - offsetMs);
  }
}

/** Returns null if the parser found no tick, as for February 30. */
function nextOf(expression: { next: () => { getTime: () => number } }): number | null {
  try {
    return expression.next().getTime();
  } catch {
    return null;
  }
}
