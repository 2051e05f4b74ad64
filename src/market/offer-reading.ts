import type { Offer, PricingType, RejectedOffer } from '../core/offer.ts';

/** A record read: an offer, or why not. `replacedCharacters` became U+FFFD in it. */
export type OfferReading =
  | { ok: true; offer: Offer; replacedCharacters: number }
  | { ok: false; rejected: RejectedOffer; replacedCharacters: number };

/** Reads records of offers as a market delivered them, wherever they were kept. */
export interface RecordReader {
  readOffer: (record: unknown, type: PricingType) => OfferReading;
  /** The pricing type that a record of a search says; on demand where it says none. */
  typeOf: (record: Readonly<Record<string, unknown>>) => PricingType;
}
