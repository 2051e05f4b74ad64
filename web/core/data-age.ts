import type { Status } from './api.ts';
import { getNow } from './server-time.ts';

/**
 * Returns how many minutes the data is older now than its status says, by the clock of all other ages of the page; 0
 * where the age is not tracked.
 */
export function minutesSinceStatus(status: Status | null, now = getNow()): number {
  const complete = (status?.newestBooks ?? []).filter(({ verdict }) => verdict === 'complete');
  if (status === null || status.dataAgeMinutes === null || complete.length === 0) return 0;
  const newest = Math.max(...complete.map(({ observedAt }) => Date.parse(observedAt)));
  return Math.floor((now - newest) / 60_000) - status.dataAgeMinutes;
}
