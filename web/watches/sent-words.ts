import type { Alert, Channel } from '../core/api.ts';
import { getNow } from '../core/server-time.ts';
import { formatMoment } from '../core/times.ts';
import { canNotify } from './channel-names.ts';

/** Returns that an alert was sent to nobody, and why; null: it was sent, or it waits. */
export const nobodyWords = (suppressed: string | null): string | null =>
  suppressed === null
    ? null
    : `sent to nobody: ${suppressed === 'no-channel' ? 'it had no channel' : 'daily cap'}`;

type Sent = Pick<Alert, 'suppressed' | 'heldUntil' | 'deliveries'>;

/** Returns what became of an alert, by its deliveries: `delivered to pager`, `sent to nobody: it had no channel`. */
export function sentWords({ suppressed, heldUntil, deliveries }: Sent, now = getNow()): string {
  const { arrived } = endsOf(deliveries);
  const others = deliveries
    .filter(({ state }) => state !== 'sent')
    .map(({ channel, state, problem }) => {
      const why = problem === null ? '' : ` (${problem})`;
      return state === 'queued' ? `waiting for ${channel}${why}` : `${undeliveredWords([channel])}${why}`;
    });
  if (deliveries.length > 0)
    return [...(arrived.length > 0 ? [deliveredWords(arrived)] : []), ...others].join('; ');
  if (heldUntil !== null)
    return Date.parse(heldUntil) > now ? `waiting until ${formatMoment(heldUntil)}` : 'waiting';
  return nobodyWords(suppressed) ?? 'its delivery is no longer kept';
}

/** Returns the channels at which an alert arrived, and those to which sending it failed or was refused. */
export const endsOf = (
  deliveries: Sent['deliveries'],
): { arrived: readonly string[]; failed: readonly string[] } => {
  const of = (...states: string[]) =>
    deliveries.filter(({ state }) => states.includes(state)).map(({ channel }) => channel);
  return { arrived: of('sent'), failed: of('failed', 'refused') };
};

/** Returns that an alert arrived at these channels. */
const deliveredWords = (channels: readonly string[]): string => `delivered to ${channels.join(', ')}`;

/** Returns at which channels an alert arrived; those of files only wrote it. */
export function arrivedWords(
  arrived: readonly string[],
  channels: readonly Pick<Channel, 'name' | 'kind'>[],
): string {
  const files = new Set(channels.filter((channel) => !canNotify(channel)).map(({ name }) => name));
  const notified = arrived.filter((name) => !files.has(name));
  const parts = notified.length > 0 ? [deliveredWords(notified)] : [];
  return [...parts, ...(notified.length < arrived.length ? ['written to a file'] : [])].join(', ');
}

/** The list of deliveries, where each can be sent again. */
export const deliveriesHref = '/watches?at=deliveries';

/** Returns that an alert did not arrive at these channels. */
export const undeliveredWords = (channels: readonly string[]): string =>
  `not delivered to ${channels.join(', ')}`;

/** Returns deliveries without why those to channels that are off failed, where it is said why they are off. */
export const withoutOff = (
  deliveries: Sent['deliveries'],
  channels: readonly Pick<Channel, 'name' | 'offReason'>[],
): Sent['deliveries'] =>
  deliveries.map((delivery) =>
    channels.some(({ name, offReason }) => name === delivery.channel && offReason !== null)
      ? { ...delivery, problem: null }
      : delivery,
  );
