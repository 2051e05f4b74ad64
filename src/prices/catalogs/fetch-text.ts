import { UserError } from '../../core/errors.ts';
import { createGuardedAgent, failureOf, type GuardOptions } from '../../core/outgoing/guarded-agent.ts';
import { undici } from '../../core/outgoing/undici.ts';

/** Returns the text at an address. Throws UserError, with the address, if it cannot be fetched. */
export type FetchText = (url: string, limits: { maxBytes: number; signal: AbortSignal }) => Promise<string>;

/** For the whole fetch, however the bytes arrive. */
export const maxReadMs = 120_000;

/** Advice for a catalog that is too large or slow. */
const byHand = 'download it, keep the rows with GPUs, and import the file';

/**
 * Fetches as channels send: only from the public internet unless allowed, and without following redirects. `maxMs`
 * @default maxReadMs
 */
export function createFetchText(options: GuardOptions & { maxMs?: number }): FetchText {
  const { maxMs = maxReadMs } = options;
  return async (url, { maxBytes, signal }) => {
    const { agent, check, timeoutMs } = createGuardedAgent(options);
    const fail = (reason: string) => new UserError(`${shownAddress(url)} cannot be fetched: ${reason}.`);
    const inTime = AbortSignal.timeout(maxMs);
    try {
      check(url);
      const answer = await undici().request(url, {
        dispatcher: agent,
        headers: { 'user-agent': 'Offerbook', accept: 'text/csv, text/plain' },
        signal: AbortSignal.any([signal, inTime]),
      });
      const { statusCode: status } = answer;
      if (status >= 300 && status < 400)
        throw fail(`HTTP ${status}: redirects are not followed, give the final address`);
      if (status !== 200) throw fail(`HTTP ${status}`);
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw fail(`it has more than ${maxBytes / 1024 / 1024} MB; ${byHand}`);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } catch (error) {
      if (error instanceof UserError) throw error;
      if (inTime.aborted)
        throw fail(`it did not end within ${maxMs / 1_000} s; try again later, or ${byHand}`);
      const { reason } = failureOf(error);
      throw fail(
        /TIMEOUT/.test(reason)
          ? `no answer within ${timeoutMs / 1_000} s (${reason}); try again later`
          : reason,
      );
    } finally {
      await agent.destroy();
    }
  };
}

/** Returns an address without parts that may be secret. */
export function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
