import { dateFormat } from '../../core/formats.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Intervals between ticks, in whole hours, days or months. */
const hourSteps = [1, 2, 3, 6, 12];
const daySteps = [1, 2, 3, 7, 14];
const monthSteps = [1, 2, 3, 6, 12, 24, 60];

/**
 * Returns moments (milliseconds) for at most about `wanted` ticks of a time axis, on round hours, midnights or firsts
 * of a month in the reader's time zone, so that days keep their labels when clocks change. Empty if `to` is not after
 * `from`.
 */
export function timeTicks(from: number, to: number, wanted: number): number[] {
  const least = (to - from) / Math.max(1, wanted);
  if (!(least > 0)) return [];
  const hours = hourSteps.find((step) => step * hourMs >= least);
  if (hours !== undefined) return collect(from, to, (start, index) => addHours(start, index * hours));
  const days = daySteps.find((step) => step * dayMs >= least);
  if (days !== undefined) return collect(from, to, (start, index) => addDays(start, index * days));
  const months = monthSteps.find((step) => step * 30 * dayMs >= least) ?? 120;
  return collect(from, to, (start, index) => new Date(start.getFullYear(), index * months, 1));
}

// Ticks start at the midnight before `from`, whatever the step; those before `from` are dropped.
function collect(from: number, to: number, tick: (start: Date, index: number) => Date): number[] {
  const start = new Date(from);
  start.setHours(0, 0, 0, 0);
  const ticks: number[] = [];
  for (let index = 0; ; index += 1) {
    const moment = tick(start, index).getTime();
    if (moment > to) return ticks;
    if (moment >= from && moment !== ticks.at(-1)) ticks.push(moment);
  }
}

const addHours = (start: Date, hours: number) =>
  new Date(start.getFullYear(), start.getMonth(), start.getDate(), hours);

const addDays = (start: Date, days: number) =>
  new Date(start.getFullYear(), start.getMonth(), start.getDate() + days);

/** Returns the label of a tick: the date at midnight, month and year if all ticks are months, else the time. */
export function formatTimeTick(t: number, spanMs: number): string {
  const date = new Date(t);
  const midnight = date.getHours() === 0 && date.getMinutes() === 0;
  const format: Intl.DateTimeFormatOptions = !midnight
    ? { hour: '2-digit', minute: '2-digit' }
    : spanMs > 200 * dayMs
      ? { month: 'short', year: 'numeric' }
      : { day: 'numeric', month: 'short' };
  return dateFormat(format).format(date);
}
