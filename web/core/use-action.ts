import { useState } from 'preact/hooks';
import { type Problem, problemOf } from './api-client.ts';
import type { App, Warning } from './app.ts';

/** An action started by the reader. */
export interface Action {
  /** Whether one is running, or none can run because there is no server. */
  busy: boolean;
  /** Why the last attempt failed; null: no failure. */
  problem: Problem | null;
  /** Runs `work` unless an action is running, and announces the returned sentence. Returns whether it succeeded. */
  run(work: () => Promise<string | Warning | undefined>): Promise<boolean>;
  clear(): void;
}

/** Runs one action at a time and holds the problem of the last attempt. */
export function useAction(app: App): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  return {
    // Without a server nothing can be changed.
    busy: busy || app.offlineSince.value !== null,
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
