import type { Channel } from '../core/api.ts';

const key = 'offerbook-alert-channels';

/**
 * Returns the channels to start with: those that the reader chose for the last alert, else the first one. Empty: there is
 * no channel.
 */
export function firstChannels(window: Window, channels: readonly Channel[]): string[] {
  const known = channels.filter(({ offReason }) => offReason === null);
  const last = readLast(window).filter((id) => known.some((channel) => channel.id === id));
  return last.length > 0 ? last : known.slice(0, 1).map(({ id }) => id);
}

/** Remembers the channels of an alert for the next one. */
export function rememberChannels(window: Window, ids: readonly string[]): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(ids));
  } catch {
    // Storage may be forbidden or full; then the first channel is proposed.
  }
}

function readLast(window: Window): string[] {
  try {
    const last: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]');
    return Array.isArray(last) ? last.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
