import { z } from 'zod';
import { isStorableLine } from '../../../core/storable-text.ts';
import { shorten } from '../../escape.ts';
import type { Notice } from '../notice.ts';
import { renderText } from '../render-notice.ts';
import type { ChannelAdapter } from './adapter.ts';
import { httpAddress } from './http-address.ts';

/** Keeps the message within the 4096 bytes that push services accept, encrypted and in any script. */
const maxTextLength = 800;
/** A day, as long as failed messages are retried. */
const keepSeconds = 86_400;
const uncompressedPointBytes = 65;

const bytes = (length: number, what: string) =>
  z.string().refine((text) => Buffer.from(text, 'base64url').length === length, `must be ${what}`);

/** What `PushSubscription.toJSON()` gives in a browser. */
const subscriptionForm = z.object({
  endpoint: httpAddress,
  keys: z.object({
    p256dh: bytes(uncompressedPointBytes, 'a public key'),
    auth: bytes(16, 'a secret of 16 bytes'),
  }),
});

/** What the page's service worker shows, and where a click leads. */
export interface PushMessage {
  title: string;
  body: string;
  /** The same in every repeat, which takes the place of the one before. */
  tag: string;
  at: string;
  /** Address below that of the page. */
  path: string;
}

/**
 * A browser on which the page subscribed to push messages: Web Push (RFC 8030), encrypted for it alone (RFC 8291). A
 * subscription that has ended switches the channel off.
 */
export const browserChannel: ChannelAdapter = {
  label: 'Browser',
  needs: 'This browser shows messages, also while the page is closed; it asks for permission.',
  fields: { device: { label: 'Browser and device', example: 'Firefox on Linux', optional: true } },
  config: z.strictObject({
    device: z.string().max(100).refine(isStorableLine, 'must not contain control characters').optional(),
  }),
  secret: { meaning: 'the push subscription of the browser, as JSON; the page enters it', required: true },
  secretProblem: (secret) =>
    readSubscription(secret) === null ? 'must be the JSON of a push subscription' : null,
  send: async ({ id, notice, secret }, { http, push }) => {
    const subscription = readSubscription(secret ?? '');
    if (subscription === null) return { kind: 'refused', reason: 'the push subscription cannot be read' };
    const keys = await push.keys();
    if (keys === null) return { kind: 'refused', reason: withoutKeys };
    const { default: webPush } = await import('web-push');
    const { endpoint, method, body, headers } = webPush.generateRequestDetails(
      subscription,
      JSON.stringify(messageOf(id, notice)),
      {
        vapidDetails: { subject: push.subject, ...keys },
        TTL: keepSeconds,
        urgency: notice.kind === 'alert' ? 'high' : 'normal',
        contentEncoding: 'aes128gcm',
      },
    );
    const sent = await http.send(endpoint, {
      method: method as 'POST',
      body: body ?? new Uint8Array(),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    });
    const isGone = sent.kind === 'refused' && (sent.httpStatus === 404 || sent.httpStatus === 410);
    return isGone ? { kind: 'refused', reason: ended, isGone: true } : sent;
  },
};

const ended = 'the browser has ended its subscription: subscribe again there, or remove the channel';
const withoutKeys =
  'the key of push messages was encrypted with another SECRETS_KEY: remove the channels of browsers and subscribe again';

/** null: it is none. */
function readSubscription(text: string): z.infer<typeof subscriptionForm> | null {
  try {
    return subscriptionForm.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const messageOf = (id: string, notice: Notice): PushMessage => ({
  title: notice.title,
  body: shorten(renderText({ ...notice, link: null }), maxTextLength),
  tag: id,
  at: notice.at,
  path: pathOf(notice),
});

/** Returns where a click leads: to the offer, else to the watch, else to all watches. */
function pathOf({ link, watchId }: Notice): string {
  const { pathname, search } = link === null ? { pathname: '/', search: '' } : new URL(link);
  if (pathname !== '/') return pathname + search;
  return watchId === null ? '/watches' : `/watches/${watchId}`;
}
