import { createRequestBudget } from '../books/budget/request-budget.sql.ts';
import type { OffersCrawler } from '../books/crawl/offers-crawler.ts';
import { ensureMarket, type Market } from '../books/markets.sql.ts';
import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';
import type { Requester } from '../core/request-budget.ts';
import type { Sql } from '../database/connection.ts';
import { offersQueue, type QueueName } from '../jobs/queues.ts';
import type { Marketplace } from '../market/marketplace.ts';
import type { Config } from './config.ts';
import { lazily } from './lazily.ts';
import type { NamedMarket } from './named-markets.ts';
import { openMarket, prepareMarket } from './open-market.ts';
import { unlessOff } from './setting-schemas.ts';

/** A market whose offers are crawled, with its own schedule, request budget, queue and connections. */
export interface CrawledMarket {
  /** Its name in the data and in `market=`. */
  name: string;
  /** The configuration with this market in place of the first one. */
  config: Config;
  /** Throws UserError for a market that is never crawled. */
  market: () => Promise<Market>;
  offersCrawler: (requester: Requester) => Promise<OffersCrawler>;
  /** Returns the queue of its crawls of a type, so that a hanging market delays no other. */
  queueOf: (type: PricingType) => QueueName;
}

/** Returns the crawled market with a name, or the first. Throws UserError with the known names for an unknown one. */
export function findCrawled(markets: readonly CrawledMarket[], name: string | undefined): CrawledMarket {
  const found = markets.find((each) => name === undefined || each.name === name);
  if (found !== undefined) return found;
  const names = markets.map((each) => each.name).join(', ');
  throw new UserError(`The market ${JSON.stringify(name)} is not crawled here: the settings name ${names}.`);
}

/** Returns the configuration for one of the other markets, where no account is read or changed. */
export const configOfOther = (config: Config, named: NamedMarket): Config => ({
  ...config,
  market: named,
  otherMarkets: [],
  dialectFile: named.dialectFile,
  crawlOffers: named.crawlOffers === null ? config.crawlOffers : unlessOff(named.crawlOffers),
  crawlInvoices: null,
  crawlInstances: null,
  actions: false,
});

/** Opens one of the markets after the first, on first use. */
export function openOtherMarket(
  {
    config,
    sql,
    log,
    crawlerOf,
  }: {
    config: Config;
    sql: Sql;
    log: Log;
    crawlerOf: (market: Market, opened: Marketplace) => OffersCrawler;
  },
  named: NamedMarket,
): CrawledMarket & { close: () => Promise<void> } {
  const own = configOfOther(config, named);
  const market = async () => await ensureMarket(sql, named.name, 'live');
  const access = lazily(async () => {
    const { limits } = prepareMarket(own);
    const budgets = createRequestBudget({ db: sql, marketId: (await market()).id, limits, log });
    return await openMarket(own, log, budgets);
  });
  return {
    name: named.name,
    config: own,
    market,
    offersCrawler: async (requester) => {
      const opened = await access.get();
      return crawlerOf(await market(), requester === 'person' ? opened.personMarket : opened.market);
    },
    queueOf: (type) => offersQueue(type, named.name),
    close: access.close,
  };
}
