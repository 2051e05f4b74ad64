import { useState } from 'preact/hooks';
import { type Problem, problemOf } from './api-client.ts';
import type { App } from './app.ts';

/** Something that the reader sets off. */
export interface Action {
  busy: boolean;
  /** Why the last try failed; null: it did not. */
  problem: Problem | null;
  /** Does `work` unless one is under way; says what it returns, where that is a sentence. True: it was done. */
  run(work: () => Promise<string | undefined>): Promise<boolean>;
  clear(): void;
}

/** One thing at a time, with the problem of the last try. */
export function useAction(app: App): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  return {
    busy,
    problem,
    clear: () => setProblem(null),
    async run(work) {
      if (busy) return false;
      setBusy(true);
      setProblem(null);
      try {
        const said = await work();
        if (said !== undefined) app.say(said);
        return true;
      } catch (error) {
        setProblem(problemOf(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
