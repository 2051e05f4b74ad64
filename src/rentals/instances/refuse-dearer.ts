import type { Decimal } from 'decimal.js';
import type { Instance } from '../../market/instance.ts';
import { storageUsdPerHour } from '../account-count.ts';
import { withAccountLock } from '../account-lock.sql.ts';
import { GuardRefusal } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { auditName } from '../agent.ts';
import { writeAudit } from '../audit.sql.ts';
import { checkCostGuards, countByList, listAccount, refuseByGuards } from '../rent/guards.ts';
import { checkTokenLimits } from '../rent/token-limits.ts';
import { noSuchInstance } from './known-instance.ts';

/** A change that makes an instance cost more. */
interface CostCheckOptions {
  what: 'start' | 'bid';
  instanceId: number;
  by: string;
  signal: AbortSignal | undefined;
}

/**
 * Runs `work`, which makes an instance cost more, if the limits allow it and while no other process adds to the
 * account. `baseOf` returns the instance's future $/hour without disk, given the account's newest list; null: unknown.
 * Throws GuardRefusal, which is audited, and the 404 for an instance that the account does not have.
 */
export async function ifAffordable<T>(
  actor: Actor,
  { what, instanceId, by, signal }: CostCheckOptions,
  baseOf: (listed: Instance) => Decimal.Value | null,
  work: () => Promise<T>,
): Promise<T> {
  const { sql, market, now } = actor;
  try {
    return await withAccountLock(
      sql,
      market.id,
      async ({ db }) => {
        const list = await listAccount(actor, signal);
        const listed = list?.instances.find((one) => one.instanceId === instanceId);
        const account = await countByList(db, market.id, list, instanceId);
        if (account !== null && listed === undefined) {
          throw noSuchInstance(instanceId);
        }
        const base = listed === undefined ? null : baseOf(listed);
        const disk =
          listed === undefined ? null : storageUsdPerHour(listed.storageUsdPerGbMonth, listed.diskSpaceGb);
        const usdPerHour = base === null ? null : (disk?.plus(base) ?? null);
        refuseByGuards(await checkCostGuards({ db, actor, usdPerHour, account }, what));
        refuseByGuards(await checkTokenLimits({ db, actor, by, usdPerHour, list, instanceId }));
        return await work();
      },
      signal,
    );
  } catch (error) {
    if (error instanceof GuardRefusal) {
      await writeAudit(sql, {
        at: now(),
        market: market.name,
        actor: auditName(actor, by),
        action: what,
        phase: 'refused' as const,
        instanceId,
        detail: { reason: error.message },
      });
    }
    throw error;
  }
}
