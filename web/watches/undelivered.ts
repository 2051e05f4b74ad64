import type { Delivery } from '../core/api.ts';

const recentMs = 7 * 86_400_000;

/**
 * Returns the recent deliveries of a channel that failed or were refused and that no sent one follows, the oldest first,
 * as `undelivered` of the channel counts them.
 */
export function undeliveredOf(
  deliveries: readonly Pick<Delivery, 'id' | 'state' | 'createdAt' | 'endedAt'>[],
  now: number,
): string[] {
  const recent = deliveries.filter(({ createdAt }) => Date.parse(createdAt) > now - recentMs);
  const sentAt = Math.max(
    0,
    ...recent.map(({ state, endedAt }) => (state === 'sent' ? Date.parse(endedAt ?? '') : 0)),
  );
  return recent
    .filter(({ state }) => state === 'failed' || state === 'refused')
    .filter(({ endedAt }) => Date.parse(endedAt ?? '') > sentAt)
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
    .map(({ id }) => id);
}
