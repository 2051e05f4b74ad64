import { tzOffset } from '@date-fns/tz';
import { instantOf } from '../../core/recorded-book.ts';

const localPattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/i;
const secondsPattern = /^\d{10}(\.\d+)?$/;
const millisecondsPattern = /^\d{13}$/;
const noTime = 'not a time like 2026-07-20T05:19:05Z';

/**
 * Returns the moment of a row: a time with its zone, seconds (10 digits) or milliseconds (13) since 1970, or a time
 * that the clocks of `timeZone` show. Returns why it is none otherwise; `timeZone` null: no zone is known.
 */
export function readRowTime(text: string, timeZone: string | null): Date | string {
  if (secondsPattern.test(text)) return new Date(Math.round(Number(text) * 1000));
  if (millisecondsPattern.test(text)) return new Date(Number(text));
  const instant = instantOf(text);
  if (instant !== null) return instant;
  const [, date, time] = localPattern.exec(text) ?? [];
  const asUtc = date === undefined ? null : instantOf(`${date}T${time}Z`);
  if (asUtc === null) return noTime;
  if (timeZone === null) return 'a time without its zone; give the zone with --time-zone';
  return momentOfClock(asUtc.getTime(), timeZone);
}

/** Returns when the clocks of a zone show a time, given as if it were UTC. */
function momentOfClock(asUtc: number, timeZone: string): Date | string {
  const offsetAt = (at: number): number => tzOffset(timeZone, new Date(at)) * 60_000;
  // No zone is more than a day away from UTC, so one of the offsets around it applies.
  const offsets = new Set([-26, 0, 26].map((hours) => offsetAt(asUtc + hours * 3_600_000)));
  const moments = [...offsets].map((offset) => asUtc - offset).filter((at) => at + offsetAt(at) === asUtc);
  const [moment] = moments;
  if (moment === undefined) return `a time that the clocks of ${timeZone} skip`;
  // Which of the two it is would be a guess.
  if (moments.length > 1) return `a time that the clocks of ${timeZone} show twice`;
  return new Date(moment);
}
