import type { Instance } from '../../core/api.ts';
import { formatAmount } from '../../core/figures.ts';

/** The description of an instance's state, and its icon. */
export interface StateWords {
  text: string;
  grade: 'complete' | 'partial' | 'failed' | 'stopped' | 'destroyed' | 'unchanged' | 'running';
}

const words: Record<string, StateWords> = {
  creating: { text: 'creating', grade: 'running' },
  settling: { text: 'confirming with the market', grade: 'partial' },
  unsettled: { text: 'unclear: needs your decision', grade: 'failed' },
  failed: { text: 'not rented', grade: 'failed' },
  provisioning: { text: 'starting', grade: 'running' },
  running: { text: 'running, SSH not reachable yet', grade: 'running' },
  ready: { text: 'running, ready', grade: 'complete' },
  stopped: { text: 'stopped', grade: 'stopped' },
  down: { text: 'down', grade: 'failed' },
  'start-failed': { text: 'failed to start', grade: 'failed' },
  destroying: { text: 'destroying', grade: 'running' },
  destroyed: { text: 'destroyed', grade: 'destroyed' },
};

/** Returns a state in words; an unknown one as the market names it. */
export const stateWords = (state: string): StateWords => words[state] ?? { text: state, grade: 'partial' };

/** Whether Offerbook knows a state, so that it is not one of the market's own words. */
export const isKnownState = (state: string): boolean => Object.hasOwn(words, state);

/** Whether an instance in a state neither runs nor will. */
export const neverRuns = (state: string): boolean =>
  ['start-failed', 'failed', 'destroying', 'destroyed'].includes(state);

/** Whether an instance in a state does not run yet, or not at the moment. */
export const runsLater = (state: string): boolean =>
  ['creating', 'settling', 'provisioning', 'stopped'].includes(state);

/** Whether an instance was just rented, so that its price is in the market's next list, which comes in seconds. */
export const isListedSoon = ({
  state,
  billedUsdPerHour,
  quotedUsdPerHour,
}: Pick<Instance, 'state' | 'billedUsdPerHour' | 'quotedUsdPerHour'>): boolean =>
  billedUsdPerHour === null && quotedUsdPerHour !== null && ['creating', 'provisioning'].includes(state);

/** Returns the possible actions for an instance in a state. */
export function possibleActions(state: string): ('stop' | 'start' | 'destroy')[] {
  if (['failed', 'destroyed', 'destroying', 'creating', 'settling', 'unsettled'].includes(state)) return [];
  return state === 'stopped' ? ['start', 'destroy'] : ['stop', 'destroy'];
}

/** A button whose place is the same in every state. */
export interface ActionSlot {
  kind: 'stop' | 'start' | 'destroy';
  /** Why it cannot be used in this state; null: it can. */
  reason: string | null;
}

/** Returns the buttons of an instance in a state, those of no use included, so that none moves as the state changes. */
export function actionSlots(state: string): ActionSlot[] {
  const possible = possibleActions(state);
  const reason =
    possible.length > 0
      ? null
      : state === 'destroying'
        ? 'It is being destroyed'
        : 'It is still being rented';
  return [
    { kind: possible.includes('start') ? 'start' : 'stop', reason },
    { kind: 'destroy', reason },
  ];
}

const becomes = { stop: 'stopped', start: 'started', destroy: 'destroyed' } as const;

/** Returns what became of a stop, start or destroy, `The market accepted the request to stop my job.`, and what the list then says. */
export function sentWords(
  kind: 'stop' | 'start' | 'destroy',
  name: string,
  outcome: 'accepted' | 'pending',
): string {
  if (outcome === 'pending')
    return `${name} is being ${becomes[kind]}: retrying until the market confirms it.`;
  const then = kind === 'destroy' ? ' Once it is gone, it is listed as destroyed under Ended.' : '';
  return `The market accepted the request to ${kind} ${name}.${then}`;
}

/** Formats the cost, as a lower bound or unknown if a rate was unknown. */
export function costWords({ usd, isLowerBound }: Instance['cost']): string {
  if (!isLowerBound) return formatAmount(usd);
  return Number(usd) === 0 ? 'unknown' : `${formatAmount(usd)} or more`;
}
