import type { Market } from '../books/markets.sql.ts';
import type { Log } from '../core/log.ts';
import type { Db, Sql } from '../database/connection.ts';
import type { MarketAccount } from '../market/account.ts';
import type { OfferChoice, OutlierTests } from '../prices/newest/newest-offers.ts';
import type { PriceCache } from '../prices/newest/newest-offers-cache.ts';
import type { Limits } from './limits.ts';
import type { TokenLimits } from './rent/token-limits.sql.ts';

/** The owner's limits; null: not set. Source: docs/settings.md#service. */
export interface ActLimits extends Limits {
  /** The value of ACTIONS. */
  actions: boolean;
  settleMinutes: number;
}

/** Encrypts secrets that must survive a restart. */
export interface Sealer {
  seal: (text: string) => string;
  /** null: sealed with another key. */
  open: (sealed: string) => string | null;
}

/** A used-up budget, in dollars of one month. */
export interface BlockingBudget {
  /** null: the budget for all spend. */
  label: string | null;
  monthlyUsd: string;
  spentUsd: string;
  /** `2026-07` */
  month: string;
}

/** What acts on one account. */
export interface Actor {
  sql: Sql;
  /** The market's calls for changes; only these use its acting key. */
  account: MarketAccount;
  market: Market;
  limits: ActLimits;
  log: Log;
  now: () => Date;
  newId: () => string;
  /** Cache shared by all reads of the newest books. */
  priceCache: PriceCache & { outlierTests: OutlierTests };
  /** The watch that a rent names; null: unknown id. */
  findWatchChoice: (sql: Sql, id: string) => Promise<OfferChoice | null>;
  /** A used-up budget, of everything or of the label, that blocks rentals; null: none does. */
  findBlockingBudget: (
    db: Db,
    marketId: number,
    label: string | null,
    now: Date,
  ) => Promise<BlockingBudget | null>;
  /** @default requests with environment or start script are not stored, and so not replaced */
  sealer?: Sealer | undefined;
  /** Whether it acts for an agent, through MCP. @default false */
  isAgent?: boolean | undefined;
  /** Limits of each token through MCP, beside its own. @default none */
  agentLimits?: TokenLimits | undefined;
  /** Whether something accepts a connection there. @default a TCP connection within 5 s */
  accepts?: ((host: string, port: number) => Promise<boolean>) | undefined;
}
