import { dateFormat } from '../core/formats.ts';

export type SpendUnit = 'day' | 'week' | 'month';

const steps: Record<SpendUnit, (date: Date) => void> = {
  day: (date) => date.setUTCDate(date.getUTCDate() + 1),
  week: (date) => date.setUTCDate(date.getUTCDate() + 7),
  month: (date) => date.setUTCMonth(date.getUTCMonth() + 1),
};
const maxBars = 800;

/**
 * Returns every day, week or month from the first to the last of `times` (`2026-11-22`, for months `2026-11`), so that
 * periods without spend leave a gap. Other texts are returned as they are.
 */
export function filledTimes(times: readonly string[], unit: SpendUnit): string[] {
  const sorted = [...new Set(times)].toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined || !/^\d{4}-\d{2}(-\d{2})?$/.test(first)) return sorted;
  const filled: string[] = [];
  const date = new Date(`${first.length === 7 ? `${first}-01` : first}T00:00:00Z`);
  while (filled.length < maxBars) {
    const time = date.toISOString().slice(0, first.length);
    if (time > last) return filled;
    filled.push(time);
    steps[unit](date);
  }
  return sorted;
}

/**
 * Returns the first and the last time of a range of days, `to` exclusive, as far as it has come by `today`; empty if it
 * has no bounds or has not begun.
 */
export function rangeEnds(from: string | null, to: string | null, unit: SpendUnit, today: string): string[] {
  if (!isDay(from) || !isDay(to) || from > today) return [];
  const lastDay = new Date(Date.parse(to) - 86_400_000).toISOString().slice(0, 10);
  return [from, lastDay < today ? lastDay : today].map((day) => timeOf(day, unit));
}

/** Whether a text of the address is a day: there may be anything. */
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function timeOf(day: string, unit: SpendUnit): string {
  if (unit === 'month') return day.slice(0, 7);
  const date = new Date(`${day}T00:00:00Z`);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** Formats a day as `22 Nov`, a month as `Nov 2026`; other texts as they are. */
export function formatSpendTime(time: string): string {
  const isMonth = /^\d{4}-\d{2}$/.test(time);
  if (!isMonth && !/^\d{4}-\d{2}-\d{2}$/.test(time)) return time;
  const date = new Date(`${isMonth ? `${time}-01` : time}T00:00:00Z`);
  const format: Intl.DateTimeFormatOptions = isMonth
    ? { month: 'short', year: 'numeric' }
    : { day: 'numeric', month: 'short' };
  return dateFormat({ ...format, timeZone: 'UTC' }).format(date);
}

const timeWords: Record<SpendUnit, string> = { day: 'On', week: 'In the week from', month: 'In' };

/** Returns what stands before a day, a week's first day or a month in a sentence about it: `On Nov 22: nothing`. */
export const spendTimeWord = (unit: SpendUnit): string => timeWords[unit];

/** Returns round amounts for axis lines, without zero, the last at or above `highest`; empty if that is zero. */
export function axisAmounts(highest: number): number[] {
  if (!(highest > 0)) return [];
  const least = highest / 4;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 2.5, 5, 10].find((times) => times * power >= least * 0.999) ?? 10) * power;
  return Array.from({ length: Math.ceil((highest / step) * 0.9999) }, (_, index) => (index + 1) * step);
}
