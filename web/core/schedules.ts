/** A schedule to choose from: a cron expression, and what it is called. */
export interface ScheduleOption {
  cron: string;
  label: string;
}

const hourly = { cron: '0 * * * *', label: 'Hourly' };
const daily = { cron: '0 8 * * *', label: 'Every morning at 08:00' };
const weekly = { cron: '0 8 * * 1', label: 'Mondays at 08:00' };

/** When a watch's own books are crawled. */
export const crawlSchedules: readonly ScheduleOption[] = [
  { cron: '*/5 * * * *', label: 'Every 5 minutes' },
  { cron: '*/10 * * * *', label: 'Every 10 minutes' },
  { cron: '*/30 * * * *', label: 'Every 30 minutes' },
  hourly,
  daily,
];

/** When a report is sent; an empty expression: never by itself. */
export const reportSchedules: readonly ScheduleOption[] = [
  { cron: '', label: 'On request' },
  hourly,
  daily,
  { cron: '0 8 * * 1-5', label: 'Weekdays at 08:00' },
  weekly,
  { cron: '0 8 1 * *', label: 'First of the month at 08:00' },
];

/** When collected alerts are sent as one message; an empty expression: each at once. */
export const digestSchedules: readonly ScheduleOption[] = [
  { cron: '', label: 'Each alert at once' },
  hourly,
  daily,
  weekly,
];

/** Returns what a schedule is called in a time zone, which is named where it has a time of day: `Mondays at 08:00, UTC`. */
export const labelInZone = ({ label }: ScheduleOption, timeZone: string): string =>
  /\d:\d/.test(label) ? `${label}, ${timeZone}` : label;

/** Returns a schedule in words, without a capital: `hourly`, `every morning at 08:00, UTC`, `custom (5 4 * * *), UTC`. */
export function scheduleInWords(cron: string, timeZone: string): string {
  const known = [...crawlSchedules, ...reportSchedules].find((each) => each.cron === cron);
  if (known === undefined) return `custom (${cron}), ${timeZone}`;
  const label = labelInZone(known, timeZone);
  // A weekday keeps its capital.
  return known === weekly ? label : label.charAt(0).toLowerCase() + label.slice(1);
}
