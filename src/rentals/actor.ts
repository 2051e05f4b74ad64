import type { Market } from '../books/markets.sql.ts';
import type { Log } from '../core/log.ts';
import type { Db, Sql } from '../database/connection.ts';
import type { MarketAccount } from '../market/account.ts';
import type { OfferChoice, OutlierTests } from '../prices/newest/newest-offers.ts';
import type { PriceCache } from '../prices/newest/newest-offers-cache.ts';
import type { Limits } from './limits.ts';

/** The owner's limits; null: none is set. Source: docs/settings.md#service. */
export interface ActLimits extends Limits {
  /** ACTIONS as it stands by the settings. */
  actions: boolean;
  settleMinutes: number;
}

/** Encrypts what must survive a restart and nobody may read. */
export interface Sealer {
  seal: (text: string) => string;
  /** null: it was sealed with another key. */
  open: (sealed: string) => string | null;
}

/** A budget that is used up, in dollars of one month. */
export interface BlockingBudget {
  /** null: the budget of everything. */
  label: string | null;
  monthlyUsd: string;
  spentUsd: string;
  /** `2026-07` */
  month: string;
}

/** What acts on one account. */
export interface Actor {
  sql: Sql;
  /** The calls that acting is made of; the market's acting key is used here alone. */
  account: MarketAccount;
  market: Market;
  limits: ActLimits;
  log: Log;
  now: () => Date;
  newId: () => string;
  /** What answers about the newest books share. */
  priceCache: PriceCache & { outlierTests: OutlierTests };
  /** The watch that a rent names; null: there is none with this id. */
  findWatchChoice: (sql: Sql, id: string) => Promise<OfferChoice | null>;
  /** A budget of everything or of the label that is used up and blocks rentals; null: none does. */
  findBlockingBudget: (
    db: Db,
    marketId: number,
    label: string | null,
    now: Date,
  ) => Promise<BlockingBudget | null>;
  /** @default requests with environment or start script are not kept, and so not replaced */
  sealer?: Sealer | undefined;
  /** Whether something accepts a connection there. @default a TCP connection within 5 s */
  accepts?: ((host: string, port: number) => Promise<boolean>) | undefined;
}
