import type { ApiError } from '../../../client/client.js';

/** Returns what is wrong in a sentence, then a line for each field that the sentence leaves out. */
export function wordsOfApiError({ message, kind, problem }: ApiError): string {
  // A guard's name is no option of the command.
  const shown = (name: string): string => (kind === 'guard-refused' ? name : `\`${name}\``);
  const lines = (problem?.errors ?? [])
    .filter(({ detail }) => !message.includes(detail))
    .map(({ name, detail }) => `${shown(name)} ${detail}`);
  return [/[.?!:]$/.test(message) ? message : `${message}.`, ...lines].join('\n');
}
