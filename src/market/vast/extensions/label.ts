/**
 * Label change: the instance's own PUT with `label`. Public. Source: docs/marketplace.md#46-stop-an-instance.
 * Auth: the acting key. Rate limit: `minIntervalSeconds.changeInstance`, shared with stop and start.
 * Quirks: a market may silently ignore labels, which the list shows.
 * Trust: changed only if the response says `success: true`; sent once.
 */
import type { ChangeLabel } from '../../account.ts';
import { type Engines, pathOf, sendAct } from '../call.ts';
import type { Dialect } from '../dialect.ts';
import { refuseNoId } from '../instances.ts';

/** Creates the label change over `engines`; null if the dialect has no labels. */
export function createLabelChange(engines: Engines, dialect: Dialect): ChangeLabel | null {
  const { path, labelParameter } = dialect.instances;
  if (labelParameter === null) return null;
  return async (instanceId, label, { signal } = {}) => {
    refuseNoId(instanceId);
    const body = { [labelParameter]: label };
    await sendAct(engines.act, 'changeInstance', 'PUT', pathOf(path, instanceId), body, signal);
  };
}
