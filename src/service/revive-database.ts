import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';

/**
 * Returns a function that revives the database, one call at a time, and logs why it did not come back: each reason
 * once, however often it is tried.
 */
export function createReviver(revive: () => Promise<void>, log: Log): () => Promise<void> {
  let isBusy = false;
  let logged: string | null = null;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await revive();
      if (logged !== null) log.info({}, 'the database runs again');
      logged = null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason === logged) return;
      logged = reason;
      if (error instanceof UserError)
        log.error({}, `the database did not come back and is tried again by itself: ${reason}`);
      else log.error({ err: error }, 'the database did not come back');
    } finally {
      isBusy = false;
    }
  };
}
