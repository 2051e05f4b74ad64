import type { Instance } from '../../market/instance.ts';
import {
  isBooting,
  isDead,
  isMeantToRun,
  isMeantToStop,
  isRebooting,
  isRunning,
} from '../../market/instance-status.ts';

/** How long a start without a boot status may still have an effect. */
const startPatienceMs = 10 * 60_000;

/**
 * Whether an instance is being provisioned. `unchangedMs`: how long it has had its status; an instance that should run
 * and stays stopped (outbid, no room) counts for ten minutes only.
 */
export function isProvisioning(
  instance: Pick<Instance, 'actualStatus' | 'intendedStatus'>,
  unchangedMs: number,
): boolean {
  if (isMeantToStop(instance)) return false;
  if (isBooting(instance) || isRebooting(instance)) return true;
  if (!isMeantToRun(instance) || isRunning(instance)) return false;
  return !isDead(instance) && unchangedMs < startPatienceMs;
}
