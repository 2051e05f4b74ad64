import { requireActions } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { appendAudit } from '../audit.sql.ts';
import { audited } from '../audited.ts';
import { publishEvent } from '../events.sql.ts';
import { RentRefusal } from '../rent/rent-refusal.ts';
import { nameRental } from '../rent/rentals.sql.ts';
import { taggedLabel } from '../rental.ts';
import { enterSpend } from '../spend-moment.sql.ts';
import { changeBid } from './change-bid.ts';
import { type EndRequest, endProblem, isAboutEnds, limitsAfter, noEndLimits } from './end-limits.ts';
import { noteInstanceFacts } from './instance-facts.sql.ts';
import { knownInstance } from './known-instance.ts';
import { findPlan, planLimits } from './plans.sql.ts';

/** Changes of an instance; undefined: unchanged, null: removed. */
export interface InstanceChange extends EndRequest {
  label?: string | null | undefined;
  costCenter?: string | null | undefined;
  bidUsdPerHour?: number | undefined;
}

/**
 * Changes the label, cost center, bid and limits of an instance. Hours count from its rent. Throws the 404 for an
 * instance that the account lacks, RentRefusal for limits that contradict each other, GuardRefusal for a bid above the
 * guards, MarketError.
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
  const before = (await findPlan(sql, market.id, instanceId)) ?? noEndLimits;
  const problem = endProblem(change, before, now());
  if (problem !== null) throw new RentRefusal('invalid-request', problem.message, problem.fields);
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
    const ends = isAboutEnds(change) ? limitsAfter(change, before, { begin, at }) : undefined;
    await planLimits(tx, market.id, instanceId, { costCenter, ends });
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
