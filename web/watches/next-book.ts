import type { Status } from '../core/api.ts';

/** The interval of a new watch's own books. */
const newWatchMinutes = 10;

/** When the next book comes that an alert looks at: a moment, or a limit in minutes; null: unknown. */
export type NextBook = { at: string } | { withinMinutes: number } | null;

/**
 * Returns when the next book comes that an alert on a query's offers looks at. With models it is one of the watch's own
 * books, whose schedule begins with the alert if no watch has them yet. `schedule`: of the default market; null: of another one, so unknown.
 */
export function nextBook(
  schedule: Pick<Status['schedule'][number], 'kind' | 'scope' | 'type' | 'nextAt'>[] | null,
  query: URLSearchParams,
): NextBook {
  const models = [...new Set(query.getAll('gpuName'))].sort();
  const types = query.has('type') ? query.getAll('type') : ['on-demand'];
  const scope = models.length === 0 ? 'default' : `models:${models.join('|')}`;
  const [at] = (schedule ?? [])
    .filter((each) => each.kind === 'offers' && each.scope === scope && types.includes(each.type ?? ''))
    .flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt]))
    .sort();
  if (at !== undefined) return { at };
  return models.length === 0 ? null : { withinMinutes: newWatchMinutes };
}
