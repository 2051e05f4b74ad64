import type { Api } from '../../core/terminal/api.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import { readAll } from '../../core/terminal/find-by-name.ts';
import type { DeliveryAnswer } from './deliveries.routes.ts';
import { missingOf } from './missing-of.ts';

type Sent = Pick<DeliveryAnswer, 'channelId' | 'channelName' | 'state' | 'problem'>;

/** Says of each delivery that a command did not send why, and who sends it; one that never will be sent is a failure. */
export async function noteUnsent(
  context: CommandContext,
  api: Api,
  deliveries: readonly Sent[],
): Promise<void> {
  const unsent = deliveries.filter(({ state }) => state !== 'sent');
  if (unsent.length === 0) return;
  const channels = await readAll(api.listChannels);
  for (const { channelId, channelName, state, problem } of unsent) {
    if (state !== 'queued') {
      context.note(`${channelName}: ${state}: ${problem ?? 'no reason is known'}`);
      context.exitWith(exitCodes.failed);
    } else if (problem !== null) {
      context.note(`${channelName}: not sent yet, and tried again by the running service: ${problem}`);
    } else if (context.config().serverUrl === null) {
      const kind = channels.find(({ id }) => id === channelId)?.kind;
      const missing = kind === undefined ? null : await missingOf(context, api, kind);
      context.note(
        `${channelName}: it waits for the running service to send it.${missing === null ? '' : ` ${missing}`}`,
      );
    }
  }
}
