import type { Coverage, CoverageCertificate, CoverageSlice } from '../core/coverage.ts';
import type { CrawlScope } from '../core/crawl-scope.ts';
import type { Log } from '../core/log.ts';
import type { Offer, PricingType } from '../core/offer.ts';

/** What a crawl does with the offers that it finds. */
export interface OfferSink {
  /** Takes offers that no earlier page had. */
  take: (offers: Offer[]) => Promise<void>;
  /** Takes offers that were taken before and have another price now. */
  replace: (offers: Offer[]) => Promise<void>;
}

/** Makes a call, and makes it again after a while where its answer was refused or could not be read. */
export type AskAgain = <T>(call: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** One reading of a market's offers, and what the reader works with. */
export interface BookAsk extends Pick<CrawlScope, 'gpuNames' | 'rentable'> {
  type: PricingType;
  /** GB of disk that listed prices include, where the market asks. */
  allocatedStorageGb: number;
  /** Takes the offers as they come; those that were not asked for are left out of the book. */
  sink: OfferSink;
  /** Filled in while reading, so that a crawl which fails says what it had read. */
  certificate: CoverageCertificate;
  /** Models that the market had at any time. */
  knownGpuNames: () => Promise<readonly string[]>;
  /** What every request of the reading is made through. */
  askAgain: AskAgain;
  /** Whether the crawl has lasted longer than a book may: the rest of it would be in vain. */
  isTooLate: () => boolean;
  random: () => number;
  log: Log;
  signal?: AbortSignal | undefined;
}

/** How much of what was asked for was read; slices where the verdict is not one for all models. */
export interface CoveredBook {
  coverage: Coverage;
  slices: readonly CoverageSlice[];
}

/** Reads a market's offers. Rejects with MarketError where they cannot be read, and with the signal's reason. */
export type CrawlBook = (ask: BookAsk) => Promise<CoveredBook>;
