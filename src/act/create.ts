import type { AccountLock } from '../db/acting/account-lock.ts';
import { appendAudit } from '../db/acting/audit.ts';
import { planLimits } from '../db/acting/plans.ts';
import {
  deleteGoneRental,
  deleteUnsentRental,
  insertRental,
  moveRental,
  type NewRental,
} from '../db/acting/rentals.ts';
import { inTransaction } from '../db/connection.ts';
import { MarketError, UserError } from '../domain/errors.ts';
import { taggedLabel } from '../domain/rental.ts';
import type { Actor } from './actor.ts';
import { publicQuote, type Quote } from './quote.ts';
import { RentRefusal } from './rent-refusal.ts';
import {
  defaultProvisionMinutes,
  hashOfWish,
  hasSecrets,
  publicWish,
  type RentWish,
  requestOf,
} from './wish.ts';

/** A create that every guard has let through. */
export interface CreateAsk {
  wish: RentWish;
  quote: Quote;
  key: string;
  by: string;
  baseline: readonly number[];
  replacesId: string | null;
  /** A rental of the same key whose offer was gone; null: there is none. */
  goneId: string | null;
  signal: AbortSignal | undefined;
}

/** `done`: there is an instance, or nobody knows yet; the others have none. */
export type CreateEnd =
  | { kind: 'done'; rentalId: string }
  | { kind: 'offer-gone' | 'refused'; rentalId: string; error: Error };

/** A process that stood still for longer since the rental was stored does not send: another may have settled it. */
const sendWithinMs = 20_000;
const hourMs = 3_600_000;

/**
 * Stores the rental, sends the create once, and stores what came of it. What is stored before was committed by the
 * holder of the account's lock. Throws MarketError and UserError where no byte went out; nothing is kept then.
 */
export async function sendCreate(lock: AccountLock, actor: Actor, ask: CreateAsk): Promise<CreateEnd> {
  const { sql, market, log, client, dialect } = actor;
  const { quote, wish } = ask;
  const rental = newRental(actor, ask);
  const entry = { market: market.name, actor: ask.by, action: 'rent', rentalId: rental.id };
  await inTransaction(lock.db, async (tx) => {
    await appendAudit(tx, {
      ...{ ...entry, at: rental.createdAt, phase: 'before' as const },
      detail: { offerId: rental.offerId, usdPerHour: rental.usdPerHour, wish: publicWish(wish) },
    });
    if (ask.goneId !== null) await deleteGoneRental(tx, ask.goneId);
    await insertRental(tx, rental);
  });
  const storedAt = performance.now();
  const hasLabels = dialect.instances.labelParameter !== null;
  const request = {
    ...requestOf(wish),
    ...(hasLabels ? { label: taggedLabel(wish.label ?? null, rental.id) } : {}),
  };
  const tell = async (outcome: string, instanceId: number | null = null): Promise<void> => {
    await sql.begin(async (tx) => {
      const after = { ...entry, at: actor.now(), phase: 'after' as const, instanceId };
      await appendAudit(tx, { ...after, detail: { outcome } });
    });
  };
  try {
    if (performance.now() - storedAt > sendWithinMs)
      throw new UserError('The process stood still: ask again.');
    const { instanceId } = await client.createInstance(quote.offer.offerId, request, { signal: ask.signal });
    const at = actor.now();
    await sql.begin(async (tx) => {
      const end = endOf(wish, rental.createdAt);
      const { costCenter } = wish;
      if (end !== null || costCenter !== undefined) {
        await planLimits(tx, market.id, instanceId, { costCenter, end: end ?? undefined });
      }
      const after = { ...entry, at, phase: 'after' as const, instanceId };
      await appendAudit(tx, { ...after, detail: { outcome: 'rented' } });
      const change = { state: 'provisioning' as const, at, instanceId, settledAt: at };
      await moveRental(tx, rental, ['creating'], change);
    });
    return { kind: 'done', rentalId: rental.id };
  } catch (error) {
    if (error instanceof UserError || (error instanceof MarketError && error.outcome === 'not-sent')) {
      await deleteUnsentRental(sql, rental.id);
      await tell('not sent');
      throw error;
    }
    if (error instanceof MarketError && error.outcome === 'refused') {
      const at = actor.now();
      await endFailed(actor, rental, { reason: error.message, at });
      await tell(`refused: ${error.message}`);
      const isGone = error.kind === 'offer-gone';
      const gone = new RentRefusal(
        'offer-gone',
        `Offer ${rental.offerId} is gone: somebody else has rented it.`,
      );
      return { kind: isGone ? 'offer-gone' : 'refused', rentalId: rental.id, error: isGone ? gone : error };
    }
    const at = actor.now();
    const settleBy = new Date(at.getTime() + actor.limits.settleMinutes * 60_000);
    const reason = `the create's answer did not come: ${(error as Error).message}`;
    log.warn({ rentalId: rental.id }, reason);
    await sql.begin(
      async (tx) => await moveRental(tx, rental, ['creating'], { state: 'settling', at, reason, settleBy }),
    );
    await tell('unclear');
    return { kind: 'done', rentalId: rental.id };
  }
}

async function endFailed(
  { sql }: Actor,
  rental: NewRental,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  await sql.begin(async (tx) => {
    await moveRental(tx, rental, ['creating'], { state: 'failed', at, reason, settledAt: at, endedAt: at });
  });
}

/** When the hours of a wish are over, and what happens then; null: never. */
export function endOf(
  { maxHours, endAction = 'stop' }: Pick<RentWish, 'maxHours' | 'endAction'>,
  from: Date,
): { maxHours: number; endAction: 'stop' | 'destroy'; endsAt: Date } | null {
  if (maxHours === undefined) return null;
  return { maxHours, endAction, endsAt: new Date(from.getTime() + maxHours * hourMs) };
}

function newRental(actor: Actor, ask: CreateAsk): NewRental {
  const { wish, quote } = ask;
  const { offer } = quote;
  const at = actor.now();
  return {
    ...{ id: actor.newId(), marketId: actor.market.id, idempotencyKey: ask.key, bodyHash: hashOfWish(wish) },
    ...{ rentedBy: ask.by, label: wish.label ?? null, costCenter: wish.costCenter ?? null },
    ...{
      watchId: wish.watchId ?? null,
      offerId: offer.offerId,
      machineId: offer.machineId,
      hostId: offer.hostId,
    },
    ...{ gpuName: offer.gpuName, numGpus: offer.numGpus, type: offer.type, diskGb: wish.diskGb },
    usdPerHour: quote.usdPerHour?.toString() ?? '0',
    baseUsdPerHour: quote.baseUsdPerHour.toString(),
    storageUsdPerGbMonth: offer.storageUsdPerGbMonth === null ? null : String(offer.storageUsdPerGbMonth),
    volumeUsdPerHour: quote.volumeUsdPerHour?.toString() ?? null,
    bidUsdPerHour: quote.bidUsdPerHour?.toString() ?? null,
    maxUsdPerHour: wish.maxUsdPerHour === undefined ? null : String(wish.maxUsdPerHour),
    quote: publicQuote(quote),
    wish: publicWish(wish),
    sealedWish: hasSecrets(wish) ? (actor.sealer?.seal(JSON.stringify(wish)) ?? null) : null,
    baseline: [...ask.baseline],
    onFailure: wish.onFailure ?? 'tell',
    replacementsLeft: wish.onFailure === 'replace' ? (wish.replacements ?? 1) : 0,
    replacesId: ask.replacesId,
    provisionMinutes: wish.provisionMinutes ?? defaultProvisionMinutes,
    createdAt: at,
    sentAt: at,
  };
}
