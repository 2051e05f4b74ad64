import { z } from 'zod';
import { escapeTelegram, shorten } from '../../escape.ts';
import { renderText } from '../render-notice.ts';
import type { ChannelAdapter } from './adapter.ts';
import { httpAddress } from './http-address.ts';

const maxMessageLength = 4_000;

/** A chat of a Telegram bot; sent without a parse mode, so text appears as it is. */
export const telegramChannel: ChannelAdapter = {
  label: 'Telegram',
  needs: 'Make a bot with @BotFather, write to it, and enter its token and the id of that chat.',
  fields: { chatId: { label: 'Chat id', example: '123456789' } },

  seldom: ['url'],
  config: z.strictObject({
    chatId: z.union([
      z.int().transform(String),
      z.string().regex(/^(-?\d+|@\w+)$/, 'must be the id of a chat'),
    ]),
    url: httpAddress.default('https://api.telegram.org'),
  }),
  secret: { meaning: "the bot's token", required: true },
  secretProblem: (secret) => (/^[A-Za-z0-9:_-]{8,100}$/.test(secret) ? null : 'must be the token of a bot'),
  send: async ({ id, notice, config, secret }, { http }) => {
    const body = JSON.stringify({
      chat_id: config.chatId,
      text: shorten(escapeTelegram(`${notice.title}\n${renderText(notice)}`), maxMessageLength),
      link_preview_options: { is_disabled: true },
    });
    const headers = { 'content-type': 'application/json', 'x-offerbook-delivery': id };
    return await http.send(`${String(config.url).replace(/\/+$/, '')}/bot${secret}/sendMessage`, {
      method: 'POST',
      body,
      headers,
    });
  },
};
