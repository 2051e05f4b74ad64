import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { WebhookBody } from '../webhook-body.ts';
import type { ChannelAdapter } from './adapter.ts';
import { httpAddress } from './http-address.ts';

const secretPattern = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

/**
 * Posts the notice as JSON, signed by the Standard Webhooks convention: `webhook-id` is the delivery's id, the
 * signature HMAC-SHA256 over `id.timestamp.body`.
 */
export const webhookChannel: ChannelAdapter = {
  label: 'Webhook',
  needs: 'Each message is posted to the address as JSON, signed with a key that is shown once.',
  fields: { url: { label: 'Address', example: 'https://example.com/hooks/offerbook' } },
  config: z.strictObject({ url: httpAddress }),
  // For many services the address alone allows posting.
  hidden: ['url'],
  secret: {
    meaning: 'signing key (leave empty to have one made)',
    required: true,
  },
  makeSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
  secretProblem: (secret) =>
    secretPattern.test(secret)
      ? null
      : 'must begin with whsec_, then 24 to 64 bytes in base64; leave it empty to have one made',
  marksReplays: true,
  send: async ({ id, notice, isReplay, config, secret }, { http, now }) => {
    const timestamp = Math.floor(now().getTime() / 1000);
    const content: WebhookBody = {
      type: `offerbook.${notice.kind}`,
      timestamp: notice.at,
      id,
      replay: isReplay,
      data: notice,
    };
    const body = JSON.stringify(content);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secret ?? '', id, timestamp, body),
    };
    return await http.send(String(config.url), { method: 'POST', body, headers });
  },
};

/** Returns the value of `webhook-signature`. */
export function signWebhook(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
