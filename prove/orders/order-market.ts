import { uuidv7 } from 'uuidv7';
import { crawlOffers } from '../../src/books/crawl/crawl-offers.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { defaultScope } from '../../src/core/crawl-scope.ts';
import type { DatabaseTarget, Sql } from '../../src/database/connection.ts';
import type { MarketClient } from '../../src/market/vast/client.ts';
import { createCrawlBook } from '../../src/market/vast/crawl/crawl-book.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import type { Actor } from '../../src/rentals/actor.ts';
import { pollInstances } from '../../src/rentals/instances/poll-instances.ts';
import { reconcileAccount } from '../../src/rentals/instances/reconcile-account.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { createOrderActor, dialect, openClient, quiet } from './order-actor.ts';
import type { OrdersTask } from './orders-task.ts';

/** A simulated market with two workers on it, and a clock that the proof moves. */
export interface OrderMarket {
  actors: readonly [Actor, Actor];
  simulator: Simulator;
  clock: { now: Date };
  /** Lists the instances and reconciles, `seconds` later. */
  poll: (seconds: number) => Promise<void>;
  /** Crawls a complete book; returns its id and the truth behind it. */
  crawl: () => Promise<{ bookId: number; rows: readonly Readonly<Record<string, unknown>>[] }>;
  task: (of: Pick<OrdersTask, 'standsAt' | 'passes'>) => OrdersTask;
  rentElsewhere: (offerId: number) => Promise<boolean>;
  close: () => Promise<void>;
}

const begin = new Date('2026-03-02T00:00:00Z');
const settleMinutes = 1;
export const diskGb = 20;

/** Opens one on two connections to a database. */
export async function openOrderMarket(
  sqls: readonly [Sql, Sql],
  {
    name,
    seed,
    server,
    maxInstances,
    spoil = (client) => client,
  }: {
    name: string;
    seed: number;
    server: DatabaseTarget;
    maxInstances: number | null;
    spoil?: ((client: MarketClient) => MarketClient) | undefined;
  },
): Promise<OrderMarket> {
  const clock = { now: begin };
  const simulator = createSimulator({
    ...{ seed, offersPerType: 150, startAt: begin, now: () => clock.now, openingCreditUsd: 1_000_000 },
    ...{ failures: { exited: 0, unknown: 0, offline: 0 }, bootSeconds: [20, 40] },
  });
  const { url } = await simulator.listen();
  const { apiKey } = simulator;
  const client = openClient(url, apiKey);
  const market = await ensureMarket(sqls[0], name, 'live');
  const now = () => clock.now;
  const options = { client: spoil(client), market, now, settleMinutes, maxInstances };
  const actors = [createOrderActor(sqls[0], options), createOrderActor(sqls[1], options)] as const;
  const [sql] = sqls;
  const crawlBook = createCrawlBook(client, { ...dialect.search, pageLimit: 1_000 });
  return {
    ...{ actors, simulator, clock },
    poll: async (seconds) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1_000);
      const poller = { sql, account: client, marketId: market.id, log: quiet, now };
      await pollInstances(poller, { crawlId: uuidv7(), cause: 'cron' });
      await Promise.all(actors.map((actor) => reconcileAccount(actor)));
    },
    crawl: async () => {
      const crawl = {
        scope: defaultScope,
        cause: 'command' as const,
        tickAt: null,
        jobId: null,
      };
      const crawler = { sql, marketId: market.id, log: quiet, now, crawlBook, maxBookMinutes: 120 };
      const how = { ...crawler, allocatedStorageGb: 8, statistics: pointStatistics };
      for (const type of ['bid', 'on-demand'] as const) {
        const [outcome] = await crawlOffers(how, { type, crawls: [{ ...crawl, crawlId: uuidv7() }] });
        if (outcome?.kind !== 'complete') throw new Error(`no complete book: ${outcome?.kind}`);
      }
      const [book] = await sql<{ id: number }[]>`
        select b.id from book b join scope s on s.id = b.scope_id
        where s.market_id = ${market.id} order by b.observed_at desc limit 1`;
      const rows = simulator
        .offersAt(undefined, { storageGb: diskGb })
        .filter((row) => row.rentable === true);
      return { bookId: book?.id ?? 0, rows };
    },
    task: (of) => ({
      ...{ target: server, url, apiKey, market: name, settleMinutes, maxInstances },
      ...{ now: clock.now.toISOString(), ...of },
    }),
    rentElsewhere: async (offerId) => {
      simulator.setFaults([]);
      const made = await client.createInstance(offerId, { image: 'theirs', diskGb: 40 }).catch(() => null);
      return made !== null;
    },
    close: async () => {
      await client.close();
      await simulator.close();
    },
  };
}
