import { deadStatuses, type Instance } from '../../market/instance.ts';

/** Statuses between the rent, or a start, and running; null is one too. Source: docs/marketplace.md#3-states. */
const bootStatuses: readonly (string | null)[] = [null, 'loading', 'created', 'scheduling', 'rebooting'];

/** How long a start without a boot status may still have an effect. */
const startPatienceMs = 10 * 60_000;

/**
 * Whether an instance is being provisioned. `unchangedMs`: how long it has had its status; one that should run and
 * stays stopped (outbid, no room) counts for ten minutes only.
 */
export function isProvisioning(
  { actualStatus, intendedStatus }: Pick<Instance, 'actualStatus' | 'intendedStatus'>,
  unchangedMs: number,
): boolean {
  if (intendedStatus === 'stopped') return false;
  if (bootStatuses.includes(actualStatus)) return true;
  if (intendedStatus !== 'running' || actualStatus === 'running') return false;
  return !deadStatuses.includes(actualStatus ?? '') && unchangedMs < startPatienceMs;
}
