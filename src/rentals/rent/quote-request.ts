import type { Actor } from '../actor.ts';
import { candidateIds } from './find-offers.ts';
import { type GuardViolation, listAccount } from './guards.ts';
import { type PublicQuote, publicQuote, type Quote, quoteOffer } from './quote-offer.ts';
import { judgeCreate, judgeQuote } from './rent.ts';
import { RentRefusal } from './rent-refusal.ts';
import type { RentRequest } from './rent-request.ts';

/** Whether a field comes from the request, its template, or both. */
type FieldSource = 'request' | 'template' | 'both' | 'neither';

/** A quote with everything that would prevent the rental. */
export interface QuotedRequest extends PublicQuote {
  sources: Record<string, FieldSource>;
  /** The guards' violations for the account as it is now. */
  guards: GuardViolation[];
  refusal: { kind: string; message: string } | null;
  wouldRent: boolean;
}

/** Says that there is nothing to quote, and what it may be. */
const goneWords = ({ offerId, watchId }: RentRequest): string =>
  offerId === undefined || watchId !== undefined
    ? 'No offer fits now.'
    : `Offer ${offerId} is not on the market now: somebody has rented it, its host has withdrawn it, or it has another id since the newest book. The next book shows whether its machine is offered.`;

/**
 * Quotes the first offer that a request may take, else the first one, and checks the guards and the limits of the token `by` (null: of none); sends nothing. Throws
 * RentRefusal if every offer is gone, UserError and MarketError.
 */
export async function quoteRequest(
  actor: Actor,
  request: RentRequest,
  { by, signal }: { by: string | null; signal?: AbortSignal } = { by: null },
): Promise<QuotedRequest> {
  let first: { quote: Quote; no: RentRefusal } | null = null;
  let taken: Quote | null = null;
  for (const offerId of await candidateIds(actor, request)) {
    const quote = await quoteOffer(actor, request, offerId, signal);
    if (quote === null) continue;
    const no = judgeQuote(quote, request, offerId);
    if (no === null) {
      taken = quote;
      break;
    }
    first ??= { quote, no };
  }
  const quote = taken ?? first?.quote;
  if (quote === undefined) throw new RentRefusal('offer-gone', goneWords(request));
  const list = await listAccount(actor, signal);
  const violations = await judgeCreate(actor.sql, actor, { request, quote, list, by });
  const refusal =
    taken === null && first !== null ? { kind: first.no.kind, message: first.no.message } : null;
  return {
    ...publicQuote(quote),
    sources: sourcesOf(request, quote),
    guards: violations,
    refusal,
    wouldRent: violations.length === 0 && refusal === null,
  };
}

/** The source of each field. Source: docs/marketplace.md#template-and-request. */
function sourcesOf(request: RentRequest, { template, resolved }: Quote): Record<string, FieldSource> {
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
    image: scalar(request.image, resolved.image),
    diskGb: 'request',
    onstart: scalar(request.onstart, resolved.onstart),
    args: scalar(request.args, resolved.args),
    runtype: scalar(request.runtype, resolved.runtype),
    env: merged(request.env, resolved.env),
    extraFilters: merged(request.extraFilters, resolved.extraFilters),
    // A template's own volume is ignored.
    volume: request.volume === undefined ? 'neither' : 'request',
    template: template === null ? 'neither' : 'template',
  };
}
