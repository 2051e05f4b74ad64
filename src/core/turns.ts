import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Splits long work into short stretches, so that the process can answer requests in between. */
export interface Turns {
  /** Calls `work(from, to)` for one stretch of [0, `count`) after another. */
  over(count: number, work: (from: number, to: number) => void, step?: number): Promise<void>;
  /** Lets other work run, unless it ran less than some milliseconds ago. */
  pass(): Promise<void>;
}

const stretchMs = 8;
/** Steps between two checks of the clock, for steps that take far less than a microsecond. */
const defaultStep = 4_096;

/** Creates turns; the first `pass` always lets other work run. */
export function createTurns(now: () => number = () => performance.now()): Turns {
  // How long this process has already been busy is unknown.
  let since = Number.NEGATIVE_INFINITY;
  const pass = async (): Promise<void> => {
    if (now() - since < stretchMs) return;
    await letOthersRun();
    since = now();
  };
  return {
    pass,
    over: async (count, work, step = defaultStep) => {
      for (let from = 0; from < count; from += step) {
        work(from, Math.min(count, from + step));
        await pass();
      }
    },
  };
}
