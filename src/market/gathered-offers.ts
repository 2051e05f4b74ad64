import type { CoverageCertificate } from '../core/coverage.ts';
import type { Offer, RejectedOffer } from '../core/offer.ts';
import type { OfferSink } from './crawl-book.ts';

/** One answer of offers; `offers` and `rejected` together are its `rows`. */
export interface FoundPage {
  /** In the order of the answer. */
  offers: Offer[];
  rejected: RejectedOffer[];
  rows: number;
  /** Characters that became U+FFFD. */
  replacedCharacters: number;
  /** Attempts after the first. */
  retries: number;
  /** Answers that asked for fewer requests. */
  throttles: number;
}

/** Everything that the pages of one crawl held, each offer once, whatever walk found it. */
export interface GatheredOffers {
  /** Notes a page in the certificate and passes on what is new or repriced. */
  add: (page: FoundPage) => Promise<void>;
  /** Models seen so far, ascending. */
  gpuNames: () => string[];
  /** Verification tiers seen so far; empty where the offers name none. */
  tiers: () => ReadonlySet<string>;
  /** Offers seen so far. */
  size: () => number;
  has: (offerId: number) => boolean;
  /** Rows of the largest answer. */
  largestPage: () => number;
}

const pagesNoted = 1_000;

/**
 * Gathers the pages of one crawl. Only ids and listed prices are kept: the offers themselves go on at once. Of
 * an offer that is seen again at another price the newest sighting counts.
 */
export function createGatheredOffers(certificate: CoverageCertificate, sink: OfferSink): GatheredOffers {
  const prices = new Map<number, number>();
  const rejectedIds = new Set<number>();
  const models = new Set<string>();
  const tiers = new Set<string>();
  let largest = 0;

  /** Whether the row was not rejected before. */
  function noteRejected({ reason, offerId }: RejectedOffer): boolean {
    // A row without an id cannot be told again: later passes would count it once more.
    const known = offerId === null ? certificate.passes.length > 1 : rejectedIds.has(offerId);
    if (known) {
      certificate.duplicates += 1;
      return false;
    }
    if (offerId !== null) rejectedIds.add(offerId);
    certificate.rejected[reason] = (certificate.rejected[reason] ?? 0) + 1;
    return true;
  }

  return {
    async add(page) {
      notePage(certificate, page);
      largest = Math.max(largest, page.rows);
      const newlyRejected = page.rejected.filter(noteRejected).length;
      const fresh: Offer[] = [];
      const repriced = new Map<number, Offer>();
      for (const offer of page.offers) {
        const { offerId, listedUsdPerHour } = offer;
        const known = prices.get(offerId);
        if (known === undefined) fresh.push(offer);
        else {
          certificate.duplicates += 1;
          if (known !== listedUsdPerHour) {
            certificate.movedRows += 1;
            repriced.set(offerId, offer);
          }
        }
        prices.set(offerId, listedUsdPerHour);
        models.add(offer.gpuName);
        if (offer.verification !== null) tiers.add(offer.verification);
      }
      certificate.accepted += fresh.length;
      // An answer that was read before repeats the same characters.
      if (fresh.length + newlyRejected > 0) certificate.replacedCharacters += page.replacedCharacters;
      if (fresh.length > 0) await sink.take(fresh);
      if (repriced.size > 0) await sink.replace([...repriced.values()]);
    },
    gpuNames: () => [...models].sort(),
    tiers: () => tiers,
    size: () => prices.size,
    has: (offerId) => prices.has(offerId),
    largestPage: () => largest,
  };
}

function notePage(certificate: CoverageCertificate, page: FoundPage): void {
  certificate.pages += 1;
  if (certificate.rowsPerPage.length < pagesNoted) certificate.rowsPerPage.push(page.rows);
  certificate.rows += page.rows;
  certificate.retries += page.retries;
  certificate.throttles += page.throttles;
}
