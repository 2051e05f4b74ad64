import type { Status } from './api.ts';

/** What the scope of a watch's own crawls begins with. */
export const watchScope = /^models:/;

/** Whether offers are crawled for watches alone: those of their models, not the whole market. */
export const isOfWatch = (scope: string | null): boolean => scope !== null && watchScope.test(scope);

/** Returns when the whole market is crawled next; null: not by schedule. */
export const nextOfMarket = (schedule: Status['schedule']): string | null =>
  schedule
    .flatMap(({ kind, scope, nextAt }) =>
      kind === 'offers' && !isOfWatch(scope) && nextAt !== null ? [nextAt] : [],
    )
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
