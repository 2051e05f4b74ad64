import type { PricingType } from '../core/offer.ts';
import type { OfferSource } from './offer-source.ts';
import type { OfferRow } from './offer-table.ts';
import { answerSearch } from './search.ts';

/** Returns a search response's offers for all rentable offers of a type at a moment, by id. */
export function rentableOffers(
  source: OfferSource,
  { type, storageGb }: { type: PricingType; storageGb: number },
  at: Date,
  cap: number,
): readonly OfferRow[] {
  const whole = {
    type,
    limit: 1_000_000,
    order: [['id', 'asc']],
    allocated_storage: storageGb,
    rentable: { eq: true },
    rented: { eq: false },
    verification: { in: ['verified', 'unverified', 'deverified'] },
  };
  const answer = answerSearch(source, whole, at, cap);
  if (answer.status !== 200) throw new Error(`the search was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.offers;
}
