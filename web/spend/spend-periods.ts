import { dateFormat } from '../core/formats.ts';
import { formatDateField } from '../core/times.ts';

/** What is shown until another period is chosen: the API's default. */
export const defaultPeriod = 'both-months';

/** A named range of days, `from` inclusive, `to` exclusive, as fields of dates. */
export interface SpendPeriod {
  value: 'this-week' | 'last-week' | 'this-month' | 'last-month' | typeof defaultPeriod;
  label: string;
  from: string;
  to: string;
}

/**
 * Returns the periods that people ask for, around a day (`2026-11-22`); weeks begin on Monday. After the one that is shown
 * at first comes the one that is wanted most, one key away.
 */
export function spendPeriods(today: string): SpendPeriod[] {
  const at = new Date(`${today}T00:00:00Z`);
  const day = (shift: number): string =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + shift))
      .toISOString()
      .slice(0, 10);
  const month = (shift: number): string =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + shift, 1)).toISOString().slice(0, 10);
  const monday = -((at.getUTCDay() + 6) % 7);
  return [
    { value: defaultPeriod, label: 'This and last month', from: month(-1), to: month(1) },
    { value: 'last-week', label: 'Last week', from: day(monday - 7), to: day(monday) },
    { value: 'this-week', label: 'This week', from: day(monday), to: day(monday + 7) },
    { value: 'last-month', label: 'Last month', from: month(-1), to: month(0) },
    { value: 'this-month', label: 'This month', from: month(0), to: month(1) },
  ];
}

const dayMs = 86_400_000;
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** Returns the day on which a range begins, for a date field; empty for null and for what is no time. */
export function firstDayOf(from: string | null, timeZone: string): string {
  if (from === null || Number.isNaN(Date.parse(from))) return '';
  return isDay(from) ? from : formatDateField(from, timeZone);
}

/** Returns the last day of a range whose end, a day or a moment, is not included; empty for null and for what is no time. */
export function lastDayOf(to: string | null, timeZone: string): string {
  if (to === null || Number.isNaN(Date.parse(to))) return '';
  if (isDay(to)) return shifted(to, -1);
  return formatDateField(new Date(Date.parse(to) - 1).toISOString(), timeZone);
}

/** Returns the day after one, the end of a range that includes it; empty for an empty field. */
export const dayAfter = (day: string): string => (isDay(day) ? shifted(day, 1) : '');

/** Formats days of date fields, `Nov 9 – 15, 2026`. */
export const formatDays = (first: string, last: string): string =>
  dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).formatRange(new Date(first), new Date(last));

/**
 * Returns a range of time as days, `16 – 20 Nov 2026`, or with the time of day at which it ends within its last day,
 * `16 Nov 2026 to 20 Nov 2026, 02:22`.
 */
export function formatSpan(from: string, to: string, timeZone: string): string {
  if (!endsWithinDay(to, timeZone)) return formatDays(firstDayOf(from, timeZone), lastDayOf(to, timeZone));
  const first = dateFormat({ dateStyle: 'medium', timeZone }).format(new Date(from));
  return `${first} to ${dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(to))}`;
}

/** Whether a moment is not a midnight of the time zone. */
export const endsWithinDay = (to: string, timeZone: string): boolean =>
  formatDateField(to, timeZone) === lastDayOf(to, timeZone);

/**
 * Returns where the time that a range is compared with lies: `the same days two months earlier`. `earlier` and `from` are
 * the beginnings of both.
 */
export function earlierWords(earlier: string, from: string, timeZone: string): string {
  const [then, now] = [formatDateField(earlier, timeZone), formatDateField(from, timeZone)];
  const [thenMonth, nowMonth] = [then, now].map(
    (day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)),
  );
  const months = (nowMonth ?? 0) - (thenMonth ?? 0);
  if (months > 0 && then.endsWith('-01') && now.endsWith('-01'))
    return `the same days ${earlierBy(months, 'month')}`;
  const days = Math.round((Date.parse(now) - Date.parse(then)) / dayMs);
  if (days <= 0) return 'as much time before';
  return days % 7 === 0
    ? `the same days ${earlierBy(days / 7, 'week')}`
    : `${days === 1 ? 'the day' : `the ${days} days`} before`;
}

const earlierBy = (count: number, unit: string): string =>
  count === 1 ? `a ${unit} earlier` : `${count} ${unit}s earlier`;
