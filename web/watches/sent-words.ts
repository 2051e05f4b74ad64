import type { Alert } from '../core/api.ts';

/** Returns why an alert was not sent; null: it was, or it waits. */
export const notSentReason = (suppressed: string | null): string | null =>
  suppressed === null ? null : suppressed === 'no-channel' ? 'it had no channel' : 'daily cap';

/** Returns whether an alert was sent, or why not. */
export const sentWords = ({ suppressed, heldUntil }: Pick<Alert, 'suppressed' | 'heldUntil'>): string => {
  const reason = notSentReason(suppressed);
  if (reason !== null) return `to nobody: ${reason}`;
  return heldUntil === null ? 'yes' : 'waits';
};

/** The list of deliveries, where each can be sent again. */
export const deliveriesHref = '/watches?at=deliveries';

/** Returns that an alert did not arrive at these channels. */
export const undeliveredWords = (channels: readonly string[]): string =>
  `not delivered to ${channels.join(', ')}`;
