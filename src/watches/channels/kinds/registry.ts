import type { ChannelKind } from '../channel.ts';
import type { ChannelAdapter } from './adapter.ts';
import { discordChannel } from './discord.ts';
import { createEmailChannel } from './email.ts';
import { fileChannel } from './file.ts';
import { ntfyChannel } from './ntfy.ts';
import { slackChannel } from './slack.ts';
import { telegramChannel } from './telegram.ts';
import { webhookChannel } from './webhook.ts';

/** Every kind of channel. */
export const channelRegistry: Readonly<Record<ChannelKind, ChannelAdapter>> = {
  email: createEmailChannel(),
  webhook: webhookChannel,
  ntfy: ntfyChannel,
  slack: slackChannel,
  discord: discordChannel,
  telegram: telegramChannel,
  file: fileChannel,
};
