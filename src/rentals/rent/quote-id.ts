import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { Actor } from '../actor.ts';
import { RentRefusal } from './rent-refusal.ts';
import type { RentRequest } from './rent-request.ts';

/** How long a quote may be rented. */
const validMs = 60_000;

const SealedQuote = z.tuple([z.literal('quote'), z.int(), z.int(), z.number(), z.int()]);

type QuoteActor = Pick<Actor, 'sealer' | 'market' | 'now'>;

/**
 * Returns the id with which a quote can be rented at its price at most: the quote itself, encrypted, so that every
 * process of the service knows it and nothing is stored. null: the price is unknown, or this process has no SECRETS_KEY.
 */
export function makeQuoteId(
  { sealer, market }: QuoteActor,
  { offerId, usdPerHour, at }: { offerId: number; usdPerHour: string | null; at: string },
): string | null {
  if (usdPerHour === null || sealer === undefined) return null;
  try {
    return sealer.seal(JSON.stringify(['quote', market.id, offerId, Number(usdPerHour), Date.parse(at)]));
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/**
 * Returns a request with the quote's price as its cap, and the only offer that may be taken. Throws a RentRefusal for an
 * unknown or old quote, or one of another offer.
 */
export function holdToQuote(
  { sealer, market, now }: QuoteActor,
  request: RentRequest,
  quoteId: string,
): { request: RentRequest; onlyOfferId: number } {
  const [, marketId, offerId, usdPerHour, at] = read(sealer?.open(quoteId) ?? null);
  if (marketId !== market.id || (request.offerId !== undefined && request.offerId !== offerId)) {
    const what = `The quote is for offer ${offerId}, not for this one: ask for a quote of it.`;
    throw new RentRefusal('invalid-request', what, ['quoteId']);
  }
  const age = now().getTime() - at;
  if (age > validMs) {
    throw new RentRefusal(
      'quote-expired',
      `The quote is ${Math.ceil(age / 1_000)} seconds old and is valid for ${validMs / 1_000}: ask for a new one.`,
    );
  }
  const maxUsdPerHour = Math.min(usdPerHour, request.maxUsdPerHour ?? usdPerHour);
  return { request: { ...request, maxUsdPerHour }, onlyOfferId: offerId };
}

function read(opened: string | null): z.output<typeof SealedQuote> {
  try {
    return SealedQuote.parse(JSON.parse(opened ?? ''));
  } catch (cause) {
    if (!(cause instanceof z.ZodError || cause instanceof SyntaxError)) throw cause;
    const what = 'This quoteId is unknown: give the one of the quote, unchanged.';
    throw new RentRefusal('invalid-request', what, ['quoteId']);
  }
}
