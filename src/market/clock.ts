import { setTimeout as delay } from 'node:timers/promises';

/** The time and how to let it pass; an argument so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970 that never run backwards. */
  now: () => number;
  /** Resolves after `ms`, or rejects when the signal aborts first. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The machine's clock; setting the system time does not move it. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};

/** What `work` gives, or a rejection with the signal's reason as soon as that aborts, `work` being left alone. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
