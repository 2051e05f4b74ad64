import type { Channel } from '../core/api.ts';
import type { App, Warning } from '../core/app.ts';
import { addingChannels, reasonFor } from '../core/permission.ts';
import { getNow } from '../core/server-time.ts';
import { canNotify, channelLabel, type NamedChannel, placeOfFiles } from './channel-names.ts';
import { rememberTest } from './chosen-channels.ts';

type Told = Pick<Channel, 'name' | 'offReason'>;

/** Returns that a channel was added, and why nothing is sent to it, if so. */
export const addedWords = (channel: Told): string | Warning => savedWords(channel, 'added');

/** Returns the same of a changed channel; one that is sent to as before needs no test. */
export const changedWords = (channel: Told, isSentAsBefore: boolean): string | Warning =>
  savedWords(channel, isSentAsBefore ? 'saved' : 'changed', isSentAsBefore ? '' : undefined);

const savedWords = (
  { name, offReason }: Told,
  done: string,
  advice = ' Send a test message to check it.',
): string | Warning =>
  offReason === null
    ? `${name} ${done}.${advice}`
    : { warning: `${name} ${done}, but nothing is sent to it: ${offReason}.` };

/** Sends a test message to a channel and remembers the result. Returns whether it was accepted, and the result as a sentence. */
export async function testChannel(app: App, channel: Channel): Promise<{ isSent: boolean; words: string }> {
  const { id, name } = channel;
  const mayCorrect = reasonFor(app, addingChannels) === null;
  const { state, problem } = await app.api.testChannel({ id });
  const isSent = state === 'sent';
  rememberTest(window, id, { at: new Date(getNow()).toISOString(), isSent });
  return {
    isSent,
    words: isSent ? acceptedWords(channel) : refusedWords(name, problem ?? state, mayCorrect),
  };
}

/** Returns that a channel accepted its test; one of files says where it wrote it. */
export const acceptedWords = (channel: NamedChannel): string =>
  canNotify(channel)
    ? `Test message sent to ${channelLabel(channel)}.`
    : `Test message of ${channel.name} written to a file in ${placeOfFiles(channel)}.`;

/** Tells which setting to change: nothing under Watches corrects it. */
const settingAdvice = /\bset [A-Z_]+=/;

/** Returns that a channel did not accept its test, and why. */
export const failedWords = (name: string, problem: string): string =>
  `The test message to ${name} failed: ${problem}.`;

/** Returns that a channel did not accept its test, why, and how to correct it. */
export function refusedWords(name: string, problem: string, mayCorrect: boolean): string {
  const said = failedWords(name, problem);
  if (!mayCorrect) return `${said} Ask an admin to correct it.`;
  return settingAdvice.test(problem) ? said : `${said} Correct it under Watches, in its row of Channels.`;
}
