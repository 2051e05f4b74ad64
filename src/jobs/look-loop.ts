/** Looks that go on until they are stopped. */
export interface LookLoop {
  /** Looks now instead of within the pause. */
  wake: () => void;
  /** Begins no further look; resolves when the one under way is over. */
  stop: () => Promise<void>;
}

/** Looks, pauses for `everyMs` or until it is woken, and looks again. What `look` throws goes to `onError`. */
export function startLookLoop(
  look: () => Promise<void>,
  { everyMs, onError }: { everyMs: number; onError: (error: unknown) => void },
): LookLoop {
  let stopped = false;
  let wake = (): void => {};
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await look().catch(onError);
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, everyMs);
      if (stopped) resolve();
      await promise;
      clearTimeout(timer);
    }
  };
  const looping = loop();
  return {
    wake: () => wake(),
    stop: async () => {
      stopped = true;
      wake();
      await looping;
    },
  };
}
