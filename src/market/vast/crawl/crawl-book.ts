import type { CrawlBook } from '../../crawl-book.ts';
import type { MarketClient } from '../client.ts';
import { coverMarket } from './cover-market.ts';

/** Reads the market's offers through a client's searches, `search` of its dialect. */
export function createCrawlBook(
  client: Pick<MarketClient, 'searchOffers'>,
  { pageLimit, verificationTiers }: { pageLimit: number; verificationTiers: readonly string[] },
): CrawlBook {
  return async (ask) =>
    await coverMarket({
      ...ask,
      ...{ pageLimit, tiers: verificationTiers },
      client: {
        searchOffers: (query, options = {}) =>
          ask.askAgain(() => client.searchOffers(query, options), options.signal),
      },
    });
}
