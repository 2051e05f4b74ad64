import { readActionSwitch } from '../db/acting/action-switch.ts';
import { writeAudit } from '../db/acting/audit.ts';
import { MarketError, UserError } from '../domain/errors.ts';
import type { VolumeCalls } from '../market/extensions/volumes.ts';
import { GuardRefusal, requireActions } from './actions-switch.ts';
import type { Actor } from './actor.ts';

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
  const stands = await readActionSwitch(actor.sql);
  if (stands?.enabled === false) {
    throw new GuardRefusal('kill-switch', `${stands.changedBy} has switched new rentals off.`);
  }
  const { client } = actor;
  return await noted(actor, { by, action: 'create-volume', detail: { volumeOfferId, sizeGb } }, () =>
    client.createVolume({ volumeOfferId, sizeGb }),
  );
}

/** Deletes a volume with its data. Throws GuardRefusal and MarketError. */
export async function deleteVolume(actor: Actor, volumeId: number, by: string): Promise<void> {
  requireActions(actor.limits.actions);
  const calls = volumeCalls(actor);
  await noted(actor, { by, action: 'delete-volume', detail: { volumeId } }, () =>
    calls.deleteVolume(volumeId),
  );
}

/** Does it with an entry in the audit log before and after. */
async function noted<T>(
  { sql, market, now }: Actor,
  { by, action, detail }: { by: string; action: string; detail: object },
  act: () => Promise<T>,
): Promise<T> {
  const entry = { market: market.name, actor: by, action };
  await writeAudit(sql, { ...entry, at: now(), phase: 'before', detail });
  try {
    const made = await act();
    await writeAudit(sql, {
      ...entry,
      at: now(),
      phase: 'after',
      detail: { ...detail, outcome: 'accepted' },
    });
    return made;
  } catch (error) {
    const outcome = error instanceof MarketError ? error.message : 'not sent';
    await writeAudit(sql, { ...entry, at: now(), phase: 'after', detail: { ...detail, outcome } });
    throw error;
  }
}
