import type { Offer, PricingType, RejectedOffer } from '../core/offer.ts';

/** The result of reading a record: an offer, or why not. `replacedCharacters` became U+FFFD in it. */
export type OfferReading =
  | { ok: true; offer: Offer; replacedCharacters: number }
  | { ok: false; rejected: RejectedOffer; replacedCharacters: number };

/** Reads a market's offer records, wherever they were stored. */
export interface RecordReader {
  readOffer: (record: unknown, type: PricingType) => OfferReading;
  /** Returns the pricing type stated by a search record, or on demand if it states none. */
  typeOf: (record: Readonly<Record<string, unknown>>) => PricingType;
}
