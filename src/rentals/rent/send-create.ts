import { MarketError, UserError } from '../../core/errors.ts';
import { inTransaction } from '../../database/connection.ts';
import type { SendGate } from '../../market/call.ts';
import type { AccountLock } from '../account-lock.sql.ts';
import { requireSwitch } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { auditName } from '../agent.ts';
import { type AuditEntry, appendAudit } from '../audit.sql.ts';
import { refusalWords } from '../market-refusal.ts';
import { openStates, taggedLabel } from '../rental.ts';
import { giveInstance } from './give-instance.ts';
import { publicQuote, type Quote } from './quote-offer.ts';
import { RentRefusal } from './rent-refusal.ts';
import {
  defaultProvisionMinutes,
  hasSecrets,
  instanceRequestOf,
  publicRequest,
  type RentRequest,
} from './rent-request.ts';
import {
  deleteGoneRental,
  deleteUnsentRental,
  findRental,
  insertRental,
  moveRental,
  type NewRental,
} from './rentals.sql.ts';

/** A create that every guard has allowed. */
export interface CreateOptions {
  request: RentRequest;
  quote: Quote;
  key: string;
  /** Of the request as it was given. */
  bodyHash: string;
  by: string;
  baseline: readonly number[];
  replacesId: string | null;
  /** A rental of the same key whose offer was gone; null: none. */
  goneId: string | null;
  signal: AbortSignal | undefined;
}

/** `rented-or-unclear`: there is an instance, or it is unknown; the others have none. */
export type CreateEnd =
  | { kind: 'rented-or-unclear'; rentalId: string }
  | { kind: 'offer-gone' | 'refused'; rentalId: string; error: Error };

/**
 * A create that is not sent within this time is dropped. This plus the longest response stays below the silence after
 * which another process may take the account's lock and settle the rental.
 */
const sendWithinMs = 20_000;

/** A create in progress. */
interface Sending {
  actor: Actor;
  rental: NewRental;
  /** Common fields of its audit entries. */
  entry: Pick<AuditEntry, 'market' | 'actor' | 'action' | 'rentalId'>;
}

/**
 * Stores the rental, sends the create once, and stores the result. The rental is committed on the lock's connection
 * before the create is sent. Throws MarketError and UserError if no byte was sent; then nothing stays stored.
 */
export async function sendCreate(
  lock: AccountLock,
  actor: Actor,
  options: CreateOptions,
): Promise<CreateEnd> {
  const { market, account } = actor;
  const { quote, request, signal } = options;
  const begunAt = performance.now();
  const rental = newRental(actor, options);
  const entry = {
    market: market.name,
    actor: auditName(actor, options.by),
    action: 'rent',
    rentalId: rental.id,
  };
  await inTransaction(lock.db, async (tx) => {
    await appendAudit(tx, {
      ...entry,
      at: rental.createdAt,
      phase: 'before' as const,
      detail: { offerId: rental.offerId, usdPerHour: rental.usdPerHour, request: publicRequest(request) },
    });
    if (options.goneId !== null) await deleteGoneRental(tx, options.goneId);
    await insertRental(tx, rental);
  });
  const body = {
    ...instanceRequestOf(request),
    ...(account.rules.takesLabels ? { label: taggedLabel(request.label ?? null, rental.id) } : {}),
  };
  const sending = { actor, rental, entry };
  const gate = gateOf(lock, sending, begunAt);
  let instanceId: number;
  try {
    ({ instanceId } = await account.createInstance(quote.offer.offerId, body, { signal, gate }));
  } catch (error) {
    return await recordFailedCreate(sending, error);
  }
  await recordRented(sending, instanceId);
  return { kind: 'rented-or-unclear', rentalId: rental.id };
}

/** Last checks before the first byte: the kill switch, the lock, and that the process was not suspended. */
function gateOf(lock: AccountLock, { actor, rental }: Sending, begunAt: number): SendGate {
  return {
    onTurn: async () => {
      try {
        // On the lock's own connection: if that is lost, another process may have the lock.
        await requireSwitch(lock.db);
      } catch (error) {
        if (error instanceof UserError) throw error;
        throw new UserError('Another process took over the account before anything was sent: try again.', {
          cause: error,
        });
      }
    },
    onSending: () => {
      const byClock = actor.now().getTime() - rental.createdAt.getTime();
      // Both clocks: the monotonic one stops during sleep, the wall clock can be changed.
      if (Math.max(performance.now() - begunAt, byClock) > sendWithinMs) {
        throw new UserError(
          `The request could not be sent within ${sendWithinMs / 1_000} seconds, so nothing was rented: try again.`,
        );
      }
    },
  };
}

