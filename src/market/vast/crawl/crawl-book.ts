import type { CrawlBook } from '../../crawl-book.ts';
import type { MarketClient } from '../client.ts';
import { coverMarket } from './cover-market.ts';

/** Creates the reader of a market's offers from a client's searches; `search` is from its dialect. */
export function createCrawlBook(
  client: Pick<MarketClient, 'searchOffers'>,
  { pageLimit, verificationTiers }: { pageLimit: number; verificationTiers: readonly string[] },
): CrawlBook {
  return async (ask) =>
    await coverMarket({
      ...ask,
      pageLimit,
      tiers: verificationTiers,
      client: {
        searchOffers: (query, options = {}) =>
          ask.askAgain(() => client.searchOffers(query, options), options.signal),
      },
    });
}
