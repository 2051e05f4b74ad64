import { partialReasons } from '../../core/completeness.ts';
import {
  type Coverage,
  type CoverageCertificate,
  complete,
  coverageOfModel,
  partial,
} from '../../core/coverage.ts';
import { type CrawlScope, coversModel } from '../../core/crawl-scope.ts';
import type { Offer, PricingType } from '../../core/offer.ts';
import { endsWithin } from '../../database/reserved-connection.ts';
import type { CoveredBook } from '../../market/crawl-book.ts';
import { finishCrawl, startCrawl } from '../crawls.sql.ts';
import { type BookLanding, openLanding } from '../landing/land-book.sql.ts';
import { ensureScope } from '../markets.sql.ts';
import { failureReason } from './failure-reason.ts';
import type { CrawlOutcome, OffersCrawler, OffersCrawlOptions } from './offers-crawler.ts';

/** How long to keep trying to record that a crawl failed. */
const recordMs = 5_000;

/** A crawl of one scope: collects the offers that the scope covers and stores them as a book. */
export interface BookCrawl {
  scope: CrawlScope;
  /** false: it has already failed. */
  isOpen: () => boolean;
  stage: (offers: readonly Offer[]) => Promise<void>;
  restage: (offers: readonly Offer[]) => Promise<void>;
  /** Stores the book of a moment and ends the crawl. Never throws: an error becomes its outcome. */
  land: (covered: CoveredBook, certificate: CoverageCertificate, observedAt: Date) => Promise<CrawlOutcome>;
  /** Ends the crawl as failed. */
  fail: (error: unknown, certificate: CoverageCertificate) => Promise<CrawlOutcome>;
  close: () => Promise<void>;
}

/** Begins a crawl and opens its landing; if that fails, returns a crawl that has failed already. */
export async function openBookCrawl(
  crawler: OffersCrawler,
  ask: OffersCrawlOptions & { type: PricingType; startedAt: Date },
): Promise<BookCrawl> {
  const { sql, marketId, log, now } = crawler;
  const { crawlId, scope, type, startedAt } = ask;
  let landing: BookLanding | null = null;
  let failure: { error: unknown } | null = null;
  let accepted = 0;
  try {
    await startCrawl(sql, { ...ask, id: crawlId, marketId, scopeName: scope.name });
    await ensureScope(sql, marketId, scope.name, scope);
    landing = await openLanding(sql, { ...crawler, scopeName: scope.name, type });
  } catch (error) {
    failure = { error };
  }
  const common = (certificate: CoverageCertificate) => ({ crawlId, type, scope, certificate });
  const finish = async (outcome: CrawlOutcome): Promise<CrawlOutcome> => {
    const { certificate, kind } = outcome;
    const reason = kind === 'complete' ? null : outcome.reason;
    const bookId = kind === 'failed' ? null : outcome.bookId;
    await finishCrawl(sql, crawlId, { outcome: kind, reason, certificate, bookId, endedAt: now() });
    return outcome;
  };
  const fail = async (error: unknown, certificate: CoverageCertificate): Promise<CrawlOutcome> => {
    const { reason, explained } = failureReason(error);
    const fields = { crawlId, type, scope: scope.name, ...(explained ? {} : { err: error }) };
    log.error(fields, `crawl failed: ${reason}`);
    const outcome: CrawlOutcome = { ...common(certificate), kind: 'failed', reason, error };
    // The database may be unreachable; the next attempt closes a crawl that stays open.
    await endsWithin(
      recordMs,
      finish(outcome).catch(() => outcome),
    );
    return outcome;
  };
  const ofScope = (offers: readonly Offer[]): Offer[] =>
    offers.filter(({ gpuName }) => coversModel(scope, gpuName));
  return {
    scope,
    isOpen: () => failure === null,
    fail: async (error, certificate) => await fail(failure?.error ?? error, certificate),
    async stage(offers) {
      const own = ofScope(offers);
      accepted += own.length;
      if (own.length > 0) await landing?.stage(own);
    },
    async restage(offers) {
      const own = ofScope(offers);
      if (own.length > 0) await landing?.restage(own);
    },
    async land(covered, shared, observedAt) {
      const certificate = ownCertificate(shared, accepted);
      if (landing === null) return await fail(failure?.error, certificate);
      try {
        const coverage = tooSlow(crawler, certificate) ?? coverageOf(scope, covered);
        const slices = covered.slices.filter(
          ({ gpuName }) => gpuName === null || coversModel(scope, gpuName),
        );
        const isOnlyScope = shared.accepted === accepted;
        const mayBeEmpty =
          scope.name !== 'default' &&
          coverage.verdict === 'complete' &&
          (!isOnlyScope || Object.keys(certificate.rejected).length === 0);
        const head = { observedAt, startedAt, coverage, certificate, slices, mayBeEmpty };
        const landingFrom = performance.now();
        const { bookId, offers, coverage: landed } = await landing.land(head);
        crawler.onStored?.({ type, offers, seconds: (performance.now() - landingFrom) / 1_000 });
        const { verdict, reason } = landed;
        log.info({ crawlId, type, scope: scope.name, offers, verdict, reason }, 'book stored');
        const book = { ...common(certificate), bookId, offers };
        return await finish(
          verdict === 'complete' ? { ...book, kind: verdict } : { ...book, kind: verdict, reason },
        );
      } catch (error) {
        return await fail(error, certificate);
      }
    },
    close: async () => await landing?.close(),
  };
}

/** Returns the certificate of a book that has only some of the offers, without the rows of others. */
function ownCertificate(shared: CoverageCertificate, accepted: number): CoverageCertificate {
  const others = shared.accepted - accepted;
  return { ...shared, rows: shared.rows - others, accepted };
}

/** Returns the coverage of one scope; for a scope of models only their slices count. */
function coverageOf(scope: CrawlScope, covered: CoveredBook): Coverage {
  if (scope.gpuNames === null || covered.slices.length === 0) return covered.coverage;
  const verdicts = scope.gpuNames.map((name) => coverageOfModel(covered, name));
  return verdicts.find(({ verdict }) => verdict === 'partial') ?? complete('proved');
}

function tooSlow(crawler: OffersCrawler, certificate: CoverageCertificate): Coverage | null {
  const minutes = certificate.durationMs / 60_000;
  if (minutes <= crawler.maxBookMinutes) return null;
  return partial(
    'proved',
    `${partialReasons.tooSlow}: ${minutes.toFixed(0)} minutes of at most ${crawler.maxBookMinutes}`,
  );
}
