import { inTransaction } from '../../database/connection.ts';
import type { AccountLock } from '../account-lock.sql.ts';
import type { Actor } from '../actor.ts';
import { type AccountInstance, firstPollFrom, type NewestPoll } from '../instances/account-instances.sql.ts';
import { type Rental, rentalIdOf } from '../rental.ts';
import { giveInstance } from './give-instance.ts';
import { claimedInstances, listAbandonedCreates, moveRental } from './rentals.sql.ts';
import { showsLabels } from './replacements.sql.ts';

/**
 * Marks creates of dead processes as `settling`. Only for the holder of the account's lock: whatever is `creating`
 * while it holds the lock belongs to a dead process.
 */
export async function abandonedToSettling({ db }: AccountLock, actor: Actor): Promise<void> {
  for (const rental of await listAbandonedCreates(db, actor.market.id)) {
    const at = actor.now();
    const settleBy = new Date(at.getTime() + actor.limits.settleMinutes * 60_000);
    const reason = 'its process ended before the market had answered';
    await inTransaction(
      db,
      async (tx) => await moveRental(tx, rental, ['creating'], { state: 'settling', at, reason, settleBy }),
    );
  }
}

/** What a list implies for a create with an unknown outcome. */
export type Settlement =
  | { kind: 'wait' }
  | { kind: 'found'; instanceId: number }
  | { kind: 'none' }
  | { kind: 'doubt'; reason: string };

interface SettleCase {
  rental: Rental;
  poll: NewestPoll;
  instances: readonly AccountInstance[];
  /** Instances of other rentals. */
  claimed: ReadonlySet<number>;
  /** Other rentals without a known instance. */
  rivals: readonly Rental[];
  /** Whether the market shows labels; null: unknown. */
  shows: boolean | null;
  /**
   * The first list after the settling time; instances that only later lists have were created later. null: none yet.
   */
  decidedAt: Date | null;
}

/**
 * Judges a create by the newest list. An instance whose label has the rental's id is its instance, at once. Without
 * such a label, the decision is made after the settling time, so that someone else's instance is not mistaken for it.
 * Once a person was asked, the person decides, unless a label with the id appears.
 * Source: docs/meaning.md#rent-and-settle.
 */
export function judgeSettlement(of: SettleCase): Settlement {
  const { rental, poll, instances, claimed, rivals, shows, decidedAt } = of;
  const free = instances.filter(({ instanceId }) => !claimed.has(instanceId));
  const named = free.filter(({ label }) => rentalIdOf(label) === rental.id);
  const [only, second] = named;
  if (second !== undefined) {
    return { kind: 'doubt', reason: `instances ${named.map(idOf).join(' and ')} both have its label` };
  }
  if (only !== undefined) return { kind: 'found', instanceId: only.instanceId };
  if (rental.state === 'unsettled') return { kind: 'wait' };
  if (rental.settleBy === null || poll.polledAt < rental.settleBy) return { kind: 'wait' };
  if (poll.unidentified > 0) {
    return { kind: 'doubt', reason: `${poll.unidentified} instances of the list cannot be identified` };
  }
  const similar = free.flatMap((instance) => {
    const owner = couldBe(rental, instance, decidedAt) ? ownerOf(instance, rental, rivals) : 'rival';
    return owner === 'rival' ? [] : [{ ...instance, owner }];
  });
  const [one, another] = similar;
  if (one === undefined) return { kind: 'none' };
  if (another === undefined && one.owner === 'unknown') {
    const reason = `instance ${one.instanceId} is new on machine ${rental.machineId} and may be of another rental`;
    return { kind: 'doubt', reason };
  }
  if (shows === true) {
    const reason = `instance ${one.instanceId} is new on machine ${rental.machineId} without the label that the market usually shows`;
    return { kind: 'doubt', reason };
  }
  if (another === undefined) return { kind: 'found', instanceId: one.instanceId };
  return {
    kind: 'doubt',
    reason: `instances ${similar.map(idOf).join(' and ')} are new on machine ${rental.machineId}, and one of them may be it`,
  };
}

