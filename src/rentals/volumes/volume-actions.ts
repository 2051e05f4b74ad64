import { UserError } from '../../core/errors.ts';
import type { VolumeCalls } from '../../market/vast/extensions/volumes.ts';
import { requireActions, requireSwitch } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { audited } from '../audited.ts';

/** The market's calls about volumes. Throws a UserError where it has none. */
export function volumeCalls({ client }: Pick<Actor, 'client'>): VolumeCalls {
  const { volumes } = client.extensions;
  if (volumes !== null) return volumes;
  throw new UserError('This market lists and deletes no volumes (extensions.volumes of the dialect).');
}

/** Makes a volume of a volume offer, which costs from then on. Throws GuardRefusal and MarketError. */
export async function createVolume(
  actor: Actor,
  { volumeOfferId, sizeGb, by }: { volumeOfferId: number; sizeGb: number; by: string },
): Promise<{ volumeName: string }> {
  requireActions(actor.limits.actions);
  await requireSwitch(actor.sql);
  const { client } = actor;
  return await audited(actor, { by, action: 'create-volume', detail: { volumeOfferId, sizeGb } }, () =>
    client.createVolume({ volumeOfferId, sizeGb }),
  );
}

/** Deletes a volume with its data. Throws GuardRefusal and MarketError. */
export async function deleteVolume(actor: Actor, volumeId: number, by: string): Promise<void> {
  requireActions(actor.limits.actions);
  const calls = volumeCalls(actor);
  await audited(actor, { by, action: 'delete-volume', detail: { volumeId } }, () =>
    calls.deleteVolume(volumeId),
  );
}
