import type { Channel } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { rememberTest } from './chosen-channels.ts';

/** Sends a test message to a channel and remembers the result. Returns whether it was accepted, and the result as a sentence. */
export async function testChannel(
  app: App,
  { id, name }: Channel,
): Promise<{ isSent: boolean; words: string }> {
  const { state, problem } = await app.api.testChannel({ id });
  const isSent = state === 'sent';
  rememberTest(window, id, { at: new Date().toISOString(), isSent });
  return {
    isSent,
    words: isSent ? `Test message sent to ${name}.` : `${name} failed: ${problem ?? state}`,
  };
}
