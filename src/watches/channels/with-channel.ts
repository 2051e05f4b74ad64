import type { Api } from '../../core/terminal/api.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { findByName } from '../../core/terminal/find-by-name.ts';
import type { ChannelAnswer } from './channels.routes.ts';

/** Calls `work` with the channel of a name or id. */
export const withChannel = async (
  context: CommandContext,
  which: string,
  work: (api: Api, channel: ChannelAnswer) => Promise<void>,
): Promise<void> =>
  await context.withApi(async (api) => work(api, await findByName('channel', which, api.listChannels)));
