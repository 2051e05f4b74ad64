import { request } from 'undici';
import { createGuardedAgent, failureOf, type GuardOptions } from '../../core/outgoing/guarded-agent.ts';
import type { SendEnd } from './send-end.ts';

/** Sends a body to an address that somebody has configured. */
export interface GuardedPost {
  /** Says how it ended; never throws. */
  post: (url: string, ask: { body: string; headers: Record<string, string> }) => Promise<SendEnd>;
  close: () => Promise<void>;
}

const maxAnswerBytes = 64 * 1024;
/** Answers after which the same may work later. */
const passing = new Set([408, 421, 423, 425, 429]);

/**
 * Posts to the public internet alone unless private addresses are allowed: literal addresses, looked up ones and
 * the one connected to in the end are checked; redirects are not followed.
 */
export function createGuardedPost(options: GuardOptions): GuardedPost {
  const { agent, timeoutMs, check } = createGuardedAgent(options);
  return {
    post: async (url, { body, headers }) => {
      try {
        check(url);
        const answer = await request(url, {
          dispatcher: agent,
          method: 'POST',
          body,
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
  const { reason, isRefused } = failureOf(error);
  return { kind: isRefused ? 'refused' : 'again', reason };
}
