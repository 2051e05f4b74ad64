import type { PricingType } from '../core/offer.ts';

/** The parts of an offer that its link needs. */
interface LinkedOffer {
  /** null: no longer known. */
  offerId: number | null;
  listingId: number;
  type: PricingType;
  /** The disk of the watch's usage profile. */
  storageGb: number;
  /** Whether Offerbook rents in its market. */
  canRent: boolean;
}

/** Returns the address of an offer's quote, where it can be rented; if it has none, the address of its listing. */
export function offerLink(
  publicUrl: string,
  { offerId, listingId, type, storageGb, canRent }: LinkedOffer,
): string {
  if (offerId === null || !canRent) return `${publicUrl}/listings/${listingId}`;
  const query = new URLSearchParams({ storageGb: String(storageGb) });
  if (type === 'bid') query.set('type', 'bid');
  return `${publicUrl}/rent/${offerId}?${query}`;
}

/** Returns why an offer of a market has no quote, as a sentence. */
export const notRentedWords = (market: string): string =>
  `Offerbook does not rent in ${market}: rent there yourself.`;
