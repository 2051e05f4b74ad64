import type { AlertSubject } from '../core/alert-subject.ts';
import type { App } from '../core/app.ts';
import { askedQuery, canBeReliable, hidingWords, statedTrust } from '../prices/deals/reliable-query.ts';

/** A subject's reliable offers, and what they leave out. */
export interface ReliableSubject {
  subject: Extract<AlertSubject, { kind: 'offers' }>;
  /** `not verified or under 98% reliability` */
  leavesOut: string;
}

/** Returns the reliable offers of a subject, as Deals has them; null: it does not ask, or its market states nothing to tell by. */
export function reliableSubject(
  app: Pick<App, 'markets' | 'status'>,
  subject: AlertSubject,
): ReliableSubject | null {
  if (subject.kind !== 'offers' || subject.asksReliable !== true) return null;
  const trust = statedTrust(subject.query, app.markets.value, app.status.state.value.data);
  return canBeReliable(trust)
    ? { subject: { ...subject, query: askedQuery(subject.query, trust) }, leavesOut: hidingWords(trust) }
    : null;
}
