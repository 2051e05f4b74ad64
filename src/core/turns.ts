import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Long work of a process in short stretches, between which requests of others are answered. */
export interface Turns {
  /** Calls `work(from, to)` for one stretch of [0, `count`) after another. */
  over(count: number, work: (from: number, to: number) => void, step?: number): Promise<void>;
  /** Lets others run if the last time is some milliseconds ago. */
  pass(): Promise<void>;
}

const stretchMs = 8;
/** Steps between two looks at the clock, if a step takes far less than a microsecond. */
const defaultStep = 4_096;

/** Creates turns; the first time, others run at once. */
export function createTurns(now: () => number = () => performance.now()): Turns {
  // What ran before the first stretch is unknown.
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
