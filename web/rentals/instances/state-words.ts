import type { Instance } from '../../core/api.ts';
import { formatAmount } from '../../core/figures.ts';
/** What an instance's state means, in words, and how it is drawn. */
export interface StateWords {
  text: string;
  grade: 'complete' | 'partial' | 'failed' | 'unchanged' | 'running';
}

const words: Record<string, StateWords> = {
  creating: { text: 'creating', grade: 'running' },
  settling: { text: 'confirming with the market', grade: 'partial' },
  unsettled: { text: 'unclear: needs your decision', grade: 'failed' },
  failed: { text: 'not rented', grade: 'failed' },
  provisioning: { text: 'starting', grade: 'running' },
  running: { text: 'running, SSH not reachable yet', grade: 'running' },
  ready: { text: 'ready', grade: 'complete' },
  stopped: { text: 'stopped', grade: 'unchanged' },
  down: { text: 'down', grade: 'failed' },
  'start-failed': { text: 'failed to start', grade: 'failed' },
  destroying: { text: 'destroying', grade: 'running' },
  destroyed: { text: 'destroyed', grade: 'unchanged' },
};

/** A state in words; one that is not known, as the market says it. */
export const stateWords = (state: string): StateWords => words[state] ?? { text: state, grade: 'partial' };

/** What can be done with an instance in a state. */
export function possibleActions(state: string): ('stop' | 'start' | 'destroy')[] {
  if (['failed', 'destroyed', 'destroying', 'creating', 'settling', 'unsettled'].includes(state)) return [];
  return state === 'stopped' ? ['start', 'destroy'] : ['stop', 'destroy'];
}

/** What it came to; where a rate was unknown at least that, or nothing that can be said. */
export function costWords({ usd, isLowerBound }: Instance['cost']): string {
  if (!isLowerBound) return formatAmount(usd);
  return Number(usd) === 0 ? 'unknown' : `${formatAmount(usd)} or more`;
}
