import type { Status } from '../core/api.ts';

/** The interval of a new watch's own books. */
const newWatchMinutes = 10;

/** When the next book comes that an alert looks at: a moment, or a limit in minutes; null: unknown. */
export type NextBook = { at: string } | { withinMinutes: number } | null;

interface Scheduled {
  market: Pick<Status['market'], 'name'>;
  schedule: Pick<Status['schedule'][number], 'kind' | 'scope' | 'type' | 'nextAt'>[];
}

/**
 * Returns when the next book comes that an alert on a query's offers looks at. With models it is one of the watch's own
 * books, whose schedule begins with the alert if no watch has them yet. `status`: of the page's market, whose schedule alone is
 * known; null: unknown, too.
 */
export function nextBook(status: Scheduled | null, query: URLSearchParams): NextBook {
  const models = [...new Set(query.getAll('gpuName'))].sort();
  const types = query.has('type') ? query.getAll('type') : ['on-demand'];
  const scope = models.length === 0 ? 'default' : `models:${models.join('|')}`;
  const isOwn = query.getAll('market').every((name) => name === status?.market.name);
  const [at] = (isOwn && status !== null ? status.schedule : [])
    .filter((each) => each.kind === 'offers' && each.scope === scope && types.includes(each.type ?? ''))
    .flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt]))
    .sort();
  if (at !== undefined) return { at };
  return models.length === 0 ? null : { withinMinutes: newWatchMinutes };
}
