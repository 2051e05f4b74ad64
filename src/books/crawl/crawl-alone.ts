import type { PricingType } from '../../core/offer.ts';
import { orAborted } from '../../core/or-aborted.ts';
import { type CrawlSeries, closeInterruptedCrawls, finishLandedCrawl, isCrawlDone } from '../crawls.sql.ts';
import { takeCrawlLock } from './crawl-lock.sql.ts';
import { type CrawlOffersOptions, crawlOffers } from './crawl-offers.ts';
import type { CrawlOutcome, OffersCrawler, OffersCrawlOptions } from './offers-crawler.ts';

/** Outcome of a requested crawl. */
export type AloneOutcome =
  | CrawlOutcome
  /** An earlier attempt at the same job or tick produced its book: nothing was crawled. */
  | { kind: 'done before'; crawlId: string };

/** Returns the key of a series, whose books are made one at a time. */
export const seriesKey = (marketId: number, scopeName: string, type: PricingType): string =>
  `${marketId}|offers|${scopeName}|${type}`;

/**
 * Crawls as `crawlOffers` does while no other process crawls any of these series. Waits for such a process to finish,
 * and takes over from a suspended one, which then stores nothing more. Ends interrupted crawls. A crawl succeeds
 * exactly when its book is stored, and no job or tick gets a second book. Rejects when the database fails or `signal`
 * aborts before the crawl begins.
 */
export async function crawlAlone(
  crawler: OffersCrawler,
  options: CrawlOffersOptions,
): Promise<AloneOutcome[]> {
  const { sql, marketId, log } = crawler;
  const { type, signal } = options;
  const keys = options.crawls.map(({ scope }) => seriesKey(marketId, scope.name, type));
  const onWait = (): void =>
    log.warn({ type }, 'these offers are already being crawled: waiting for the other process');
  const lock = await takeCrawlLock(sql, keys, { signal, onWait });
  try {
    // A query on a breaking connection may never end, so stop waiting when the lock is lost.
    return await orAborted(crawlWith(crawler, options, lock.lost), lock.lost);
  } finally {
    await lock.release();
  }
}

/** Returns the crawls that no earlier attempt did; `lost` aborts when another process may crawl these series. */
async function crawlWith(
  crawler: OffersCrawler,
  options: CrawlOffersOptions,
  lost: AbortSignal,
): Promise<AloneOutcome[]> {
  const { sql, marketId } = crawler;
  const { type, signal } = options;
  const seriesOf = ({ scope }: OffersCrawlOptions): CrawlSeries => ({
    marketId,
    kind: 'offers',
    scopeName: scope.name,
    type,
  });
  const before: AloneOutcome[] = [];
  const open: OffersCrawlOptions[] = [];
  for (const crawl of options.crawls) {
    await closeInterruptedCrawls(sql, seriesOf(crawl));
    if (await isCrawlDone(sql, seriesOf(crawl), crawl))
      before.push({ kind: 'done before', crawlId: crawl.crawlId });
    else open.push(crawl);
  }
  if (open.length === 0) return before;
  const crawlIds = open.map(({ crawlId }) => crawlId);
  const outcomes = await crawlOffers(
    {
      ...crawler,
      onBookLanded: [
        ...(crawler.onBookLanded ?? []),
        async (tx, book) => await finishLandedCrawl(tx, crawlIds, book.id),
      ],
    },
    { ...options, crawls: open, signal: signal === undefined ? lost : AbortSignal.any([lost, signal]) },
  );
  return [...before, ...outcomes];
}
