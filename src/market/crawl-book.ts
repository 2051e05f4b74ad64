import type { Coverage, CoverageCertificate, CoverageSlice } from '../core/coverage.ts';
import type { CrawlScope } from '../core/crawl-scope.ts';
import type { Log } from '../core/log.ts';
import type { Offer, PricingType } from '../core/offer.ts';

/** Receives the offers that a crawl finds. */
export interface OfferSink {
  /** Receives offers that no earlier page had. */
  take: (offers: Offer[]) => Promise<void>;
  /** Receives offers from earlier pages with a changed price. */
  replace: (offers: Offer[]) => Promise<void>;
}

/** Makes a call, and repeats it after a pause if the response was refused or unreadable. */
export type AskAgain = <T>(call: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Parameters of one read of a market's offers. */
export interface BookAsk extends Pick<CrawlScope, 'gpuNames' | 'rentable'> {
  type: PricingType;
  /** GB of disk included in listed prices, if the market asks for it. */
  allocatedStorageGb: number;
  /** Receives the offers as they arrive; offers that were not requested are later left out of the book. */
  sink: OfferSink;
  /** Filled in while reading, so that a failed crawl shows what it had read. */
  certificate: CoverageCertificate;
  /** Returns the models that the market ever listed. */
  knownGpuNames: () => Promise<readonly string[]>;
  /** Makes every request of the read. */
  askAgain: AskAgain;
  /** Whether the crawl has lasted longer than a book may, so that continuing is useless. */
  isTooLate: () => boolean;
  random: () => number;
  log: Log;
  signal?: AbortSignal | undefined;
}

/** How much of the requested offers was read; slices if the verdict differs by model. */
export interface CoveredBook {
  coverage: Coverage;
  slices: readonly CoverageSlice[];
}

/** Reads a market's offers. Rejects with MarketError if they cannot be read, and with the signal's reason. */
export type CrawlBook = (ask: BookAsk) => Promise<CoveredBook>;
