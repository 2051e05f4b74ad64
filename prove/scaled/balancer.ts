import { setTimeout as delay } from 'node:timers/promises';

/** A process that answers requests; `null`: it is killed at the moment. */
export interface Backend {
  url: string | null;
  killedAt: number;
}

/** How a request ended. `lost`: it was in flight to a process that was killed; `broken`: its connection failed otherwise. */
export type Ending =
  | { kind: 'answered'; status: number; retryAfter: string | null; text: string }
  | { kind: 'lost' }
  | { kind: 'broken'; why: string };

export interface Reply {
  ending: Ending;
  ms: number;
  at: number;
}

const token = 'a-token-of-the-proofs';

/** Sends requests to the living processes in turn, as a proxy in front of them does. */
export function createBalancer(backends: readonly Backend[]) {
  let turn = 0;
  const next = async (): Promise<Backend> => {
    for (;;) {
      turn += 1;
      const backend = backends[turn % backends.length];
      if (backend?.url) return backend;
      if (backends.every(({ url }) => url === null)) await delay(20);
    }
  };
  return async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const backend = await next();
    const at = performance.now();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
    const end = (ending: Ending): Reply => ({ ending, at, ms: performance.now() - at });
    try {
      const answer = await fetch(`${backend.url}${path}`, {
        ...init,
        headers,
        signal: AbortSignal.timeout(60_000),
      });
      const text = await answer.text();
      const retryAfter = answer.headers.get('retry-after');
      return end({ kind: 'answered', status: answer.status, retryAfter, text });
    } catch (error) {
      if (backend.killedAt >= at) return end({ kind: 'lost' });
      const { message, cause } = error as Error;
      return end({
        kind: 'broken',
        why: `${path}: ${message} ${String((cause as Error | undefined)?.message)}`,
      });
    }
  };
}

export type Balancer = ReturnType<typeof createBalancer>;
