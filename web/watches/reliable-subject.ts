import type { AlertSubject } from '../core/alert-subject.ts';
import type { App } from '../core/app.ts';
import {
  askedQuery,
  canBeReliable,
  hidingWords,
  statedTrust,
  withoutReliable,
} from '../prices/deals/reliable-query.ts';
import { conditionsInWords, watchFields } from './watch-fields.ts';

/** Returns the reliable offers of a subject, as Deals has them; null: it does not ask, or its market states nothing to tell by. */
export function reliableSubject(
  app: Pick<App, 'markets' | 'status'>,
  subject: AlertSubject,
): Extract<AlertSubject, { kind: 'offers' }> | null {
  if (subject.kind !== 'offers' || subject.asksReliable !== true) return null;
  const trust = statedTrust(subject.query, app.markets.value, app.status.state.value.data);
  return canBeReliable(trust) ? { ...subject, query: askedQuery(subject.query, trust) } : null;
}

/** Returns which offers an alert of a query looks at: in two words, and as a sentence that names its filters. */
export function countedOffers(
  app: Pick<App, 'markets' | 'status'>,
  query: URLSearchParams,
): { pool: string; whatCounts: string } {
  if (query.has('machineId'))
    return { pool: 'this machine', whatCounts: 'Only offers of this machine count.' };
  const trust = statedTrust(query, app.markets.value, app.status.state.value.data);
  const others = withoutReliable(query, trust);
  const filters = conditionsInWords(watchFields(others ?? query).filters).join('; ');
  if (others === null)
    return filters === ''
      ? { pool: 'all offers', whatCounts: 'Every rentable offer counts, except outlier prices.' }
      : { pool: 'matching offers', whatCounts: `Only offers that match your filters count: ${filters}.` };
  const leftOut = `left out are those ${hidingWords(trust)}.`;
  return filters === ''
    ? { pool: 'reliable offers', whatCounts: `Only reliable offers count; ${leftOut}` }
    : {
        pool: 'matching reliable offers',
        whatCounts: `Only reliable offers that match your filters count (${filters}); ${leftOut}`,
      };
}
