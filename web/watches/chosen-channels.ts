import type { Channel, Watch } from '../core/api.ts';
import { formatMoment } from '../core/times.ts';
import { onlyOn } from './notifies-nobody.tsx';

const key = 'offerbook-alert-channels';
const testsKey = 'offerbook-channel-tests';

/** The last test message to a channel from this browser. */
export interface ChannelTested {
  at: string;
  isSent: boolean;
}

/**
 * Returns the channels to start with: those that the reader chose for the last alert, else the first one. Empty: there is
 * no channel.
 */
export function firstChannels(window: Window, channels: readonly Channel[]): string[] {
  const known = channels.filter(({ offReason }) => offReason === null);
  const last = readLast(window).filter((id) => known.some((channel) => channel.id === id));
  return last.length > 0 ? last : known.slice(0, 1).map(({ id }) => id);
}

/** Returns the channels that a new rule starts with: none if its watch's are notified, else as for an alert. */
export const startingChannels = (
  window: Window,
  watch: Pick<Watch, 'channelIds'> | null,
  channels: readonly Channel[],
): string[] => (onlyOn(watch?.channelIds ?? [], channels).length > 0 ? [] : firstChannels(window, channels));

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

/** Remembers a test message to a channel. */
export function rememberTest(window: Window, id: string, test: ChannelTested): void {
  try {
    window.localStorage.setItem(testsKey, JSON.stringify({ ...readTests(window), [id]: test }));
  } catch {
    // Then it counts as not tested here.
  }
}

/** Returns the last test messages from this browser by channel. */
export function readTests(window: Window): Readonly<Record<string, ChannelTested>> {
  try {
    const tests: unknown = JSON.parse(window.localStorage.getItem(testsKey) ?? '{}');
    return typeof tests === 'object' && tests !== null ? (tests as Record<string, ChannelTested>) : {};
  } catch {
    return {};
  }
}

/** Returns whom an alert notifies, and when each of these channels was last tested from this browser. */
export function notifiedWords(
  channels: readonly Pick<Channel, 'id' | 'name'>[],
  tests: Readonly<Record<string, ChannelTested>>,
): string {
  const tested = ({ id, name }: Pick<Channel, 'id' | 'name'>): string => {
    const test = tests[id];
    if (test === undefined) return `${name} (not tested from this browser yet)`;
    return `${name} (${test.isSent ? 'last tested' : 'the last test failed'} ${formatMoment(test.at)})`;
  };
  return `It notifies ${channels.map(tested).join(', ')}.`;
}
