import type { ChannelAdapter } from './adapter.ts';
import { browserChannel } from './browser.ts';
import { discordChannel } from './discord.ts';
import { createEmailChannel } from './email.ts';
import { fileChannel } from './file.ts';
import { ntfyChannel } from './ntfy.ts';
import { slackChannel } from './slack.ts';
import { telegramChannel } from './telegram.ts';
import { webhookChannel } from './webhook.ts';

const kinds = {
  browser: browserChannel,
  email: createEmailChannel(),
  ntfy: ntfyChannel,
  slack: slackChannel,
  discord: discordChannel,
  telegram: telegramChannel,
  webhook: webhookChannel,
  file: fileChannel,
} satisfies Readonly<Record<string, ChannelAdapter>>;

export type ChannelKind = keyof typeof kinds;

/** Every kind of channel. */
export const channelRegistry: Readonly<Record<ChannelKind, ChannelAdapter>> = kinds;

/** Names of the kinds, in the order of forms. */
export const channelKinds = Object.keys(kinds) as [ChannelKind, ...ChannelKind[]];
