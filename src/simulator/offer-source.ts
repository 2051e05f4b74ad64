import type { PricingType } from '../core/offer.ts';
import type { OfferTable } from './offer-table.ts';

/** Which book of a moment a search is about. */
export interface BookQuery {
  type: PricingType;
  /** `allocated_storage`: what the listed prices include, GB. */
  storageGb: number;
  /** Whether only rentable offers are asked for: a source may leave out the others then, and need not. */
  rentableOnly: boolean;
}

/** Where offers come from: a generated market, or recorded books. */
export interface OfferSource {
  /** All offers of a moment, not yet filtered; the same table for the same moment. */
  book(query: BookQuery, at: Date): OfferTable;
  /** The moments of recorded books, ascending; empty for a generated market. */
  readonly recordedAt: readonly Date[];
}
