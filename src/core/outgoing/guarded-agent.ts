import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import {
  AddressRefusal,
  createGuardedLookup,
  type IsPublic,
  isPublicAddress,
  refusal,
  refuseLiteral,
} from './address-guard.ts';
import { undici } from './undici.ts';

export interface GuardOptions {
  allowPrivate: boolean;
  /** @default the system's */
  lookup?: LookupFunction | undefined;
  /** Whether an address is public. @default isPublicAddress */
  isPublic?: IsPublic | undefined;
  /** Time to the response's headers, and again to its end. @default 15000 */
  timeoutMs?: number | undefined;
}

/** Sends requests only to the public internet, unless private addresses are allowed. */
export interface GuardedAgent {
  agent: Agent;
  timeoutMs: number;
  /** Throws AddressRefusal for a URL with a literal private address. */
  check: (url: string) => void;
}

/** Creates the agent. Checks literal addresses, resolved ones and the one finally connected to. */
export function createGuardedAgent(options: GuardOptions): GuardedAgent {
  const { allowPrivate, isPublic = isPublicAddress, timeoutMs = 15_000 } = options;
  const lookup = allowPrivate ? options.lookup : createGuardedLookup(isPublic, options.lookup);
  const { Agent, buildConnector } = undici();
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

/** Returns the guard's reason for a failure, else a code: network error messages may contain a secret address. */
export function failureOf(error: unknown): { reason: string; isRefused: boolean } {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof AddressRefusal) return { reason: at.message, isRefused: true };
  }
  const { name, code, cause } = error as Error & { code?: string; cause?: { code?: string } };
  return { reason: cause?.code ?? code ?? name, isRefused: false };
}
