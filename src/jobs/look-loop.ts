/** A loop that looks for work until it is stopped. */
export interface LookLoop {
  /** Looks now instead of after the pause. */
  wake: () => void;
  /** Looks no more; resolves when the current look has ended. */
  stop: () => Promise<void>;
}

/** Calls `look`, pauses for `everyMs` or until it is woken, and repeats. Errors of `look` go to `onError`. */
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
