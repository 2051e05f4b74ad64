import type { ChannelTest } from '../core/api.ts';

/** Returns the result of a test message as a sentence. */
export const testWords = (name: string, { state, problem }: ChannelTest): string =>
  state === 'sent' ? `Test message sent to ${name}.` : `${name} failed: ${problem ?? state}`;
