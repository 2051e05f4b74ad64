import { uuidv7 } from 'uuidv7';
import type { Config } from './config.ts';
import { type CrawlOutcome, crawlOffers, type OffersCrawler } from './crawl/offers.ts';
import { seedHistory } from './crawl/seed.ts';
import { connect, type Sql } from './db/connection.ts';
import { closeInterruptedRuns } from './db/crawl-runs.ts';
import { openEmbedded } from './db/embedded/supervisor.ts';
import { ensureMarket, type Market, newestRecordedMarket } from './db/markets.ts';
import { migrate } from './db/migrate.ts';
import { UserError } from './domain/errors.ts';
import type { Log } from './domain/log.ts';
import { type PricingType, pricingTypes } from './domain/offer.ts';
import { createBuiltInSimulator, openMarket, readDialect } from './market-access.ts';

export type Mode = 'live' | 'simulated' | 'replay';

/** The built-in market's name, which no other may have. */
export const simulatedMarketName = 'simulator';

/** What the service and every command work with: the database and the market that the settings describe. */
export interface Runtime {
  config: Config;
  log: Log;
  sql: Sql;
  now: () => Date;
  /** Where the embedded cluster lives, when it is not below DATA_DIR; else null. */
  notice: string | null;
  /** Restarts the embedded server if it has died; nothing for a database of its own. */
  reviveDatabase: () => Promise<void>;
  /** The market of reads that name none: the live one, else the newest recorded one, else the simulator's. */
  defaultMarket: () => Promise<Market>;
  mode: () => Promise<Mode>;
  /** Crawls the default market now, one run a type, one after the other. Throws UserError for a recorded market. */
  crawl: (ask: CrawlAsk) => Promise<{ runIds: string[]; done: Promise<CrawlOutcome[]> }>;
  /** Gives the simulated market its first two weeks; returns the books landed. */
  seed: (onProgress: (done: number, total: number) => void, signal?: AbortSignal) => Promise<number>;
  close: () => Promise<void>;
}

export interface CrawlAsk {
  types: readonly PricingType[];
  cause: 'cron' | 'command' | 'api';
  signal?: AbortSignal | undefined;
  /** What has to end before it begins. */
  after?: Promise<unknown> | undefined;
}

/** Types that a crawl covers unless told otherwise. */
export const crawledTypes: readonly PricingType[] = pricingTypes.filter((type) => type !== 'reserved');

/** Connects, migrates and readies the market; everything opened is closed by `close`. */
export async function openRuntime(config: Config, log: Log): Promise<Runtime> {
  // Before anything is opened: a wrong dialect is a wrong setting.
  readDialect(config);
  const database = await openDatabase(config, log);
  const { sql } = database;
  const now = () => new Date();
  const market = lazily(() => openMarket(config, log));

  const defaultMarket = async (): Promise<Market> => {
    if (config.market !== null) return await ensureMarket(sql, config.market.name, 'live');
    return (await newestRecordedMarket(sql)) ?? (await ensureMarket(sql, simulatedMarketName, 'simulated'));
  };
  const common = { allocatedStorageGb: config.allocatedStorageGb, now, newId: uuidv7 };
  return {
    config,
    log,
    sql,
    now,
    notice: database.notice,
    reviveDatabase: database.revive,
    defaultMarket,
    mode: async () => modeOf(await defaultMarket()),
    crawl: async ({ types, cause, signal, after }) => {
      const { id: marketId, kind, name } = await defaultMarket();
      if (kind === 'recorded') {
        throw new UserError(
          `The market ${name} is recorded and is never crawled: set MARKET_URL for a live one.`,
        );
      }
      const { client, dialect } = await market.get();
      const { maxBookMinutes } = config;
      // A crawl that still runs is younger than the longest that may come of it.
      await closeInterruptedRuns(sql, marketId, new Date(now().getTime() - 2 * maxBookMinutes * 60_000));
      const crawler: OffersCrawler = {
        ...common,
        ...{ sql, client, marketId, log, maxBookMinutes, pageLimit: dialect.search.pageLimit },
      };
      const asks = types.map((type) => ({ runId: uuidv7(), type, cause, signal }));
      return {
        runIds: asks.map(({ runId }) => runId),
        done: inTurn(asks, (ask) => crawlOffers(crawler, ask), after),
      };
    },
    seed: async (onProgress, signal) => {
      const { id: marketId } = await ensureMarket(sql, simulatedMarketName, 'simulated');
      const simulator = createBuiltInSimulator();
      const recordsAt = (type: PricingType, at: Date): readonly unknown[] => {
        const answer = simulator.search(wholeMarket(type, config.allocatedStorageGb), at);
        if (answer.status !== 200)
          throw new Error(`the simulator refused its seed: ${JSON.stringify(answer.body)}`);
        return answer.body.offers;
      };
      return await seedHistory(sql, { ...common, marketId, recordsAt, onProgress, signal });
    },
    close: async () => {
      await market.close();
      await database.close();
    },
  };
}

const modeOf = (market: Market): Mode =>
  ({ live: 'live', simulated: 'simulated', recorded: 'replay' })[market.kind] as Mode;

interface OpenDatabase {
  sql: Sql;
  notice: string | null;
  revive: () => Promise<void>;
  close: () => Promise<void>;
}

async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const sql = connect({ url: config.databaseUrl });
    await prepare(sql, `The database at ${placeOf(config.databaseUrl)}`);
    return { sql, notice: null, revive: async () => {}, close: () => sql.end({ timeout: 5 }) };
  }
  const server = await openEmbedded({ dataDir: config.dataDir, log });
  const { socketDir, port, user, database } = server;
  const sql = connect({ socketDir, port, user, database });
  const close = async (): Promise<void> => {
    await sql.end({ timeout: 5 });
    await server.close();
  };
  try {
    await prepare(sql, 'The embedded database');
  } catch (error) {
    await close();
    throw error;
  }
  return { sql, notice: server.notice, revive: () => server.ensureRunning(), close };
}

async function prepare(sql: Sql, place: string): Promise<void> {
  try {
    await migrate(sql);
  } catch (cause) {
    await sql.end({ timeout: 1 }).catch(() => {});
    if (cause instanceof UserError) throw cause;
    const { message } = cause as Error;
    throw new UserError(`${place} cannot be used: ${message}. Check DATABASE_URL and that the server runs.`, {
      cause,
    });
  }
}

/** Host and database of an address, without the password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** A search body for all rentable offers of a type. */
const wholeMarket = (type: PricingType, storageGb: number): object => ({
  type,
  limit: 1_000_000,
  order: [['id', 'asc']],
  allocated_storage: storageGb,
  rentable: { eq: true },
  rented: { eq: false },
  verification: { in: ['verified', 'unverified', 'deverified'] },
});

async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  after: Promise<unknown> = Promise.resolve(),
): Promise<R[]> {
  await after;
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Opens on first use, once; closes what was opened. */
function lazily<T extends { close: () => Promise<void> }>(
  open: () => Promise<T>,
): { get: () => Promise<T>; close: () => Promise<void> } {
  let opened: Promise<T> | null = null;
  return {
    get: () => {
      opened ??= open();
      return opened;
    },
    close: async () => {
      const value = await opened?.catch(() => null);
      await value?.close();
    },
  };
}
