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
