import { uuidv7 } from 'uuidv7';
import { onTestFinished } from 'vitest';
import { crawlOffers } from '../../src/books/crawl/crawl-offers.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { defaultScope } from '../../src/core/crawl-scope.ts';
import type { PricingType } from '../../src/core/offer.ts';
import type { Sql } from '../../src/database/connection.ts';
import type { MarketAccount } from '../../src/market/account.ts';
import { type AccountClient, createAccount } from '../../src/market/vast/account.ts';
import { createMarketClient, type MarketClient } from '../../src/market/vast/client.ts';
import { createCrawlBook } from '../../src/market/vast/crawl/crawl-book.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { createPriceCache } from '../../src/prices/newest/newest-offers-cache.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { createOutlierTests } from '../../src/prices/verdicts/segment-medians.ts';
import type { ActLimits, Actor } from '../../src/rentals/actor.ts';
import { pollInstances } from '../../src/rentals/instances/poll-instances.ts';
import { reconcileAccount } from '../../src/rentals/instances/reconcile-account.ts';
import { limitsOf } from '../../src/rentals/limits.ts';
import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/simulator.ts';
import { findBlockingBudget } from '../../src/spend/budgets/budget-states.ts';
import { findWatchChoice } from '../../src/watches/watch-books.ts';
import { silentLog } from '../support/silent-log.ts';

/** An account of a simulated market whose time the test moves, and what acts on it. */
export interface TestAccount {
  sql: Sql;
  actor: Actor;
  simulator: Simulator;
  client: MarketClient;
  /** The account with some of the client's calls replaced. */
  accountOf: (calls: Partial<AccountClient>) => MarketAccount;
  /** Where the simulated market listens. */
  url: string;
  clock: { now: Date };
  /** Puts the clock forward, polls and looks after the account, every `everyS` seconds of virtual time. */
  pass: (seconds: number, everyS?: number) => Promise<void>;
  poll: () => Promise<void>;
  /** Stores the list of instances and does nothing else. */
  list: () => Promise<void>;
  /** Crawls the market's offers of a type into a book. @default on-demand */
  crawl: (type?: PricingType) => Promise<void>;
  /** A request for the n-th cheapest offer that can be rented now. */
  request: (place?: number, fields?: Partial<RentRequest> & { type?: PricingType }) => RentRequest;
}

const begin = new Date('2026-03-02T00:00:00Z');
let markets = 0;

/** Opens one: nothing fails by chance, and limits are off, unless said otherwise. */
export async function createTestAccount(
  sql: Sql,
  {
    simulated = {},
    create = createSimulator,
    limits = {},
  }: {
    simulated?: Partial<SimulatorOptions>;
    create?: typeof createSimulator;
    limits?: Partial<ActLimits>;
  } = {},
): Promise<TestAccount> {
  markets += 1;
  const clock = { now: begin };
  const simulator = create({
    ...{ offersPerType: 150, startAt: begin, now: () => clock.now, openingCreditUsd: 100_000 },
    ...{ failures: { exited: 0, unknown: 0, offline: 0 }, bootSeconds: [60, 60], ...simulated },
  });
  const { url } = await simulator.listen();
  const dialect = withoutIntervals(defaultDialect);
  const client = createMarketClient({
    ...{ baseUrl: url, apiKey: simulator.apiKey, dialect, maxBodyBytes: 64_000_000, log: silentLog },
    sleep: async () => {},
  });
  onTestFinished(async () => {
    await client.close();
    await simulator.close();
  });
  const market = await ensureMarket(sql, `account-${markets}`, 'live');
  const accountOf = (calls: Partial<AccountClient>) => createAccount({ ...client, ...calls }, dialect);
  const actor: Actor = {
    ...{ sql, account: accountOf({}), market, log: silentLog, newId: uuidv7, now: () => clock.now },
    priceCache: { ...createPriceCache(), outlierTests: createOutlierTests(sql) },
    ...{ findWatchChoice, findBlockingBudget },
    limits: {
      ...limitsOf({}),
      actions: true,
      ...{ settleMinutes: 3, ...limits },
    },
  };
  const list = async (): Promise<void> => {
    await pollInstances(
      { sql, account: client, marketId: market.id, log: silentLog, now: () => clock.now },
      { crawlId: uuidv7(), cause: 'cron' },
    );
  };
  const poll = async (): Promise<void> => {
    await list();
    await reconcileAccount(actor);
  };
  return {
    ...{ sql, actor, simulator, client, accountOf, url, clock, poll, list },
    crawl: async (type = 'on-demand') => {
      const crawler = { sql, marketId: market.id, log: silentLog, now: () => clock.now };
      const run = {
        crawlId: uuidv7(),
        scope: defaultScope,
        cause: 'command' as const,
        tickAt: null,
        jobId: null,
      };
      const how = {
        crawlBook: createCrawlBook(client, { ...dialect.search, pageLimit: 1_000 }),
        allocatedStorageGb: 8,
        statistics: pointStatistics,
        maxBookMinutes: 120,
      };
      const [outcome] = await crawlOffers({ ...crawler, ...how }, { type, crawls: [run] });
      if (outcome?.kind !== 'complete') throw new Error(`no complete book: ${outcome?.kind}`);
    },
    pass: async (seconds, everyS = 10) => {
      for (let left = seconds; left > 0; left -= everyS) {
        clock.now = new Date(clock.now.getTime() + Math.min(everyS, left) * 1_000);
        await poll();
      }
    },
    request: (place = 0, { type = 'on-demand', ...fields } = {}) => {
      const rows = simulator
        .offersAt(undefined, { type, storageGb: 20 })
        .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= 20)
        .sort((a, b) => Number(a.dph_base) - Number(b.dph_base));
      return { offerId: Number(rows[place]?.id), image: 'ubuntu:24.04', diskGb: 20, ...fields };
    },
  };
}

/** Requests for offers on machines of their own: none takes another's away. */
export function machinesApart(
  { simulator }: TestAccount,
  count: number,
  type: PricingType = 'on-demand',
): RentRequest[] {
  const rows = simulator
    .offersAt(undefined, { type, storageGb: 20 })
    .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= 20);
  const machines = new Map(rows.map((row) => [row.machine_id, Number(row.id)]));
  return [...machines.values()]
    .slice(0, count)
    .map((offerId) => ({ offerId, image: 'ubuntu:24.04', diskGb: 20 }));
}
