import { findAccountInstance } from '../db/acting/account-instances.ts';
import { appendAudit } from '../db/acting/audit.ts';
import { publishEvent } from '../db/acting/events.ts';
import { noteBaseRate } from '../db/acting/instance-rates.ts';
import { planLimits } from '../db/acting/plans.ts';
import { findRentalOfInstance, nameRental } from '../db/acting/rentals.ts';
import { storageUsdPerHour } from '../domain/account-count.ts';
import { MarketError, UserError } from '../domain/errors.ts';
import { type EndAction, taggedLabel } from '../domain/rental.ts';
import { findBidProblem } from '../market/create-request.ts';
import { GuardRefusal, requireActions } from './actions-switch.ts';
import type { Actor } from './actor.ts';
import { endOf } from './create.ts';
import { countByList } from './guards.ts';

/** What may be changed of an instance; undefined: stays, null: is taken away. */
export interface InstanceChange {
  label?: string | null | undefined;
  costCenter?: string | null | undefined;
  bidUsdPerHour?: number | undefined;
  maxHours?: number | null | undefined;
  endAction?: EndAction | undefined;
}

/**
 * Changes the label, cost centre, bid and hours of an instance. The hours count from its rent. Throws a UserError for
 * an instance that the account does not have, GuardRefusal for a bid above the limits, MarketError.
 */
export async function nameInstance(
  actor: Actor,
  instanceId: number,
  change: InstanceChange,
  { by, signal }: { by: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const { sql, market, now } = actor;
  const instance = await findAccountInstance(sql, market.id, instanceId);
  const rental = await findRentalOfInstance(sql, market.id, instanceId);
  if (instance === null && rental === null) {
    throw new UserError(
      `The account has no instance ${instanceId}: \`offerbook instances\` lists those there are.`,
    );
  }
  const { label, costCenter, bidUsdPerHour, maxHours, endAction } = change;
  if (bidUsdPerHour !== undefined) await changeBid(actor, instanceId, bidUsdPerHour, { by, signal });
  if (label !== undefined) {
    const sent = rental === null ? (label ?? '') : taggedLabel(label, rental.id);
    const { changeLabel } = actor.client.extensions;
    if (changeLabel !== null) {
      requireActions(actor.limits.actions);
      await changeLabel(instanceId, sent, { signal });
    }
  }
  const begin = rental?.createdAt ?? instance?.startedAt ?? instance?.firstSeenAt ?? now();
  const end = maxHours === null ? null : endOf({ maxHours, endAction }, begin);
  const at = now();
  await sql.begin(async (tx) => {
    await appendAudit(tx, {
      ...{ at, market: market.name, actor: by, action: 'change', phase: 'after' as const, instanceId },
      ...{ rentalId: rental?.id, detail: { ...change } },
    });
    if (rental !== null) await nameRental(tx, rental.id, { label, costCenter });
    if (costCenter !== undefined || maxHours !== undefined) {
      await planLimits(tx, market.id, instanceId, {
        costCenter,
        end: maxHours === undefined ? undefined : end,
      });
    }
    await publishEvent(tx, {
      at,
      marketId: market.id,
      kind: 'instance',
      data: { instanceId, changed: Object.keys(change) },
    });
  });
}

/** A new bid counts like a new rent: it may not lift the account above its limits. */
async function changeBid(
  actor: Actor,
  instanceId: number,
  bidUsdPerHour: number,
  { by, signal }: { by: string; signal?: AbortSignal | undefined },
): Promise<void> {
  requireActions(actor.limits.actions);
  const { sql, market, client, limits } = actor;
  const problem = findBidProblem(bidUsdPerHour, actor.dialect);
  if (problem !== null) throw new UserError(problem);
  const { changeBid: send } = client.extensions;
  if (send === null)
    throw new UserError('This market has no change of bids (extensions.bidChange of the dialect).');
  const list = await client.listInstances({ signal });
  const listed = list.instances.find((one) => one.instanceId === instanceId);
  if (listed === undefined) throw new UserError(`The account has no instance ${instanceId} now.`);
  if (listed.type !== null && listed.type !== 'bid') throw new UserError(`Instance ${instanceId} is no bid.`);
  const disk = storageUsdPerHour(listed.storageUsdPerGbMonth, listed.diskSpaceGb);
  const price = disk?.plus(bidUsdPerHour) ?? null;
  if (limits.maxUsdPerHour !== null && (price === null || price.gt(limits.maxUsdPerHour))) {
    throw new GuardRefusal(
      'max-usd-per-hour',
      `with this bid it costs $${price ?? '?'}/hour, above MAX_USD_PER_HOUR=${limits.maxUsdPerHour}.`,
      {
        ...{ limit: String(limits.maxUsdPerHour), value: price?.toString() ?? null },
      },
    );
  }
  if (limits.maxTotalUsdPerHour !== null) {
    const others = { ...list, instances: list.instances.filter((one) => one !== listed), found: null };
    const count = await countByList(sql, market.id, others);
    const total = price === null ? null : (count?.usdPerHour.plus(price) ?? null);
    if (
      count === null ||
      count.unpriced.length > 0 ||
      total === null ||
      total.gt(limits.maxTotalUsdPerHour)
    ) {
      throw new GuardRefusal(
        'max-total-usd-per-hour',
        `with this bid the account comes to $${total ?? '?'}/hour, and MAX_TOTAL_USD_PER_HOUR is ${limits.maxTotalUsdPerHour}.`,
        { limit: String(limits.maxTotalUsdPerHour), value: total?.toString() ?? null },
      );
    }
  }
  const entry = { market: market.name, actor: by, action: 'bid', instanceId };
  await sql.begin(async (tx) => {
    await appendAudit(tx, { ...entry, at: actor.now(), phase: 'before', detail: { bidUsdPerHour } });
  });
  try {
    await send(instanceId, bidUsdPerHour, { signal });
  } catch (error) {
    const outcome = error instanceof MarketError ? error.message : 'unclear';
    await sql.begin(async (tx) => {
      await appendAudit(tx, { ...entry, at: actor.now(), phase: 'after', detail: { outcome } });
    });
    throw error;
  }
  const at = actor.now();
  await sql.begin(async (tx) => {
    await noteBaseRate(tx, market.id, instanceId, { baseUsdPerHour: String(bidUsdPerHour), at });
    await appendAudit(tx, { ...entry, at, phase: 'after', detail: { outcome: 'accepted' } });
  });
}
