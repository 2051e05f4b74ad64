import type { Actor } from '../actor.ts';
import { candidateIds } from './find-offers.ts';
import type { GuardNo } from './guard.ts';
import { listAccount } from './guards.ts';
import { type PublicQuote, publicQuote, type Quote, quoteOffer } from './quote-offer.ts';
import { judgeCreate, judgeQuote } from './rent.ts';
import { RentRefusal } from './rent-refusal.ts';
import type { RentWish } from './rent-request.ts';

/** Whether a field of what would be sent is the wish's, its template's, or made of both. */
type FieldSource = 'request' | 'template' | 'both' | 'neither';

/** A quote with everything that would stand in the way of the rent. */
export interface WishQuote extends PublicQuote {
  sources: Record<string, FieldSource>;
  /** The guards' noes, by the account as it is now. */
  guards: GuardNo[];
  refusal: { kind: string; message: string } | null;
  wouldRent: boolean;
}

/**
 * Quotes the first offer that a wish may take, else the first there is, and asks the guards; nothing is sent. Throws
 * RentRefusal where every offer is gone, UserError and MarketError.
 */
export async function quoteWish(actor: Actor, wish: RentWish, signal?: AbortSignal): Promise<WishQuote> {
  let first: { quote: Quote; no: RentRefusal } | null = null;
  let taken: Quote | null = null;
  for (const offerId of await candidateIds(actor, wish)) {
    const quote = await quoteOffer(actor, wish, offerId, signal);
    if (quote === null) continue;
    const no = judgeQuote(quote, wish, offerId);
    if (no === null) {
      taken = quote;
      break;
    }
    first ??= { quote, no };
  }
  const quote = taken ?? first?.quote;
  if (quote === undefined) throw new RentRefusal('offer-gone', 'No offer fits, or it is gone.');
  const list = await listAccount(actor, signal);
  const noes = await judgeCreate(actor.sql, actor, { wish, quote, list });
  const refusal =
    taken === null && first !== null ? { kind: first.no.kind, message: first.no.message } : null;
  return {
    ...publicQuote(quote),
    sources: sourcesOf(wish, quote),
    ...{ guards: noes, refusal, wouldRent: noes.length === 0 && refusal === null },
  };
}

/** Which source each field comes from. Source: docs/marketplace.md#template-and-request. */
function sourcesOf(wish: RentWish, { template, resolved }: Quote): Record<string, FieldSource> {
  const scalar = (given: unknown, value: unknown): FieldSource =>
    given !== undefined ? 'request' : value === null ? 'neither' : 'template';
  const merged = (given: object | undefined, all: object): FieldSource => {
    const own = Object.keys(given ?? {}).length;
    const whole = Object.keys(all).length;
    if (whole === 0) return 'neither';
    if (own === 0) return 'template';
    return own === whole ? 'request' : 'both';
  };
  return {
    image: scalar(wish.image, resolved.image),
    diskGb: 'request',
    onstart: scalar(wish.onstart, resolved.onstart),
    args: scalar(wish.args, resolved.args),
    runtype: scalar(wish.runtype, resolved.runtype),
    env: merged(wish.env, resolved.env),
    extraFilters: merged(wish.extraFilters, resolved.extraFilters),
    // A template's own volume is ignored.
    volume: wish.volume === undefined ? 'neither' : 'request',
    template: template === null ? 'neither' : 'template',
  };
}
