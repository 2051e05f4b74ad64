import type { Sql } from '../db/connection.ts';
import { finishRun, type RunCause, startRun } from '../db/crawl-runs.ts';
import { explainDatabaseFailure } from '../db/failure.ts';
import { type BookLanding, type LandingOptions, openLanding } from '../db/land-book.ts';
import {
  blankCertificate,
  type Coverage,
  type CoverageCertificate,
  complete,
  partial,
} from '../domain/coverage.ts';
import { MarketError, UserError } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import type { PricingType } from '../domain/offer.ts';
import type { MarketClient } from '../market/client.ts';
import { type Walk, type WalkEnd, walkById, walkByPrice } from './page-walk.ts';

export interface OffersCrawler {
  sql: Sql;
  client: Pick<MarketClient, 'searchOffers'>;
  marketId: number;
  /** Rows asked for in one search. */
  pageLimit: number;
  allocatedStorageGb: number;
  maxBookMinutes: number;
  log: Log;
  now: () => Date;
  onBookLanded?: LandingOptions['onBookLanded'];
  onPhase?: ((phase: 'paging' | 'copy' | 'merge' | 'commit') => void) | undefined;
}

export type CrawlOutcome = { runId: string; type: PricingType; certificate: CoverageCertificate } & (
  | { kind: 'complete'; bookId: number; offers: number }
  | { kind: 'partial'; bookId: number; offers: number; reason: string }
  | { kind: 'failed'; reason: string; error: unknown }
);

/** Walks in all that the fallback makes before it gives up on finding nothing new. */
const priceWalks = 3;

/**
 * Crawls one book of the default scope: every page, then one transaction. Never throws for the market or the
 * database: a failed crawl is an outcome, kept as a run with its reason, and leaves nothing half stored.
 */
export async function crawlOffers(
  crawler: OffersCrawler,
  ask: { runId: string; type: PricingType; cause: RunCause; signal?: AbortSignal | undefined },
): Promise<CrawlOutcome> {
  const { sql, log, now } = crawler;
  const { runId } = ask;
  const run = { id: runId, marketId: crawler.marketId, scopeName: 'default', type: ask.type };
  const startedAt = now();
  const certificate = blankCertificate('id');
  const finish = async (outcome: CrawlOutcome): Promise<CrawlOutcome> => {
    const reason = outcome.kind === 'complete' ? null : outcome.reason;
    const bookId = outcome.kind === 'failed' ? null : outcome.bookId;
    await finishRun(sql, runId, { outcome: outcome.kind, reason, certificate, bookId, endedAt: now() });
    return outcome;
  };
  try {
    await startRun(sql, { ...run, cause: ask.cause, startedAt });
    const landing = await openLanding(sql, { ...crawler, scopeName: run.scopeName, type: ask.type });
    try {
      const crawled = await crawlPages(crawler, landing, ask, certificate);
      const observedAt = now();
      certificate.durationMs = observedAt.getTime() - startedAt.getTime();
      const coverage = tooSlow(crawler, certificate) ?? crawled;
      const landed = await landing.land({ observedAt, startedAt, coverage, certificate });
      const { bookId, offers } = landed;
      const common = { runId, type: ask.type, certificate, bookId, offers };
      const { verdict, reason } = landed.coverage;
      log.info({ runId, type: ask.type, offers, verdict, reason }, 'book stored');
      return await finish(
        verdict === 'complete' ? { ...common, kind: verdict } : { ...common, kind: verdict, reason },
      );
    } finally {
      await landing.close();
    }
  } catch (error) {
    const reason = failureReason(error);
    const explained = error instanceof MarketError || error instanceof UserError;
    log.error({ runId, type: ask.type, ...(explained ? {} : { err: error }) }, `crawl failed: ${reason}`);
    const outcome: CrawlOutcome = { kind: 'failed', runId, type: ask.type, certificate, reason, error };
    return await finish(outcome).catch(() => outcome);
  }
}

async function crawlPages(
  crawler: OffersCrawler,
  landing: BookLanding,
  ask: { type: PricingType; signal?: AbortSignal | undefined },
  certificate: CoverageCertificate,
): Promise<Coverage> {
  crawler.onPhase?.('paging');
  const walk: Walk = {
    client: crawler.client,
    search: {
      type: ask.type,
      limit: crawler.pageLimit,
      allocatedStorageGb: crawler.allocatedStorageGb,
      rentable: true,
    },
    certificate,
    take: (offers) => landing.stage(offers),
    seen: new Map(),
    rejectedIds: new Set(),
    signal: ask.signal,
  };
  const end = await walkById(walk);
  if (end.kind !== 'unpageable') return judge(end);
  crawler.log.warn({ type: ask.type }, `${end.reason}: paging by price instead`);
  certificate.paging = 'price';
  return await crawlByPrice(walk);
}

/** Walks by price until a whole walk finds nothing that earlier ones had not. */
async function crawlByPrice(walk: Walk): Promise<Coverage> {
  let unseen = 0;
  for (let round = 1; round <= priceWalks; round += 1) {
    const known = walk.seen.size;
    const end = await walkByPrice(walk);
    if (end.kind !== 'whole') return judge(end);
    unseen = walk.seen.size - known;
    if (round > 1 && unseen === 0) return complete('proved');
  }
  return partial('proved', `paging by price still found ${unseen} new offers on walk ${priceWalks}`);
}

const judge = (end: WalkEnd): Coverage =>
  end.kind === 'whole' ? complete('proved') : partial('proved', end.reason);

function tooSlow(crawler: OffersCrawler, certificate: CoverageCertificate): Coverage | null {
  const minutes = certificate.durationMs / 60_000;
  if (minutes <= crawler.maxBookMinutes) return null;
  return partial('proved', `too slow: ${minutes.toFixed(0)} minutes of at most ${crawler.maxBookMinutes}`);
}

function failureReason(error: unknown): string {
  if (error instanceof MarketError || error instanceof UserError) return error.message;
  const failure = explainDatabaseFailure(error);
  if (failure !== null) return failure;
  return 'an unexpected error; see the log';
}
