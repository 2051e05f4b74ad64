import { Decimal } from 'decimal.js';
import { UserError } from '../../core/errors.ts';
import { instanceUsdPerHour } from '../account-count.ts';
import type { Actor } from '../actor.ts';
import { appendAudit, lockAudit } from '../audit.sql.ts';
import { publishEvent } from '../events.sql.ts';
import { type EndLimitName, type EndLimits, type EndRequest, limitsAfter } from './end-limits.ts';
import { knownInstance } from './known-instance.ts';
import { findPlan, planLimits } from './plans.sql.ts';

const hourMs = 3_600_000;

/**
 * Postpones the end that an instance was warned of: by an hour, by its idle minutes, or by the cost of an hour. Throws
 * the 404 for an instance that the account lacks, a UserError if no end comes soon, as after it was extended.
 */
export async function extendLimit(actor: Actor, instanceId: number, { by }: { by: string }): Promise<void> {
  const { sql, market, now } = actor;
  const { known: instance, rental } = await knownInstance(actor, instanceId);
  const at = now();
  const begin = rental?.createdAt ?? instance?.startedAt ?? instance?.firstSeenAt ?? at;
  const usdPerHour = instance === null ? null : instanceUsdPerHour(instance);
  await sql.begin(async (tx) => {
    // Of two simultaneous requests only one extends: the second finds no end that comes soon.
    await lockAudit(tx);
    const plan = await findPlan(tx, market.id, instanceId);
    if (plan === null || plan.ending === null) {
      throw new UserError(
        `No limit ends instance ${instanceId} soon. \`offerbook limits\` or PATCH /api/instances/${instanceId} changes its limits.`,
      );
    }
    const request = extension(plan, plan.ending.limit, usdPerHour);
    const ends = limitsAfter(request, plan, { begin, at });
    const entry = { at, market: market.name, actor: by, action: 'extend', phase: 'after' as const };
    await appendAudit(tx, { ...entry, instanceId, rentalId: rental?.id, detail: { ...request } });
    await planLimits(tx, market.id, instanceId, { ends });
    const data = { instanceId, ending: null, changed: Object.keys(request) };
    await publishEvent(tx, { at, marketId: market.id, kind: 'instance', data });
  });
}

/** Returns the change that postpones a limit. Throws a UserError if the cost of an hour is unknown. */
export function extension(
  { maxHours, endsAt, idleMinutes, maxUsd }: EndLimits,
  limit: EndLimitName,
  usdPerHour: Decimal | null,
): EndRequest {
  switch (limit) {
    case 'maxHours':
      return { maxHours: (maxHours ?? 0) + 1 };
    case 'endsAt':
      return { endsAt: new Date((endsAt?.getTime() ?? 0) + hourMs).toISOString() };
    case 'idleMinutes':
      return { idleMinutes };
    case 'maxUsd': {
      if (usdPerHour === null) {
        throw new UserError("The instance's hourly cost is unknown: set `maxUsd` yourself.");
      }
      const more = usdPerHour.toDecimalPlaces(2, Decimal.ROUND_UP);
      return { maxUsd: new Decimal(maxUsd ?? 0).plus(more).toNumber() };
    }
  }
}
