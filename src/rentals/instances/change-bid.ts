import { UserError } from '../../core/errors.ts';
import type { Instance } from '../../market/instance.ts';
import type { Actor } from '../actor.ts';
import { audited } from '../audited.ts';
import { present } from '../market-capability.ts';
import { basePriceAfter } from '../rent/bids.ts';
import { noteBaseRate } from './instance-rates.sql.ts';
import { ifAffordable } from './refuse-dearer.ts';

/**
 * Changes the bid of an instance, in $/hour for the whole machine. It counts like a new rental: it may not raise the
 * account above its limits. Throws a UserError for an amount or instance that cannot be bid for, GuardRefusal for a bid
 * above the limits, MarketError.
 */
export async function changeBid(
  actor: Actor,
  instanceId: number,
  bidUsdPerHour: number,
  { by, signal }: { by: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const { sql, market } = actor;
  const problem = actor.account.rules.findBidProblem(bidUsdPerHour);
  if (problem !== null) throw new UserError(problem);
  const send = present(actor.account.changeBid, 'change bids');
  const baseOf = (listed: Instance): number => basePriceAfter(bidUsdPerHour, listed);
  await ifAffordable(actor, { what: 'bid', instanceId, by, signal }, baseOf, async () => {
    await audited(actor, { by, action: 'bid', instanceId, detail: { bidUsdPerHour } }, async () => {
      await send(instanceId, bidUsdPerHour, { signal });
    });
    const rate = { baseUsdPerHour: String(bidUsdPerHour), at: actor.now() };
    await noteBaseRate(sql, market.id, instanceId, rate);
  });
}
