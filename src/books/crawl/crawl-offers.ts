import { unionOfModels } from '../../core/crawl-scope.ts';
import { type PricingType, verificationTiers } from '../../core/offer.ts';
import { blankCertificate, type CoverageCertificate, partial } from '../coverage.ts';
import { listedKinds } from '../newest-books.sql.ts';
import { type BookRun, openBookRun } from './book-crawl.ts';
import { coverMarket } from './cover-market.ts';
import { withLeanHeap } from './lean-heap.ts';
import type { CrawlOutcome, CrawlRunAsk, OffersCrawler } from './offers-crawler.ts';

export interface CrawlAsk {
  type: PricingType;
  /** All of rentable scopes, or all of not rentable ones; each scope once. */
  runs: readonly CrawlRunAsk[];
  signal?: AbortSignal | undefined;
}

/** Runs that share a walk at most: each holds a connection of the pool while it lasts. */
const maxConcurrent = 3;

/**
 * Crawls a book a run: every page once for all of them, until it is known what may be missing, then a transaction
 * a book. Each book holds the offers that its scope covers. Outcomes come in the order of the runs. Never throws
 * for the market or the database: a failed crawl is an outcome, kept as a run with its reason, and leaves nothing
 * half stored. More than 3 runs share several walks. Throws RangeError for runs that cannot share one.
 */
export async function crawlOffers(crawler: OffersCrawler, ask: CrawlAsk): Promise<CrawlOutcome[]> {
  const scopes = ask.runs.map(({ scope }) => scope);
  if (new Set(scopes.map(({ rentable }) => rentable)).size > 1) {
    throw new RangeError('rentable and not rentable offers are not crawled together');
  }
  if (new Set(scopes.map(({ name }) => name)).size < scopes.length) {
    throw new RangeError('a scope is crawled once at a time');
  }
  const outcomes: CrawlOutcome[] = [];
  for (let at = 0; at < ask.runs.length; at += maxConcurrent) {
    const runs = ask.runs.slice(at, at + maxConcurrent);
    outcomes.push(...(await withLeanHeap(() => crawlTogether(crawler, { ...ask, runs }))));
  }
  return outcomes;
}

async function crawlTogether(crawler: OffersCrawler, ask: CrawlAsk): Promise<CrawlOutcome[]> {
  const startedAt = crawler.now();
  const runs = new Map<string, BookRun>();
  // In one order everywhere, so that two crawls that wait for the same series do not wait for each other.
  for (const run of ask.runs.toSorted((a, b) => (a.scope.name < b.scope.name ? -1 : 1))) {
    runs.set(run.runId, await openBookRun(crawler, { ...run, type: ask.type, startedAt }));
  }
  const certificate = blankCertificate('id');
  const outcomes = new Map<string, CrawlOutcome>();
  try {
    const covered = await coverScopes(crawler, ask, { runs: [...runs.values()], certificate, startedAt });
    // One moment for all books of a walk: who reads several of them sees the same offers once.
    const observedAt = crawler.now();
    for (const [runId, run] of runs) outcomes.set(runId, await run.land(covered, certificate, observedAt));
  } catch (error) {
    for (const [runId, run] of runs) outcomes.set(runId, await run.fail(error, certificate));
  } finally {
    for (const run of runs.values()) await run.close();
  }
  return ask.runs.flatMap(({ runId }) => outcomes.get(runId) ?? []);
}

async function coverScopes(
  crawler: OffersCrawler,
  ask: CrawlAsk,
  crawl: { runs: readonly BookRun[]; certificate: CoverageCertificate; startedAt: Date },
): Promise<Awaited<ReturnType<typeof coverMarket>>> {
  const { runs, certificate, startedAt } = crawl;
  const scopes = runs.filter((run) => run.isOpen()).map(({ scope }) => scope);
  const [first] = scopes;
  if (first === undefined) return { coverage: partial('proved', 'nothing was asked for'), slices: [] };
  const elapsedMs = (): number => crawler.now().getTime() - startedAt.getTime();
  crawler.onPhase?.('paging');
  const covered = await coverMarket({
    ...crawler,
    type: ask.type,
    rentable: first.rentable,
    gpuNames: unionOfModels(scopes),
    tiers: crawler.verificationTiers ?? verificationTiers,
    knownGpuNames: async () => (await listedKinds(crawler.sql, crawler.marketId)).gpuNames,
    random: crawler.random ?? Math.random,
    certificate,
    sink: {
      take: async (offers) => {
        for (const run of runs) await run.stage(offers);
      },
      replace: async (offers) => {
        for (const run of runs) await run.restage(offers);
      },
    },
    isTooLate: () => elapsedMs() > crawler.maxBookMinutes * 60_000,
    signal: ask.signal,
  });
  certificate.durationMs = elapsedMs();
  return covered;
}
