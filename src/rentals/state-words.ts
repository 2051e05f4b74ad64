import type { RentalState } from './rental.ts';

/** What people read for each state, in the terminal as on the page; codes are for JSON. */
const words: Readonly<Record<RentalState, string>> = {
  creating: 'creating',
  settling: 'confirming with the market',
  unsettled: 'unclear: needs your decision',
  failed: 'not rented',
  provisioning: 'starting',
  running: 'running, SSH not reachable yet',
  ready: 'running, ready',
  stopped: 'stopped',
  down: 'down',
  'start-failed': 'failed to start',
  destroying: 'destroying',
  destroyed: 'destroyed',
};

/** Returns a state in words; an unknown one as the market names it. */
export const stateWords = (state: string): string =>
  (words as Readonly<Record<string, string>>)[state] ?? state;

/** The name of whoever acts on the page without a token of their own. */
const pageSession = 'session';

/** Returns who rented an instance, in words; null: not through Offerbook. */
export const renterWords = (by: string | null): string =>
  by === null ? 'elsewhere' : by === pageSession ? 'on the page' : by;

/** Returns who did something, after a verb: `by alice`, `on the page`. */
export const byWords = (by: string): string => (by === pageSession ? renterWords(by) : `by ${by}`);
