import { z } from 'zod';
import { shorten } from '../../escape.ts';
import { renderText } from '../render-notice.ts';
import type { ChannelAdapter } from './adapter.ts';
import { httpAddress } from './http-address.ts';

const maxMessageLength = 3_500;

/** A topic on ntfy.sh or your own server, by its JSON API, so that no header contains text of an offer. */
export const ntfyChannel: ChannelAdapter = {
  label: 'ntfy',
  needs: 'Install the ntfy app, subscribe to a topic with a name that nobody guesses, and enter its address.',
  fields: { url: { label: 'Address of the topic', example: 'https://ntfy.sh/gpu-deals-x7k2' } },

  seldom: ['topic'],
  config: z
    .strictObject({
      url: httpAddress.default('https://ntfy.sh/'),
      topic: z
        .string()
        .regex(/^[-_A-Za-z0-9]{1,64}$/, 'must be letters, digits, - and _')
        .optional(),
    })
    .transform(({ url, topic }, context) => {
      // People know their topic as `https://ntfy.sh/topic`.
      const path = new URL(url).pathname.replace(/^\/|\/$/g, '');
      const name = topic ?? path.split('/').at(-1) ?? '';
      if (name !== '')
        return {
          url: topic === undefined ? new URL(`${url.replace(/\/+$/, '')}/..`, url).href : url,
          topic: name,
        };
      context.addIssue({ code: 'custom', path: ['topic'], message: 'is missing' });
      return z.NEVER;
    }),
  // Anyone who knows a topic of ntfy.sh can read and write it.
  hidden: ['topic'],
  secret: { meaning: 'access token, if the topic needs one', required: false },
  send: async ({ id, notice, config, secret }, { http }) => {
    const body = JSON.stringify({
      topic: config.topic,
      title: notice.title,
      message: shorten(renderText({ ...notice, link: null }), maxMessageLength) || notice.title,
      ...(notice.link === null ? {} : { click: notice.link }),
      markdown: false,
    });
    const headers = {
      'content-type': 'application/json',
      'x-offerbook-delivery': id,
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
    };
    return await http.send(String(config.url), { method: 'POST', body, headers });
  },
};
