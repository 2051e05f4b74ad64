import type { Status } from '../core/api.ts';
import { isOfWatch, watchScope } from '../core/market-schedule.ts';
import { formatExpected } from '../core/times.ts';

type Schedule = Status['schedule'];

/** What each other schedule reads, as the page names it. */
const readWords = {
  instances: 'your instances',
  charges: 'charges',
  invoices: 'invoices',
} as const;

/** Returns what offers a crawl reads: `the whole market`, or `H100 SXM, for a watch`. */
export const scopeInWords = (scope: string | null): string =>
  scope !== null && isOfWatch(scope)
    ? `${scope.replace(watchScope, '').replaceAll('|', ', ')}, for a watch`
    : 'the whole market';

/** Returns what else than the whole market is read by schedule, the next first: `your instances in 20 s`, `H100 SXM, for a watch, in 1 min`. */
export const otherSchedules = (schedule: Schedule): string[] =>
  schedule
    .flatMap(({ kind, scope, nextAt }) =>
      nextAt === null || (kind === 'offers' && !isOfWatch(scope))
        ? []
        : [{ what: kind === 'offers' ? `${scopeInWords(scope)},` : readWords[kind], nextAt }],
    )
    .toSorted((a, b) => Date.parse(a.nextAt) - Date.parse(b.nextAt))
    .map(({ what, nextAt }) => `${what} ${formatExpected(nextAt)}`);
