import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import {
  AddressRefusal,
  createGuardedLookup,
  type IsPublic,
  isPublicAddress,
  refusal,
  refuseLiteral,
} from './address-guard.ts';
import type { SendEnd } from './send-end.ts';

/** Sends a body to an address that somebody has configured. */
export interface GuardedPost {
  /** Says how it ended; never throws. */
  post: (url: string, ask: { body: string; headers: Record<string, string> }) => Promise<SendEnd>;
  close: () => Promise<void>;
}

export interface GuardOptions {
  allowPrivate: boolean;
  /** @default that of the system */
  lookup?: LookupFunction | undefined;
  /** Where is not inside. @default isPublicAddress */
  isPublic?: IsPublic | undefined;
  /** Until the answer's head, and again until its end. @default 15000 */
  timeoutMs?: number | undefined;
}

const maxAnswerBytes = 64 * 1024;
/** Answers after which the same may work later. */
const passing = new Set([408, 421, 423, 425, 429]);

/**
 * Posts to the public internet alone unless private addresses are allowed: literal addresses, looked up ones and
 * the one connected to in the end are checked; redirects are not followed.
 */
export function createGuardedPost(options: GuardOptions): GuardedPost {
  const { allowPrivate, isPublic = isPublicAddress, timeoutMs = 15_000 } = options;
  const lookup = allowPrivate ? options.lookup : createGuardedLookup(isPublic, options.lookup);
  const connect = buildConnector({ timeout: timeoutMs, ...(lookup === undefined ? {} : { lookup }) });
  const agent = new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error !== null || socket === null) return callback(error ?? new Error('no socket'), null);
        const { remoteAddress = '' } = socket;
        if (allowPrivate || isPublic(remoteAddress)) return callback(null, socket);
        socket.destroy();
        return callback(refusal(remoteAddress), null);
      }),
  });
  return {
    post: async (url, { body, headers }) => {
      try {
        if (!allowPrivate) refuseLiteral(new URL(url).hostname, isPublic);
        const answer = await request(url, {
          ...{ dispatcher: agent, method: 'POST', body },
          headers: { 'user-agent': 'Offerbook', ...headers },
          signal: AbortSignal.timeout(3 * timeoutMs),
        });
        await answer.body.dump({ limit: maxAnswerBytes }).catch(() => {});
        return endOfStatus(answer.statusCode, answer.headers['retry-after']);
      } catch (error) {
        return endOfError(error);
      }
    },
    close: () => agent.destroy(),
  };
}

function endOfStatus(status: number, retryAfter: string | string[] | undefined): SendEnd {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status >= 300 && status < 400) {
    return { kind: 'refused', reason: `HTTP ${status}: redirects are not followed, set the final address` };
  }
  const reason = `HTTP ${status}`;
  if (status < 500 && !passing.has(status)) return { kind: 'refused', reason };
  const seconds = Number(retryAfter);
  return Number.isFinite(seconds) && seconds > 0
    ? { kind: 'again', reason, afterMs: Math.min(seconds, 3_600) * 1_000 }
    : { kind: 'again', reason };
}

function endOfError(error: unknown): SendEnd {
  for (
    let at = error as (Error & { code?: string }) | undefined;
    at instanceof Error;
    at = at.cause as Error
  ) {
    if (at instanceof AddressRefusal) return { kind: 'refused', reason: at.message };
  }
  // Messages of network errors can hold the address, which may be a secret.
  const { name, code, cause } = error as Error & { code?: string; cause?: { code?: string } };
  return { kind: 'again', reason: cause?.code ?? code ?? name };
}
