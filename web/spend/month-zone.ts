import { formatMoment } from '../core/times.ts';

interface Month {
  timeZone: string;
  /** Its end. */
  to: string;
}

/** Whether a month ends at the same moment as by the reader's clock. */
function isOwn({ to }: Month): boolean {
  const end = new Date(to);
  return end.getDate() === 1 && end.getHours() === 0 && end.getMinutes() === 0;
}

/** Returns ` (month in UTC)` for a month that ends at another moment than by the reader's clock; otherwise nothing. */
export const zoneOfMonth = (month: Month): string => (isOwn(month) ? '' : ` (month in ${month.timeZone})`);

/** Returns a sentence about the time zones of months, with when this one ends; nothing if that is by the reader's clock. */
export function zonesOfMonths(months: readonly Month[]): string {
  const others = months.filter((month) => !isOwn(month));
  const ends = new Map(others.map(({ timeZone, to }) => [timeZone, to]));
  const zones = [...ends].map(([timeZone, to]) => `${timeZone} (this one ends ${formatMoment(to)})`);
  return zones.length === 0
    ? ''
    : ` ${others.length < months.length ? 'Some months' : 'Months'} are those of ${zones.join(' and ')}.`;
}
