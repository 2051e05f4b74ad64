import { blankCertificate, type CoverageCertificate, partial } from '../../core/coverage.ts';
import { unionOfModels } from '../../core/crawl-scope.ts';
import type { PricingType } from '../../core/offer.ts';
import type { CoveredBook } from '../../market/crawl-book.ts';
import { listedKinds } from '../newest-books.sql.ts';
import { type BookCrawl, openBookCrawl } from './book-crawl.ts';
import { withLeanHeap } from './lean-heap.ts';
import type { CrawlOutcome, OffersCrawler, OffersCrawlOptions } from './offers-crawler.ts';

export interface CrawlOffersOptions {
  type: PricingType;
  /** Scopes of rentable offers only or of other offers only, each scope once. */
  crawls: readonly OffersCrawlOptions[];
  signal?: AbortSignal | undefined;
}

/** Maximum number of crawls that share a walk; each holds a connection of the pool. */
const maxConcurrent = 3;

/**
 * Makes one book per crawl. Reads every page once for all crawls until it is known what may be missing, then stores
 * each book in its own transaction, with the offers that its scope covers. Returns outcomes in the order of the crawls.
 * Never throws for the market or the database: a failed crawl is an outcome, recorded with its reason, and stores
 * nothing. More than 3 crawls use several walks. Throws RangeError for crawls that cannot share one.
 */
export async function crawlOffers(
  crawler: OffersCrawler,
  options: CrawlOffersOptions,
): Promise<CrawlOutcome[]> {
  const scopes = options.crawls.map(({ scope }) => scope);
  if (new Set(scopes.map(({ rentable }) => rentable)).size > 1) {
    throw new RangeError('rentable and not rentable offers are not crawled together');
  }
  if (new Set(scopes.map(({ name }) => name)).size < scopes.length) {
    throw new RangeError('a scope is crawled once at a time');
  }
  const outcomes: CrawlOutcome[] = [];
  for (let at = 0; at < options.crawls.length; at += maxConcurrent) {
    const crawls = options.crawls.slice(at, at + maxConcurrent);
    outcomes.push(...(await withLeanHeap(() => crawlTogether(crawler, { ...options, crawls }))));
  }
  return outcomes;
}

async function crawlTogether(crawler: OffersCrawler, options: CrawlOffersOptions): Promise<CrawlOutcome[]> {
  const startedAt = crawler.now();
  const crawls = new Map<string, BookCrawl>();
  // A fixed order, so that two crawls of the same series do not deadlock.
  for (const crawl of options.crawls.toSorted((a, b) => (a.scope.name < b.scope.name ? -1 : 1))) {
    crawls.set(crawl.crawlId, await openBookCrawl(crawler, { ...crawl, type: options.type, startedAt }));
  }
  const certificate = blankCertificate('id');
  const outcomes = new Map<string, CrawlOutcome>();
  try {
    const covered = await coverScopes(crawler, options, {
      crawls: [...crawls.values()],
      certificate,
      startedAt,
    });
    // The same moment for all books of a walk, so that readers of several books see each offer once.
    const observedAt = crawler.now();
    for (const [crawlId, crawl] of crawls)
      outcomes.set(crawlId, await crawl.land(covered, certificate, observedAt));
  } catch (error) {
    for (const [crawlId, crawl] of crawls) outcomes.set(crawlId, await crawl.fail(error, certificate));
  } finally {
    for (const crawl of crawls.values()) await crawl.close();
  }
  return options.crawls.flatMap(({ crawlId }) => outcomes.get(crawlId) ?? []);
}

async function coverScopes(
  crawler: OffersCrawler,
  options: CrawlOffersOptions,
  crawl: { crawls: readonly BookCrawl[]; certificate: CoverageCertificate; startedAt: Date },
): Promise<CoveredBook> {
  const { crawls, certificate, startedAt } = crawl;
  const scopes = crawls.filter((crawl) => crawl.isOpen()).map(({ scope }) => scope);
  const [first] = scopes;
  if (first === undefined) return { coverage: partial('proved', 'nothing was asked for'), slices: [] };
  const elapsedMs = (): number => crawler.now().getTime() - startedAt.getTime();
  crawler.onPhase?.('paging');
  const covered = await crawler.crawlBook({
    type: options.type,
    allocatedStorageGb: crawler.allocatedStorageGb,
    rentable: first.rentable,
    gpuNames: unionOfModels(scopes),
    knownGpuNames: async () => (await listedKinds(crawler.sql, crawler.marketId)).gpuNames,
    askAgain: crawler.askAgain ?? ((call) => call()),
    random: crawler.random ?? Math.random,
    log: crawler.log,
    certificate,
    sink: {
      take: async (offers) => {
        for (const crawl of crawls) await crawl.stage(offers);
      },
      replace: async (offers) => {
        for (const crawl of crawls) await crawl.restage(offers);
      },
    },
    isTooLate: () => elapsedMs() > crawler.maxBookMinutes * 60_000,
    signal: options.signal,
  });
  certificate.durationMs = elapsedMs();
  return covered;
}
