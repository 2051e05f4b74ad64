import { setTimeout as delay } from 'node:timers/promises';

/** The time and a way to wait; an argument so that tests need not wait. */
export interface Clock {
  /** Monotonic milliseconds since 1970. */
  now: () => number;
  /** Resolves after `ms`, or rejects when the signal aborts first. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The machine's clock; setting the system time does not move it. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};
