import { request } from 'undici';
import { UserError } from '../../core/errors.ts';
import { createGuardedAgent, failureOf, type GuardOptions } from '../../core/outgoing/guarded-agent.ts';

/** The text at an address. Throws UserError, with the address, for what cannot be had. */
export type FetchText = (url: string, limits: { maxBytes: number; signal: AbortSignal }) => Promise<string>;

/** In all, however the bytes come. */
const maxFetchMs = 120_000;

/** Fetches as channels send: from the public internet alone unless it is allowed, without following redirects. */
export function createFetchText(options: GuardOptions): FetchText {
  return async (url, { maxBytes, signal }) => {
    const { agent, check } = createGuardedAgent(options);
    const fail = (reason: string) => new UserError(`${shownAddress(url)} cannot be fetched: ${reason}.`);
    try {
      check(url);
      const answer = await request(url, {
        ...{ dispatcher: agent, headers: { 'user-agent': 'Offerbook', accept: 'text/csv, text/plain' } },
        signal: AbortSignal.any([signal, AbortSignal.timeout(maxFetchMs)]),
      });
      const { statusCode: status } = answer;
      if (status >= 300 && status < 400)
        throw fail(`HTTP ${status}: redirects are not followed, give the final address`);
      if (status !== 200) throw fail(`HTTP ${status}`);
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw fail(`it has more than ${maxBytes / 1024 / 1024} MB`);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } catch (error) {
      throw error instanceof UserError ? error : fail(failureOf(error).reason);
    } finally {
      await agent.destroy();
    }
  };
}

/** An address without what may be a secret of it. */
export function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
