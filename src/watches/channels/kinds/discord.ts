import { escapeMarkdown, shorten } from '../../escape.ts';
import { renderText } from '../render-notice.ts';
import type { ChannelAdapter } from './adapter.ts';
import { whoseAddressIsSecret } from './http-address.ts';

const maxContentLength = 1_900;
const maxAllowed = 2_000;
const suppressEmbeds = 4;

/** A webhook of a Discord channel. */
export const discordChannel: ChannelAdapter = {
  label: 'Discord',
  needs: 'Make a webhook in Discord (Edit channel, Integrations, Webhooks), and enter its address.',
  ...whoseAddressIsSecret({
    label: 'Address of the webhook',
    meaning: "the webhook's address",
    example: 'https://discord.com/api/webhooks/…',
  }),
  send: async ({ id, notice, secret }, { http }) => {
    const text = escapeMarkdown(shorten(renderText({ ...notice, link: null }), maxContentLength / 2));
    const link = notice.link === null ? '' : `\n<${notice.link}>`;
    const body = JSON.stringify({
      content: `${cut(`**${escapeMarkdown(notice.title)}**\n${text}`, maxAllowed - link.length)}${link}`,
      // The text mentions nobody, whatever it contains.
      allowed_mentions: { parse: [] },
      flags: suppressEmbeds,
    });
    const headers = { 'content-type': 'application/json', 'x-offerbook-delivery': id };
    return await http.send(secret ?? '', { method: 'POST', body, headers });
  },
};

/** Cuts text to a length without splitting a surrogate pair or an escape. */
const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : text.slice(0, Math.max(0, longest)).toWellFormed().replace(/\\$/, '');
