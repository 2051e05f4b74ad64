import type { AlertSubject } from '../core/alert-subject.ts';
import type { Rule, Watch } from '../core/api.ts';
import { watchQuery } from './watch-fields.ts';

/** Returns what the box of an alert opens with to change it; null: it has none. */
export function subjectToChange(rule: Rule, watches: readonly Watch[]): AlertSubject | null {
  const watch = watches.find(({ id }) => id === rule.watchId);
  return watch === undefined || rule.kind !== 'priceBelow'
    ? null
    : { kind: 'offers', name: watch.name, query: watchQuery(watch), changed: rule };
}
