import type { Channel, Watch } from '../core/api.ts';
import { getNow } from '../core/server-time.ts';
import { formatRelative } from '../core/times.ts';
import { canNotify, channelLabel, type NamedChannel, placeOfFiles } from './channel-names.ts';
import { onlyOn } from './notifies-nobody.tsx';

const key = 'offerbook-alert-channels';
const testsKey = 'offerbook-channel-tests';

/** The last test message to a channel from this browser. */
export interface ChannelTested {
  at: string;
  isSent: boolean;
}

/**
 * Returns the channels to start with: those that the reader chose for the last alert, else the first one that notifies
 * somebody, else the first one. Empty: there is no channel.
 */
export function firstChannels(window: Window, channels: readonly Channel[]): string[] {
  const known = channels.filter(({ offReason }) => offReason === null);
  const last = readLast(window).filter((id) => known.some((channel) => channel.id === id));
  if (last.length > 0) return last;
  const first = known.find(canNotify) ?? known[0];
  return first === undefined ? [] : [first.id];
}

/** Returns the channels that a new rule starts with: none if its watch's are notified, else as for an alert. */
export const startingChannels = (
  window: Window,
  watch: Pick<Watch, 'channelIds'> | null,
  channels: readonly Channel[],
): string[] => (onlyOn(watch?.channelIds ?? [], channels).length > 0 ? [] : firstChannels(window, channels));

/**
 * Returns channels to choose from, each with its kind; one that is off says so and does not look chosen, because nothing is
 * sent to it.
 */
export const channelOptions = (channels: readonly Pick<Channel, 'id' | 'name' | 'kind' | 'offReason'>[]) =>
  channels.map((channel) => {
    const isOff = channel.offReason !== null;
    return { value: channel.id, label: channelLabel(channel, isOff ? ['off'] : []), isOff };
  });

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

type Notified = NamedChannel & Pick<Channel, 'id' | 'lastDelivery' | 'offReason'>;

/**
 * Returns whom an alert notifies and when the newest message to each of these channels arrived: a delivery, or a test from
 * this browser. Channels that are off, whose newest message did not arrive, or that only write files, are named apart.
 */
export function notifiedWords(
  channels: readonly Notified[],
  tests: Readonly<Record<string, ChannelTested>>,
  now = getNow(),
): string {
  const off = channels.filter(({ offReason }) => offReason !== null);
  const said = channels
    .filter(({ offReason }) => offReason === null)
    .map((channel) => ({ channel, ...newest(channel, tests[channel.id], now) }));
  const named = ({ channel, words }: (typeof said)[number]) => channelLabel(channel, [words]);
  const good = said.filter(({ channel, isGood }) => isGood && canNotify(channel)).map(named);
  const files = said.filter(({ channel, isGood }) => isGood && !canNotify(channel));
  const bad = said.filter(({ isGood }) => !isGood).map(named);
  return [
    ...(good.length > 0 ? [`It notifies ${good.join(', ')}.`] : []),
    ...(good.length + bad.length === 0 && files.length > 0 ? ['It notifies nobody.'] : []),
    ...files.map((file) => `${named(file)} writes each message into ${placeOfFiles(file.channel)}.`),
    ...(bad.length > 0 ? [`It may not reach ${bad.join(', ')}.`] : []),
    ...off.map((channel) => `Nothing is sent to ${channel.name} while it is off (${channel.offReason}).`),
  ].join(' ');
}

function newest(
  { lastDelivery: last }: Notified,
  test: ChannelTested | undefined,
  now: number,
): { isGood: boolean; words: string } {
  if (last !== null && (test === undefined || Date.parse(last.endedAt) > Date.parse(test.at))) {
    const isGood = last.state === 'sent';
    return {
      isGood,
      words: `last delivery ${isGood ? 'arrived' : last.state} ${formatRelative(last.endedAt, now)}`,
    };
  }
  if (test === undefined) return { isGood: true, words: 'not tested from this browser yet' };
  const words = test.isSent ? 'last tested' : 'the last test failed';
  return { isGood: test.isSent, words: `${words} ${formatRelative(test.at, now)}` };
}
