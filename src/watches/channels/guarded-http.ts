import { createGuardedAgent, failureOf, type GuardOptions } from '../../core/outgoing/guarded-agent.ts';
import { undici } from '../../core/outgoing/undici.ts';
import { unreachableWords } from '../../core/outgoing/unreachable-words.ts';
import type { SendEnd } from './send-end.ts';

/** Sends requests to configured addresses. */
export interface GuardedHttp {
  /** Returns the result; never throws. */
  send: (
    url: string,
    ask: { method: 'POST' | 'PUT'; body: string | Uint8Array; headers: Record<string, string> },
  ) => Promise<SendEnd>;
  /** Returns why an address is never sent to, by how it is written; null: it may be. */
  problemOf: (url: string) => string | null;
  close: () => Promise<void>;
}

const maxAnswerBytes = 64 * 1024;
/** Statuses after which a later attempt may work. */
const passing = new Set([408, 421, 423, 425, 429]);

/**
 * Only sends to the public internet unless private addresses are allowed: checks literal addresses, resolved ones and
 * the one finally connected to, and follows no redirects.
 */
export function createGuardedHttp(options: GuardOptions): GuardedHttp {
  const { agent, timeoutMs, check } = createGuardedAgent(options);
  return {
    send: async (url, { method, body, headers }) => {
      try {
        check(url);
        const answer = await undici().request(url, {
          dispatcher: agent,
          method,
          body,
          headers: { 'user-agent': 'Offerbook', ...headers },
          signal: AbortSignal.timeout(3 * timeoutMs),
        });
        await answer.body.dump({ limit: maxAnswerBytes }).catch(() => {});
        return endOfStatus(answer.statusCode, answer.headers['retry-after']);
      } catch (error) {
        return endOfError(error, url);
      }
    },
    problemOf: (url) => {
      if (!URL.canParse(url)) return null;
      try {
        check(url);
        return null;
      } catch (error) {
        return failureOf(error).reason;
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
  if (status < 500 && !passing.has(status)) return { kind: 'refused', reason, httpStatus: status };
  const seconds = Number(retryAfter);
  return Number.isFinite(seconds) && seconds > 0
    ? { kind: 'again', reason, afterMs: Math.min(seconds, 3_600) * 1_000 }
    : { kind: 'again', reason };
}

function endOfError(error: unknown, url: string): SendEnd {
  const { reason, isRefused } = failureOf(error);
  return isRefused ? { kind: 'refused', reason } : { kind: 'again', reason: unreachableWords(reason, url) };
}
