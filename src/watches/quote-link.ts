import type { PricingType } from '../core/offer.ts';

/** Returns the address of the page that quotes an offer with the disk of a watch's usage profile, and rents it. */
export function quoteLink(
  publicUrl: string,
  { offerId, type, storageGb }: { offerId: number; type: PricingType; storageGb: number },
): string {
  const query = new URLSearchParams({ storageGb: String(storageGb) });
  if (type === 'bid') query.set('type', 'bid');
  return `${publicUrl}/rent/${offerId}?${query}`;
}