const idOf = ({ instanceId }: AccountInstance): number => instanceId;

/** The market's clock may differ from this one's by this much. */
const skewMs = 600_000;

/** Whether an instance without our label may belong to this create: new since then, on its machine, of its size. */
function couldBe(rental: Rental, instance: AccountInstance, decidedAt: Date | null): boolean {
  const { diskSpaceGb, type, label, machineId, numGpus, instanceId, firstSeenAt, startedAt } = instance;
  if (rental.baseline.includes(instanceId) || rentalIdOf(label) !== null) return false;
  if (decidedAt !== null && firstSeenAt > decidedAt) return false;
  const latest = rental.settleBy === null ? null : rental.settleBy.getTime() + skewMs;
  if (startedAt !== null && latest !== null && startedAt.getTime() > latest) return false;
  if (machineId !== rental.machineId || numGpus !== rental.numGpus) return false;
  // An instance with other billing was requested differently.
  if (type !== null && type !== rental.type) return false;
  return diskSpaceGb === null || Math.abs(diskSpaceGb - rental.diskGb) <= Math.max(1, rental.diskGb * 0.05);
}

/**
 * Whose instance it is if other unclear creates could have made it too: the one whose image it has. Creates of the same
 * image are alike, so that it does not matter.
 */
function ownerOf(
  instance: AccountInstance,
  rental: Rental,
  rivals: readonly Rental[],
): 'own' | 'rival' | 'unknown' {
  const others = rivals.filter((rival) => couldBe(rival, instance, null));
  const image = imageOf(rental);
  if (others.every((rival) => imageOf(rival) === image)) return 'own';
  if (others.some((rival) => imageOf(rival) === null) || image === null) return 'unknown';
  if (image === instance.image) return 'own';
  return others.some((rival) => imageOf(rival) === instance.image) ? 'rival' : 'unknown';
}

/** null: a template decides. */
const imageOf = ({ request }: Rental): string | null =>
  typeof request.image === 'string' ? request.image : null;

/** Settles what the newest list allows; returns the rentals that changed. */
export async function settleRentals(
  actor: Actor,
  rentals: readonly Rental[],
  poll: NewestPoll,
  instances: readonly AccountInstance[],
): Promise<string[]> {
  const open = rentals.filter(({ state }) => state === 'settling' || state === 'unsettled');
  if (open.length === 0) return [];
  const { sql, market } = actor;
  const changed: string[] = [];
  for (const rental of open) {
    const claimed = await claimedInstances(sql, market.id, instances.map(idOf));
    const { settleBy } = rental;
    const shows = await showsLabels(sql, rental);
    const decidedAt = settleBy === null ? null : await firstPollFrom(sql, market.id, settleBy);
    const rivals = rentals.filter(
      ({ id, instanceId }) => id !== rental.id && instanceId === null && !changed.includes(id),
    );
    const verdict = judgeSettlement({ rental, poll, instances, claimed, rivals, shows, decidedAt });
    if (await applySettlement(actor, rental, verdict)) changed.push(rental.id);
  }
  return changed;
}

async function applySettlement(actor: Actor, rental: Rental, verdict: Settlement): Promise<boolean> {
  const { sql } = actor;
  const at = actor.now();
  const from = ['settling', 'unsettled'] as const;
  const move = async (change: Parameters<typeof moveRental>[3]): Promise<boolean> =>
    await sql.begin(async (tx) => await moveRental(tx, rental, from, change));
  switch (verdict.kind) {
    case 'wait':
      return false;
    case 'found': {
      const found = { from, at, instanceId: verdict.instanceId };
      return await sql.begin(async (tx) => await giveInstance(tx, rental, found));
    }
    case 'none':
      return await move({
        state: 'failed',
        at,
        reason: 'no list has its instance: nothing was rented',
        endedAt: at,
      });
    case 'doubt':
      return await move({ state: 'unsettled', at, reason: verdict.reason });
  }
}
