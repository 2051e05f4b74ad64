import type { PricingType } from '../core/offer.ts';
import type { OfferTable } from './offer-table.ts';

/** The book that a search reads. */
export interface BookQuery {
  type: PricingType;
  /** `allocated_storage`: storage included in listed prices, GB. */
  storageGb: number;
  /** Whether only rentable offers are needed: a source may then leave out others. */
  rentableOnly: boolean;
}

/** Provides offers, from a generated market or from recorded books. */
export interface OfferSource {
  /** Returns all offers of a moment, unfiltered; the same table for the same moment. */
  book(query: BookQuery, at: Date): OfferTable;
  /** Moments of recorded books, ascending; empty for a generated market. */
  readonly recordedAt: readonly Date[];
}
