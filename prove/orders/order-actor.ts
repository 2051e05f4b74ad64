import { uuidv7 } from 'uuidv7';
import type { Market } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { createAccount } from '../../src/market/vast/account.ts';
import { createMarketClient, type MarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { carryOutOrders, type OrdersReport } from '../../src/orders/carry-out-orders.ts';
import { createPriceCache } from '../../src/prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from '../../src/prices/verdicts/segment-medians.ts';
import { createVerdictPools } from '../../src/prices/verdicts/verdict-pools.ts';
import type { Actor } from '../../src/rentals/actor.ts';
import { limitsOf } from '../../src/rentals/limits.ts';
import { findBlockingBudget } from '../../src/spend/budgets/budget-states.ts';
import { createUsualPrices } from '../../src/watches/rules/outlier-prices.ts';
import { findWatchChoice } from '../../src/watches/watch-books.ts';

const nothing = (): void => {};
export const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing };
export const dialect = withoutIntervals(defaultDialect);
const maxDataAgeMinutes = 180;
export const publicUrl = 'http://offerbook.test';

/** A client that never waits between calls. */
export const openClient = (url: string, apiKey: string): MarketClient =>
  createMarketClient({
    ...{ baseUrl: url, apiKey, dialect, maxBodyBytes: 64_000_000, log: quiet },
    sleep: async () => {},
  });

interface ActorOptions {
  client: MarketClient;
  market: Market;
  now: () => Date;
  settleMinutes: number;
  maxInstances: number | null;
}

/** What acts on the account for one process. */
export const createOrderActor = (
  sql: Sql,
  { client, market, now, settleMinutes, maxInstances }: ActorOptions,
): Actor => ({
  ...{ sql, account: createAccount(client, dialect), market, log: quiet, newId: uuidv7, now },
  priceCache: { ...createPriceCache(), outlierTests: createOutlierTests(sql) },
  ...{ findWatchChoice, findBlockingBudget },
  limits: {
    ...limitsOf({}),
    ...{ actions: true, maxInstances, settleMinutes },
  },
});

/** One round of one worker. */
export const carryOutRound = async (actor: Actor): Promise<OrdersReport | null> =>
  await carryOutOrders(actor, {
    ...{ maxDataAgeMinutes, publicUrl },
    sources: { usualPrices: createUsualPrices(), poolsAt: createVerdictPools() },
  });
