import type { CoverageCertificate } from '../core/coverage.ts';
import type { Offer, RejectedOffer } from '../core/offer.ts';
import type { OfferSink } from './crawl-book.ts';

/** One response with offers; `offers` and `rejected` together are its `rows`. */
export interface FoundPage {
  /** In the order of the response. */
  offers: Offer[];
  rejected: RejectedOffer[];
  rows: number;
  /** Characters that became U+FFFD. */
  replacedCharacters: number;
  /** Attempts after the first. */
  retries: number;
  /** Throttled responses. */
  throttles: number;
}

/** All offers of one crawl's pages, each once, whichever walk found it. */
export interface GatheredOffers {
  /** Records a page in the certificate and passes on new or repriced offers. */
  add: (page: FoundPage) => Promise<void>;
  /** Models seen so far, ascending. */
  gpuNames: () => string[];
  /** Verification tiers seen so far; empty if the offers state none. */
  tiers: () => ReadonlySet<string>;
  /** Offers seen so far. */
  size: () => number;
  has: (offerId: number) => boolean;
  /** Rows of the largest response. */
  largestPage: () => number;
}

const pagesNoted = 1_000;

/**
 * Gathers the pages of one crawl. Keeps only ids and listed prices, and passes the offers on at once. If an offer is
 * seen again at another price, the newest one counts.
 */
export function createGatheredOffers(certificate: CoverageCertificate, sink: OfferSink): GatheredOffers {
  const prices = new Map<number, number>();
  const rejectedIds = new Set<number>();
  const models = new Set<string>();
  const tiers = new Set<string>();
  let largest = 0;

  /** Whether the row was not rejected before. */
  function noteRejected({ reason, offerId }: RejectedOffer): boolean {
    // A row without an id cannot be recognized, so later passes would count it again.
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
      // A response seen before repeats the same characters.
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
