import type { AccountInstance, NewestPoll } from '../db/acting/account-instances.ts';
import { claimedInstances, listAbandonedCreates, moveRental, showsLabels } from '../db/acting/rentals.ts';
import type { Db } from '../db/connection.ts';
import { type Rental, rentalIdOf } from '../domain/rental.ts';
import type { Actor } from './actor.ts';

/**
 * Creates whose process died become `settling`. Only for the holder of the account's lock: what is `creating` while
 * it holds the lock is nobody's any more.
 */
export async function abandonedToSettling(db: Db, actor: Actor): Promise<void> {
  for (const rental of await listAbandonedCreates(db, actor.market.id)) {
    const at = actor.now();
    const settleBy = new Date(at.getTime() + actor.limits.settleMinutes * 60_000);
    const reason = 'its process ended before the market had answered';
    await moveRental(db, rental, ['creating'], { state: 'settling', at, reason, settleBy });
  }
}

/** What a list says of a create whose answer is not known. */
export type Settlement =
  | { kind: 'wait' }
  | { kind: 'found'; instanceId: number }
  | { kind: 'none' }
  | { kind: 'doubt'; reason: string };

interface SettleCase {
  rental: Rental;
  poll: NewestPoll;
  instances: readonly AccountInstance[];
  /** Instances that other rentals have. */
  claimed: ReadonlySet<number>;
  /** Whether the market shows labels; null: unknown. */
  shows: boolean | null;
}

/**
 * Judges a create by the newest list: an instance with its id in the label is it, at once. Without, one decides
 * when the time is over, so that a foreign one that is listed earlier is not taken for it.
 * Source: semantics.md, Renting; decision 0016.
 */
export function judgeSettlement({ rental, poll, instances, claimed, shows }: SettleCase): Settlement {
  const free = instances.filter(({ instanceId }) => !claimed.has(instanceId));
  const named = free.filter(({ label }) => rentalIdOf(label) === rental.id);
  const [only, second] = named;
  if (second !== undefined) {
    return { kind: 'doubt', reason: `instances ${named.map(idOf).join(' and ')} both have its label` };
  }
  if (only !== undefined) return { kind: 'found', instanceId: only.instanceId };
  if (rental.settleBy === null || poll.polledAt < rental.settleBy) return { kind: 'wait' };
  if (poll.unidentified > 0) {
    return { kind: 'doubt', reason: `${poll.unidentified} instances of the list cannot be identified` };
  }
  const similar = shows === true ? [] : free.filter((instance) => couldBe(rental, instance));
  const [one, another] = similar;
  if (one === undefined) return { kind: 'none' };
  if (another === undefined) return { kind: 'found', instanceId: one.instanceId };
  return {
    kind: 'doubt',
    reason: `instances ${similar.map(idOf).join(' and ')} are new on machine ${rental.machineId}, and one of them may be it`,
  };
}

const idOf = ({ instanceId }: AccountInstance): number => instanceId;

/** Whether an instance without our label may be of this create: new, on its machine, of its size. */
function couldBe(rental: Rental, instance: AccountInstance): boolean {
  const { diskSpaceGb, type, label, machineId, numGpus, instanceId } = instance;
  if (rental.baseline.includes(instanceId) || rentalIdOf(label) !== null) return false;
  if (machineId !== rental.machineId || numGpus !== rental.numGpus) return false;
  // What is billed otherwise was asked for otherwise.
  if (type !== null && type !== rental.type) return false;
  return diskSpaceGb === null || Math.abs(diskSpaceGb - rental.diskGb) <= Math.max(1, rental.diskGb * 0.05);
}

/** Settles what the newest list can settle; returns the rentals that changed. */
export async function settleRentals(
  actor: Actor,
  rentals: readonly Rental[],
  poll: NewestPoll,
  instances: readonly AccountInstance[],
): Promise<string[]> {
  const open = rentals.filter(({ state }) => state === 'settling' || state === 'unsettled');
  if (open.length === 0) return [];
  const { sql, market } = actor;
  const shows = await showsLabels(sql, market.id);
  const changed: string[] = [];
  for (const rental of open) {
    const claimed = await claimedInstances(sql, market.id, instances.map(idOf));
    const verdict = judgeSettlement({ rental, poll, instances, claimed, shows });
    if (await applySettlement(actor, rental, verdict)) changed.push(rental.id);
  }
  return changed;
}

async function applySettlement(actor: Actor, rental: Rental, verdict: Settlement): Promise<boolean> {
  const at = actor.now();
  const move = async (change: Parameters<typeof moveRental>[3]): Promise<boolean> =>
    await actor.sql.begin(async (tx) => await moveRental(tx, rental, ['settling', 'unsettled'], change));
  switch (verdict.kind) {
    case 'wait':
      return false;
    case 'found':
      return await move({ state: 'provisioning', at, instanceId: verdict.instanceId, settledAt: at });
    case 'none':
      // Of what a person was shown the person decides.
      if (rental.state === 'unsettled') return false;
      return await move({ state: 'failed', at, reason: 'no list has it: nothing was rented', endedAt: at });
    case 'doubt':
      if (rental.state === 'unsettled') return false;
      return await move({ state: 'unsettled', at, reason: verdict.reason });
  }
}
