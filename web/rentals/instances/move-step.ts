import type { InstanceDetail } from '../../core/api.ts';

/**
 * How far the move of an instance to a cheaper machine is. `moved`: it has ended or is being destroyed, and the other one
 * is there.
 */
export type MoveStep = 'none' | 'found' | 'waiting' | 'ready' | 'failed' | 'moved';

/** Returns how far a move is, from the instance, its replacement and the newest book alone. */
export function moveStep({
  instance,
  equal,
  replacement,
}: Pick<InstanceDetail, 'instance' | 'equal' | 'replacement'>): MoveStep {
  const isEnding = instance.endedAt !== null || instance.wanted === 'destroyed';
  if (replacement !== null && replacement.endedAt === null) {
    if (['start-failed', 'unsettled', 'down'].includes(replacement.state)) return 'failed';
    if (isEnding) return 'moved';
    return replacement.state === 'ready' ? 'ready' : 'waiting';
  }
  return equal !== null && !isEnding ? 'found' : 'none';
}
