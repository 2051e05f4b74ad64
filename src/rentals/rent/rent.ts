import type { Db } from '../../database/connection.ts';
import type { InstanceList } from '../../market/account.ts';
import { type AccountLock, withAccountLock } from '../account-lock.sql.ts';
import { GuardRefusal, requireActions, requireSwitch } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { auditName } from '../agent.ts';
import { writeAudit } from '../audit.sql.ts';
import type { Rental } from '../rental.ts';
import { findLowBidProblem } from './bids.ts';
import { candidateIds } from './find-offers.ts';
import { checkGuards, countByList, type GuardViolation, listAccount, refuseByGuards } from './guards.ts';
import { holdToQuote } from './quote-id.ts';
import { type Quote, quoteOffer } from './quote-offer.ts';
import { RentRefusal } from './rent-refusal.ts';
import { hashOfRequest, publicRequest, type RentRequest } from './rent-request.ts';
import { findRental, findRentalByKey } from './rentals.sql.ts';
import { findReplacement } from './replacements.sql.ts';
import { sendCreate } from './send-create.ts';
import { abandonedToSettling } from './settle-rentals.ts';
import { checkTokenLimits } from './token-limits.ts';

/** Who rents, with which key. */
export interface RentOptions {
  key: string;
  /** The name of the token. */
  by: string;
  /** Rent only what this quote is for, at most at its price. @default any price within the request's own cap */
  quoteId?: string | undefined;
  /** Machines to avoid, whatever they cost. @default none */
  exceptMachines?: readonly number[] | undefined;
  /** The rental that this one replaces. @default none */
  replacesId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The same, with the hash of the request as it was given, before a quote capped it. */
type KeptOptions = RentOptions & { bodyHash: string; onlyOfferId?: number };

/** The rental of the key: made now, or existing. */
export interface Rented {
  rental: Rental;
  isReplay: boolean;
}

/** An older quote is requested again before anything is sent. */
const freshQuoteMs = 60_000;

/**
 * Rents for a request, at most once per key. Throws RentRefusal, GuardRefusal and MarketError if nothing was sent or
 * the market clearly refused. Source: docs/meaning.md#never-twice.
 */
export async function rent(actor: Actor, request: RentRequest, options: RentOptions): Promise<Rented> {
  const bodyHash = hashOfRequest(request);
  const known = await findKnown(actor, { ...options, bodyHash });
  if (known !== null) return known;
  try {
    const { quoteId } = options;
    const held = quoteId === undefined ? { request } : holdToQuote(actor, request, quoteId);
    return await rentNew(actor, held.request, { ...options, ...held, bodyHash });
  } catch (error) {
    if (error instanceof GuardRefusal || error instanceof RentRefusal) {
      // What refuses it may be what the same request, sent twice, has rented meanwhile.
      const meanwhile = await findKnown(actor, { ...options, bodyHash });
      if (meanwhile !== null && meanwhile.rental.state !== 'failed') return meanwhile;
      const { now, market } = actor;
      await writeAudit(actor.sql, {
        at: now(),
        market: market.name,
        actor: auditName(actor, options.by),
        action: 'rent',
        phase: 'refused',
        detail: { marketId: market.id, reason: error.message, request: publicRequest(request) },
      });
    }
    throw error;
  }
}

async function rentNew(actor: Actor, request: RentRequest, options: KeptOptions): Promise<Rented> {
  // Before any call of the market; all are checked again just before the create.
  requireActions(actor.limits.actions);
  await requireSwitch(actor.sql);
  await refuseSecondReplacement(actor.sql, options);
  const { onlyOfferId } = options;
  const ids = (await candidateIds(actor, request)).filter((id) => id === (onlyOfferId ?? id));
  let refusal: RentRefusal | null = null;
  let goneId: string | null = null;
  for (const offerId of ids) {
    const quote = await quoteOffer(actor, request, offerId, options.signal);
    const refused = judgeQuote(quote, request, offerId, options);
    if (refused !== null) {
      // An invalid request would fail with other offers too.
      if (refused.kind === 'invalid-request' || refused.kind === 'price-unknown') throw refused;
      refusal ??= refused;
      continue;
    }
    if (quote === null) continue;
    const made = await withAccountLock(
      actor.sql,
      actor.market.id,
      async (lock) => await rentLocked(lock, actor, { request, options, quote, goneId }),
      options.signal,
    );
    if ('rental' in made) return made;
    ({ goneId } = made);
    refusal ??= new RentRefusal('offer-gone', `Offer ${offerId} is gone: somebody else has rented it.`);
  }
  throw refusal ?? new RentRefusal('offer-gone', 'No offer fits: nothing was rented.');
}

async function findKnown(actor: Actor, { key, bodyHash }: KeptOptions): Promise<Rented | null> {
  const rental = await findRentalByKey(actor.sql, actor.market.id, key);
  if (rental === null) return null;
  if (rental.bodyHash === bodyHash) return { rental, isReplay: true };
  throw new RentRefusal('key-reused', `The key ${key} was used for another request: use a new one.`);
}

/** Returns why a quote is not accepted; null: it is. */
export function judgeQuote(
  quote: Quote | null,
  request: RentRequest,
  offerId: number,
  { exceptMachines = [] }: Pick<RentOptions, 'exceptMachines'> = {},
): RentRefusal | null {
  if (quote === null || exceptMachines.includes(quote.offer.machineId)) {
    return new RentRefusal('offer-gone', `Offer ${offerId} cannot be rented any more.`);
  }
  if (quote.problems.length > 0) {
    const isOnlyBid = quote.problems.length === 1 && findLowBidProblem(request, quote.offer) !== null;
    return new RentRefusal('invalid-request', quote.problems.join('; '), [
      isOnlyBid ? 'bidUsdPerHour' : 'body',
    ]);
  }
  const { usdPerHour } = quote;
  if (usdPerHour === null) {
    return new RentRefusal(
      'price-unknown',
      `The market does not state every price component of offer ${offerId}.`,
    );
  }
  // Compared as JSON numbers, so that the quoted price as the cap gets the offer.
  return request.maxUsdPerHour !== undefined && usdPerHour.toNumber() > request.maxUsdPerHour
    ? new RentRefusal(
        'price-above-cap',
        `Offer ${offerId} costs $${usdPerHour.toDecimalPlaces(6)}/hour with ${request.diskGb} GB of disk, above the cap of $${request.maxUsdPerHour}.`,
      )
    : null;
}

interface LockedRent {
  request: RentRequest;
  options: KeptOptions;
  quote: Quote;
  /** The rental of this key whose offer was gone when it was sent: this create replaces it. */
  goneId: string | null;
}

/** Everything from the count of the account to the create's response, while no other process creates. */
async function rentLocked(
  lock: AccountLock,
  actor: Actor,
  { request, options, quote: taken, goneId }: LockedRent,
): Promise<Rented | { goneId: string | null }> {
  const known = await findKnown(actor, options);
  if (known !== null && known.rental.id !== goneId) return known;
  await abandonedToSettling(lock, actor);
  await refuseSecondReplacement(lock.db, options);
  let quote = taken;
  if (actor.now().getTime() - taken.at.getTime() > freshQuoteMs) {
    const fresh = await quoteOffer(actor, request, taken.offer.offerId, options.signal);
    const refused = judgeQuote(fresh, request, taken.offer.offerId, options);
    if (refused?.kind === 'offer-gone' || fresh === null) return { goneId };
    if (refused !== null) throw refused;
    quote = fresh;
  }
  const list = await listAccount(actor, options.signal);
  refuseByGuards(await judgeCreate(lock.db, actor, { request, quote, list, by: options.by }));
  const sent = await sendCreate(lock, actor, {
    request,
    quote,
    key: options.key,
    bodyHash: options.bodyHash,
    by: options.by,
    replacesId: options.replacesId ?? null,
    goneId,
    baseline: list?.instances.map(({ instanceId }) => instanceId) ?? [],
    signal: options.signal,
  });
  if (sent.kind === 'offer-gone' && request.nextBest === true) return { goneId: sent.rentalId };
  const rental = await findRental(actor.sql, sent.rentalId);
  if (rental === null) throw new Error(`the rental ${sent.rentalId} has vanished`);
  if (sent.kind === 'rented-or-unclear') return { rental, isReplay: false };
  throw sent.error;
}

/** Refuses to rent in the place of an instance whose replacement may still run, whoever rented that. */
async function refuseSecondReplacement(db: Db, { replacesId }: RentOptions): Promise<void> {
  const other = replacesId === undefined ? null : await findReplacement(db, replacesId);
  if (other === null || other.endedAt !== null) return;
  const which = other.instanceId === null ? `rental ${other.id}` : `instance ${other.instanceId}`;
  throw new RentRefusal(
    'already-replaced',
    `It has a replacement already: ${which}. Destroy that one first to rent another.`,
  );
}

/** The violations of guards and of the requester's limits, by a new list of the account. */
export async function judgeCreate(
  db: Db,
  actor: Actor,
  {
    request,
    quote,
    list,
    by,
  }: { request: RentRequest; quote: Quote; list: InstanceList | null; by: string | null },
): Promise<GuardViolation[]> {
  const { offer, usdPerHour } = quote;
  const account = await countByList(db, actor.market.id, list);
  return [
    ...(await checkGuards({ db, actor, offer, request, usdPerHour, account })),
    ...(by === null ? [] : await checkTokenLimits({ db, actor, by, usdPerHour, list })),
  ];
}
