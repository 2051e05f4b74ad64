import type { VolumeCalls } from '../../market/volume.ts';
import { requireActions, requireSwitch } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { audited } from '../audited.ts';
import { present } from '../market-capability.ts';

/** The market's volume calls. Throws a UserError if it has none. */
export const volumeCalls = ({ account }: Pick<Actor, 'account'>): VolumeCalls =>
  present(account.volumes, 'list or delete volumes');

/** Creates a volume from a volume offer; it costs money from then on. Throws GuardRefusal and MarketError. */
export async function createVolume(
  actor: Actor,
  { volumeOfferId, sizeGb, by }: { volumeOfferId: number; sizeGb: number; by: string },
): Promise<{ volumeName: string }> {
  requireActions(actor.limits.actions);
  await requireSwitch(actor.sql);
  const create = present(actor.account.createVolume, 'make volumes');
  return await audited(actor, { by, action: 'create-volume', detail: { volumeOfferId, sizeGb } }, () =>
    create({ volumeOfferId, sizeGb }),
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
