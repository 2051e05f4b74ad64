import { requireActions } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { appendAudit } from '../audit.sql.ts';
import { audited } from '../audited.ts';
import { publishEvent } from '../events.sql.ts';
import { RentRefusal } from '../rent/rent-refusal.ts';
import { nameRental } from '../rent/rentals.sql.ts';
import { type EndAction, endOf, type RentalEnd, taggedLabel } from '../rental.ts';
import { enterSpend } from '../spend-moment.sql.ts';
import { changeBid } from './change-bid.ts';
import { noteInstanceFacts } from './instance-facts.sql.ts';
import { knownInstance } from './known-instance.ts';
import { findPlan, type InstancePlan, planLimits } from './plans.sql.ts';

/** Changes of an instance; undefined: unchanged, null: removed. */
export interface InstanceChange {
  label?: string | null | undefined;
  costCenter?: string | null | undefined;
  bidUsdPerHour?: number | undefined;
  maxHours?: number | null | undefined;
  endAction?: EndAction | undefined;
}

/**
 * Changes the label, cost center, bid and hours of an instance. The hours count from its rent. Throws the 404 for
 * an instance that the account lacks, RentRefusal for an end action without hours, GuardRefusal for a bid above the
 * limits, MarketError.
 */
export async function nameInstance(
  actor: Actor,
  instanceId: number,
  change: InstanceChange,
  { by, signal }: { by: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const { sql, market, now } = actor;
  const { known: instance, rental } = await knownInstance(actor, instanceId);
  const { label, costCenter, bidUsdPerHour } = change;
  const begin = rental?.createdAt ?? instance?.startedAt ?? instance?.firstSeenAt ?? now();
  const end = endAfter(change, await findPlan(sql, market.id, instanceId), begin);
  if (bidUsdPerHour !== undefined) await changeBid(actor, instanceId, bidUsdPerHour, { by, signal });
  if (label !== undefined) {
    const sent = rental === null ? (label ?? '') : taggedLabel(label, rental.id);
    const { changeLabel } = actor.account;
    if (changeLabel !== null) {
      requireActions(actor.limits.actions);
      await audited(actor, { by, action: 'label', instanceId, detail: { label: sent } }, async () => {
        await changeLabel(instanceId, sent, { signal });
      });
    }
  }
  const at = now();
  await sql.begin(async (tx) => {
    await appendAudit(tx, {
      at,
      market: market.name,
      actor: by,
      action: 'change',
      phase: 'after' as const,
      instanceId,
      rentalId: rental?.id,
      detail: { ...change },
    });
    if (rental !== null) await nameRental(tx, rental.id, { label, costCenter });
    if (costCenter !== undefined || end !== undefined) {
      await planLimits(tx, market.id, instanceId, { costCenter, end });
    }
    await enterSpend(tx, market.id);
    await noteInstanceFacts(tx, { marketId: market.id, seenAt: now() }, [instanceId]);
    await publishEvent(tx, {
      at,
      marketId: market.id,
      kind: 'instance',
      data: { instanceId, changed: Object.keys(change) },
    });
  });
}

/**
 * Returns the end of an instance's hours after a change; undefined fields stay. undefined: nothing was given, null: no
 * end.
 */
function endAfter(
  { maxHours, endAction }: InstanceChange,
  plan: InstancePlan | null,
  begin: Date,
): RentalEnd | null | undefined {
  const hours = maxHours === undefined ? (plan?.maxHours ?? null) : maxHours;
  if (endAction !== undefined && hours === null) {
    throw new RentRefusal('invalid-request', '`endAction` says what happens after `maxHours`: give both.', [
      'endAction',
      'maxHours',
    ]);
  }
  if (maxHours === undefined && endAction === undefined) return undefined;
  if (hours === null) return null;
  return endOf({ maxHours: hours, endAction: endAction ?? plan?.endAction ?? 'stop' }, begin);
}
