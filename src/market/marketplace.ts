import type { Log } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';
import type { FilterName } from '../core/offer-filter.ts';
import type { RequestBudget, RequestLimit } from '../core/request-budget.ts';
import type { AccountRules, MarketAccount } from './account.ts';
import type { MarketBills } from './bills.ts';
import type { CrawlBook } from './crawl-book.ts';
import type { Diagnose } from './finding.ts';
import type { SettingNames } from './setting-names.ts';

/**
 * A kind of marketplace: a folder next to this file and a line in `registry.ts`. A new kind defines these fields and,
 * for an open market, at least `crawlBook`. What it does not support is null: such actions are then refused, and hidden
 * on the page. It imports `core` and this folder, and nothing outside its folder knows its field names, paths, states
 * or limits. `test/market/every-market.test.ts` tests what all kinds promise. Source: docs/guides/add-a-market.md.
 */
export interface MarketKind {
  /** Its name in settings, in lower case, such as `vast`. */
  kind: string;
  /** Its display name. */
  label: string;
  /** Pricing types that crawls request. */
  types: readonly PricingType[];
  /** Currencies of its prices; offers must be in US dollars, and others are counted and left out. */
  currencies: readonly string[];
  /** Filters that its own search applies; without `gpuName` a book of some models costs as much as one of all. */
  filters: readonly (FilterName | 'gpuName')[];
  /** Whether it also lists what is rented. */
  listsRented: boolean;
  needsKey: boolean;
  /** What it supports besides offers, whatever its settings. */
  parts: readonly ('account' | 'bills' | 'diagnose')[];
  /** Its public address; null: the address must be set. */
  url: string | null;
  /** Reads its settings before anything is opened. Throws UserError for unusable ones. */
  prepare: (settings: MarketSettings) => PreparedMarket;
}

/** The settings of one market, except its address and keys. */
export interface MarketSettings {
  /** The JSON text of the dialect's file, with its setting and name for messages; null: the default dialect. */
  dialect: { text: string; source: string } | null;
  /** Setting names for messages. @default the single market's */
  names?: SettingNames | undefined;
  searchesPerMinute: number;
  /** Larger responses, decompressed, are refused. */
  maxBodyBytes: number;
}

/** A market with valid settings. */
export interface PreparedMarket {
  /** Rate limits of each endpoint, across all processes. */
  limits: Readonly<Record<string, readonly RequestLimit[]>>;
  /** The market's fee on top of the prices of offers, in percent; prices never include it. 0: none, as far as known. */
  rentingFeePercent: number;
  /** What its account accepts; null: accounts are not supported. */
  rules: AccountRules | null;
  /** Throws UserError for an unusable address or key; sends no request yet. */
  open: (access: MarketOpening) => Marketplace;
}

/** A market's address, keys and budget. */
export interface MarketOpening {
  /** Base address, including any path. */
  url: string;
  /** null: not set. */
  apiKey: string | null;
  /** The key for calls that change something; null: `apiKey`. */
  actApiKey: string | null;
  /** The budget of requests; null: `limits` for this client alone; `free`: not counted. */
  budget: RequestBudget | 'free' | null;
  log: Log;
  /** Waits for milliseconds, or rejects when the signal aborts. @default the machine's clock */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** An open market and what it supports. Errors are a MarketError or a UserError, and never contain a key. */
export interface Marketplace {
  crawlBook: CrawlBook;
  /** Rents, stops and destroys; null: not supported. */
  account: MarketAccount | null;
  /** null: payments are not listed. */
  bills: MarketBills | null;
  /** null: there is nothing to examine. */
  diagnose: Diagnose | null;
  /** Closes connections and open calls, which reject. */
  close: () => Promise<void>;
}
