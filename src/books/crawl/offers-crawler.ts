import type { CoverageCertificate } from '../../core/coverage.ts';
import type { CrawlScope } from '../../core/crawl-scope.ts';
import type { Log } from '../../core/log.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Sql } from '../../database/connection.ts';
import type { AskAgain, CrawlBook } from '../../market/crawl-book.ts';
import type { CrawlCause } from '../crawls.sql.ts';
import type { LandingOptions } from '../landing/land-book.sql.ts';

export interface OffersCrawler {
  sql: Sql;
  /** Reads the market's offers. */
  crawlBook: CrawlBook;
  /** @default every call is made once */
  askAgain?: AskAgain | undefined;
  marketId: number;
  allocatedStorageGb: number;
  maxBookMinutes: number;
  log: Log;
  now: () => Date;
  /** Selects the pages to repeat. @default Math.random */
  random?: (() => number) | undefined;
  statistics: LandingOptions['statistics'];
  onBookLanded?: LandingOptions['onBookLanded'];
  /** Called for each stored book with the time from its last page to its commit. */
  onStored?: ((book: { type: PricingType; seconds: number; offers: number }) => void) | undefined;
  onPhase?: ((phase: 'paging' | 'copy' | 'merge' | 'commit') => void) | undefined;
}

/** One book to make. */
export interface OffersCrawlOptions {
  crawlId: string;
  scope: CrawlScope;
  cause: CrawlCause;
  /** The scheduled moment; null: not scheduled. */
  tickAt: Date | null;
  /** Id of its job; null: not from the queue. */
  jobId: string | null;
}

export type CrawlOutcome = {
  crawlId: string;
  type: PricingType;
  scope: CrawlScope;
  certificate: CoverageCertificate;
} & (
  | { kind: 'complete'; bookId: number; offers: number }
  | { kind: 'partial'; bookId: number; offers: number; reason: string }
  | { kind: 'failed'; reason: string; error: unknown }
);
