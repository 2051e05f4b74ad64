import { readMoment } from '../core/calendar-date.ts';

/** Returns the start of a moment's month, or of a later month, in the zone's time. */
export function monthStart(at: Date, timeZone: string, monthsLater = 0): Date {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
  }).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const month = of('year') * 12 + of('month') - 1 + monthsLater;
  const text = `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
  const start = readMoment(text, timeZone);
  if (start === null) throw new Error(`${text} is no date`);
  return start;
}
