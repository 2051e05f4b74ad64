import type { Log } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';
import type { FilterName } from '../core/offer-fields.ts';
import type { RequestBudget, RequestLimit } from '../core/request-budget.ts';
import type { AccountRules, MarketAccount } from './account.ts';
import type { MarketBills } from './bills.ts';
import type { CrawlBook } from './crawl-book.ts';
import type { Diagnose } from './finding.ts';
import type { SettingNames } from './setting-names.ts';

/**
 * A kind of marketplace: a folder beside this file and one line of `registry.ts`. A new kind gives what follows, and
 * of an open market at least `crawlBook`; what it cannot do is null, and is then refused and hidden everywhere. It
 * imports `core` and this folder, and nothing outside its own folder knows its field names, paths, states or limits.
 * `test/market/every-market.test.ts` holds what all of them promise. Source: docs/guides/add-a-market.md.
 */
export interface MarketKind {
  /** What settings call it: small letters, as in `vast`. */
  kind: string;
  /** Its name for people. */
  label: string;
  /** Pricing types that crawls ask it for. */
  types: readonly PricingType[];
  /** Currencies that it names prices in; offers are in US dollars all the same, others are counted and left out. */
  currencies: readonly string[];
  /** Filters that its own search applies; without `gpuName` a book of some models costs as much as one of all. */
  filters: readonly (FilterName | 'gpuName')[];
  /** Whether it also lists what cannot be rented now. */
  listsRented: boolean;
  needsKey: boolean;
  /** What an open one has beside offers, whatever its settings. */
  parts: readonly ('account' | 'bills' | 'diagnose')[];
  /** Its public address; null: each has one of its own, which has to be set. */
  url: string | null;
  /** Reads its settings before anything is opened. Throws UserError for those that it cannot use. */
  prepare: (settings: MarketSettings) => PreparedMarket;
}

/** The settings of one market, apart from where it is and who asks. */
export interface MarketSettings {
  /** The JSON text of the dialect's file, and its setting and name for messages; null: as built in. */
  dialect: { text: string; source: string } | null;
  /** For messages. @default those of the one market */
  names?: SettingNames | undefined;
  searchesPerMinute: number;
  /** Larger answers, counted decompressed, are refused. */
  maxBodyBytes: number;
}

/** A market whose settings are good. */
export interface PreparedMarket {
  /** How often each of its endpoints may be asked, by all processes together. */
  limits: Readonly<Record<string, readonly RequestLimit[]>>;
  /** What its account takes; null: it has none here. */
  rules: AccountRules | null;
  /** Throws UserError for an address or a key that cannot be used; asks the market nothing yet. */
  open: (access: MarketOpening) => Marketplace;
}

/** Where a market is and who asks it. */
export interface MarketOpening {
  /** Base address; a path in it is kept. */
  url: string;
  /** null: none is set. */
  apiKey: string | null;
  /** The key of every call that changes something; null: `apiKey`. */
  actApiKey: string | null;
  /** What requests are taken from; null: `limits` for this client alone; `free`: nobody counts them. */
  budget: RequestBudget | 'free' | null;
  log: Log;
  /** Waits so many milliseconds, or rejects when the signal aborts. @default the machine's clock */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** An open market: what it can do. Errors are a MarketError or a UserError, and never hold a key. */
export interface Marketplace {
  crawlBook: CrawlBook;
  /** What rents, stops and destroys; null: not through this program. */
  account: MarketAccount | null;
  /** null: what it was paid is not listed. */
  bills: MarketBills | null;
  /** null: there is nothing to examine. */
  diagnose: Diagnose | null;
  /** Ends open calls, which reject, and connections. */
  close: () => Promise<void>;
}