async function recordRented({ actor, rental, entry }: Sending, instanceId: number): Promise<void> {
  const { sql, log, now } = actor;
  const at = now();
  const isGiven = await sql.begin(async (tx) => {
    const after = { ...entry, at, phase: 'after' as const, instanceId };
    await appendAudit(tx, { ...after, detail: { outcome: 'rented' } });
    // A process that took this one for dead may have settled it, or marked it as failed.
    return await giveInstance(tx, rental, { from: [...openStates, 'failed'], instanceId, at });
  });
  if (isGiven || (await findRental(sql, rental.id))?.instanceId === instanceId) return;
  const reason = `the market answered with instance ${instanceId}, which is another rental's`;
  log.error({ rentalId: rental.id, instanceId }, reason);
  await sql.begin(async (tx) => await moveRental(tx, rental, openStates, { state: 'unsettled', at, reason }));
}

/** Stores the result of a create without an instance, by what is known of it. */
async function recordFailedCreate({ actor, rental, entry }: Sending, error: unknown): Promise<CreateEnd> {
  const { sql, log } = actor;
  const at = actor.now();
  const tell = async (outcome: string): Promise<void> => {
    await sql.begin(
      async (tx) => await appendAudit(tx, { ...entry, at, phase: 'after', detail: { outcome } }),
    );
  };
  const move = async (change: Parameters<typeof moveRental>[3]): Promise<void> => {
    const isMoved = await sql.begin(async (tx) => await moveRental(tx, rental, openStates, change));
    if (!isMoved)
      log.warn({ rentalId: rental.id, ...change }, 'the state of the rental had changed meanwhile');
  };
  if (error instanceof UserError || (error instanceof MarketError && error.outcome === 'not-sent')) {
    if (!(await deleteUnsentRental(sql, rental.id))) {
      log.error({ rentalId: rental.id }, 'nothing was sent, but the rental has an instance');
    }
    await tell('not sent');
    throw error;
  }
  if (error instanceof MarketError && error.outcome === 'refused') {
    await move({ state: 'failed', at, reason: refusalWords(error), settledAt: at, endedAt: at });
    await tell(`refused: ${error.message}`);
    if (error.kind !== 'offer-gone') return { kind: 'refused', rentalId: rental.id, error };
    const gone = `Offer ${rental.offerId} is gone: somebody else has rented it.`;
    return { kind: 'offer-gone', rentalId: rental.id, error: new RentRefusal('offer-gone', gone) };
  }
  const settleBy = new Date(at.getTime() + actor.limits.settleMinutes * 60_000);
  const reason = `the market did not confirm the rental: ${(error as Error).message}`;
  log.warn({ rentalId: rental.id }, reason);
  await sql.begin(
    async (tx) => await moveRental(tx, rental, ['creating'], { state: 'settling', at, reason, settleBy }),
  );
  await tell('unclear');
  return { kind: 'rented-or-unclear', rentalId: rental.id };
}

function newRental(actor: Actor, options: CreateOptions): NewRental {
  const { request, quote } = options;
  const { offer } = quote;
  const at = actor.now();
  return {
    id: actor.newId(),
    marketId: actor.market.id,
    idempotencyKey: options.key,
    bodyHash: options.bodyHash,
    rentedBy: options.by,
    label: request.label ?? null,
    costCenter: request.costCenter ?? null,
    watchId: request.watchId ?? null,
    offerId: offer.offerId,
    machineId: offer.machineId,
    hostId: offer.hostId,
    gpuName: offer.gpuName,
    numGpus: offer.numGpus,
    type: offer.type,
    diskGb: request.diskGb,
    usdPerHour: quote.usdPerHour?.toString() ?? '0',
    baseUsdPerHour: quote.baseUsdPerHour.toString(),
    storageUsdPerGbMonth: offer.storageUsdPerGbMonth === null ? null : String(offer.storageUsdPerGbMonth),
    volumeUsdPerHour: quote.volumeUsdPerHour?.toString() ?? null,
    bidUsdPerHour: quote.bidUsdPerHour?.toString() ?? null,
    maxUsdPerHour: request.maxUsdPerHour === undefined ? null : String(request.maxUsdPerHour),
    quote: publicQuote(quote),
    request: publicRequest(request),
    sealedRequest: hasSecrets(request) ? (actor.sealer?.seal(JSON.stringify(request)) ?? null) : null,
    baseline: [...options.baseline],
    onFailure: request.onFailure ?? 'notify',
    replacementsLeft: request.onFailure === 'replace' ? (request.replacements ?? 1) : 0,
    replacesId: options.replacesId,
    provisionMinutes: request.provisionMinutes ?? defaultProvisionMinutes,
    createdAt: at,
    sentAt: at,
  };
}
