import type { Status } from '../core/api.ts';
import { formatExpected } from '../core/times.ts';

type Schedule = Status['schedule'];

/** What each schedule reads, as the page names it. */
const readWords: Readonly<Record<Schedule[number]['kind'], string>> = {
  offers: 'prices',
  instances: 'your instances',
  charges: 'charges',
  invoices: 'invoices',
};

/** Returns what else than prices is read by schedule, the next first: `Also: your instances in 20 s`; empty: nothing. */
export function otherSchedules(schedule: Schedule): string {
  const coming = schedule
    .flatMap(({ kind, nextAt }) => (kind === 'offers' || nextAt === null ? [] : [{ kind, nextAt }]))
    .toSorted((a, b) => Date.parse(a.nextAt) - Date.parse(b.nextAt));
  const words = coming.map(({ kind, nextAt }) => `${readWords[kind]} ${formatExpected(nextAt)}`);
  return words.length === 0 ? '' : `Also: ${words.join(', ')}`;
}
