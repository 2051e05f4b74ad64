import type { Bucket } from './api.ts';
import { dateFormat } from './formats.ts';
import { getNow } from './server-time.ts';

/** Formats a moment in the reader's time zone, `20 Jul 2026, 07:19`; with seconds `20 Jul 2026, 07:19:05`. */
export function formatMoment(t: string | number, seconds = false): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: seconds ? 'medium' : 'short' }).format(new Date(t));
}

/** Formats the day of a moment in the reader's time zone, `20 Jul 2026`. */
export const formatDay = (t: string): string => dateFormat({ dateStyle: 'medium' }).format(new Date(t));

/** Formats a moment in UTC for titles, `2026-07-20 05:19:05 UTC`. */
export function formatUtc(t: string): string {
  return new Date(t)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}

/**
 * Returns the label of a bucket. Days and weeks start at midnight UTC, so they are labeled with the UTC date, not the
 * local moment of their start.
 */
export function formatBucket(t: string, bucket: Bucket): string {
  if (bucket === 'book' || bucket === '1h') return formatMoment(t);
  const day = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(t));
  return bucket === '1w' ? `Week of ${day}` : day;
}

/** Returns a tooltip with the exact time of a bucket in UTC. */
export function bucketTitle(t: string, bucket: Bucket): string {
  const start = formatUtc(t);
  if (bucket === 'book') return `Observed at ${start}`;
  return `${{ '1h': 'Hour', '1d': 'Day', '1w': 'Week' }[bucket]} from ${start}`;
}

/**
 * Formats a duration in whole units, with the next smaller one while that matters: `12 min`, `3 h 40 min`, `14 h`,
 * `2 days 16 h`, `27 days`.
 */
export function formatLength(minutes: number): string {
  if (minutes < 120) return `${Math.floor(minutes)} min`;
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / (24 * 60))];
  if (hours < 10) return inTwo(`${hours} h`, Math.floor(minutes % 60), 'min');
  if (hours < 48) return `${hours} h`;
  return days < 10 ? inTwo(`${days} days`, hours % 24, 'h') : `${days} days`;
}

const inTwo = (words: string, rest: number, unit: string): string =>
  rest === 0 ? words : `${words} ${rest} ${unit}`;

/** Formats an age: `just now`, `12 min ago`, `2 days 16 h ago`. */
export function formatAge(minutes: number): string {
  return minutes < 1 ? 'just now' : `${formatLength(minutes)} ago`;
}

/** Formats a moment relative to now: `3 h ago`, `in 5 days`, `just now`. */
export function formatRelative(t: string, now = getNow()): string {
  const minutes = (now - Date.parse(t)) / 60_000;
  return minutes > -1 ? formatAge(minutes) : `in ${formatLength(-minutes)}`;
}

/** Formats a moment relative to a recorded market's newest book: `3 h earlier`, `newest book`; later ones relative to now. */
export function formatInRecord(t: string, newest: string): string {
  const minutes = (Date.parse(newest) - Date.parse(t)) / 60_000;
  if (minutes < 0) return formatRelative(t);
  return minutes < 1 ? 'newest book' : `${formatLength(minutes)} earlier`;
}

/** Formats when something is expected, relative to now: `in 5 days`, `in under 1 min`, `due now`. */
export function formatExpected(t: string, now = getNow()): string {
  const minutes = (Date.parse(t) - now) / 60_000;
  if (minutes <= 0) return 'due now';
  return minutes < 1 ? 'in under 1 min' : `in ${formatLength(minutes)}`;
}

/** Formats a short duration: `340 ms`, `12 s`, `3 min`, `2 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  return formatLength(ms / 60_000);
}

/** Returns the day of a moment for a date field, `2026-11-22`; empty for null. */
export function formatDateField(t: string | null, timeZone: string): string {
  // Canadian dates have this form in every browser, with Latin digits.
  return t === null ? '' : new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(t));
}

/** Returns a moment for a field of date and time in the reader's time zone, `2026-11-22T18:00`. */
export function formatMinuteField(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
