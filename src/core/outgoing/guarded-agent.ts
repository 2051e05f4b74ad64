import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import {
  AddressRefusal,
  createGuardedLookup,
  type IsPublic,
  isPublicAddress,
  refusal,
  refuseLiteral,
} from './address-guard.ts';

export interface GuardOptions {
  allowPrivate: boolean;
  /** @default that of the system */
  lookup?: LookupFunction | undefined;
  /** Where is not inside. @default isPublicAddress */
  isPublic?: IsPublic | undefined;
  /** Until the answer's head, and again until its end. @default 15000 */
  timeoutMs?: number | undefined;
}

/** What sends requests to the public internet alone, unless private addresses are allowed. */
export interface GuardedAgent {
  agent: Agent;
  timeoutMs: number;
  /** Throws AddressRefusal for an address whose host is written as one inside. */
  check: (url: string) => void;
}

/** Literal addresses, looked up ones and the one connected to in the end are checked. */
export function createGuardedAgent(options: GuardOptions): GuardedAgent {
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
    agent,
    timeoutMs,
    check: (url) => {
      if (!allowPrivate) refuseLiteral(new URL(url).hostname, isPublic);
    },
  };
}

/** Why a request failed: what the guard says, else a code. Messages of network errors can hold a secret address. */
export function failureOf(error: unknown): { reason: string; isRefused: boolean } {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof AddressRefusal) return { reason: at.message, isRefused: true };
  }
  const { name, code, cause } = error as Error & { code?: string; cause?: { code?: string } };
  return { reason: cause?.code ?? code ?? name, isRefused: false };
}
