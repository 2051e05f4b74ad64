import { setTimeout as delay } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { createRequestBudget } from '../books/budget/request-budget.sql.ts';
import { type AloneOutcome, crawlAlone } from '../books/crawl/crawl-alone.ts';
import type { CrawlOutcome, OffersCrawler } from '../books/crawl/offers-crawler.ts';
import { type CrawlClient, createPatientClient } from '../books/crawl/retrying-client.ts';
import type { BookStatistics } from '../books/landing/book-statistics.ts';
import {
  ensureMarket,
  liveMarketNames,
  type Market,
  newestRecordedMarket,
  simulatedMarketName,
} from '../books/markets.sql.ts';
import { seedHistory } from '../books/seed-history.ts';
import { defaultScope } from '../core/crawl-scope.ts';
import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';
import type { RequestAsker } from '../core/request-budget.ts';
import { connect, type DatabaseTarget, type Sql } from '../database/connection.ts';
import { isDiskFull } from '../database/embedded/disk-problem.ts';
import { openEmbedded } from '../database/embedded/supervisor.ts';
import { migrate } from '../database/migrate.ts';
import { sharePool } from '../database/pool-shares.ts';
import { createReplicaReads, type ReplicaReads, type ReplicaState } from '../database/replica-reads.ts';
import { isServerFull, serverFullWords } from '../database/server-full.ts';
import { pointStatistics } from '../prices/statistics/point-statistics.ts';
import { hasSealedSecrets } from '../watches/channels/channels.sql.ts';
import type { NotifyAccess } from '../watches/channels/notify-access.ts';
import { createBookJudge } from '../watches/rules/judge-book.ts';
import type { Config } from './config.ts';
import { openNotify } from './notify-access.ts';
import {
  createBuiltInSimulator,
  type MarketAccess,
  openMarket,
  readDialect,
  requestLimits,
} from './open-market.ts';

export type Mode = 'live' | 'simulated' | 'replay';

/** What the service and every command work with: the database and the market that the settings describe. */
export interface Runtime {
  config: Config;
  log: Log;
  sql: Sql;
  /** For reads that may be a moment behind: the replica's where one is set, else `sql`. */
  readSql: Sql;
  /** How the replica is; null: none is set. */
  replica: (() => ReplicaState) | null;
  /** Where further connections go. */
  target: DatabaseTarget;
  now: () => Date;
  /** What is computed of books as they land. */
  statistics: BookStatistics;
  /** Where the embedded cluster lives, when it is not below DATA_DIR; else null. */
  notice: string | null;
  /** Restarts the embedded server if it has died; nothing for a database of its own. */
  reviveDatabase: () => Promise<void>;
  /** Whether the embedded server's disk is full; of a database of its own nobody knows: false. */
  isDiskFull: () => Promise<boolean>;
  /** The market of reads that name none: the live one, else the newest recorded one, else the simulator's. */
  defaultMarket: () => Promise<Market>;
  /** The market's clients, opened on first use; all processes on the database share their budgets. */
  market: () => Promise<MarketAccess>;
  mode: () => Promise<Mode>;
  /** The default market. Throws UserError where it is a recorded one. */
  crawledMarket: () => Promise<Market>;
  /** The client of crawls, which asks again where an answer made no sense. */
  crawlClient: (asker: RequestAsker) => Promise<CrawlClient>;
  /** What crawls the default market's offers; for what a person waits for ahead of what is scheduled. */
  offersCrawler: (asker: RequestAsker) => Promise<OffersCrawler>;
  /** Crawls the default market now, one run a type, one after the other. Throws UserError for a recorded market. */
  crawl: (ask: {
    types: readonly PricingType[];
    signal?: AbortSignal | undefined;
  }) => Promise<CrawlOutcome[]>;
  /** What notices are sent with; opened on first use. */
  notify: () => Promise<NotifyAccess>;
  /** Gives the simulated market its first two weeks; returns the books landed. */
  seed: (onProgress: (done: number, total: number) => void, signal?: AbortSignal) => Promise<number>;
  close: () => Promise<void>;
}

/**
 * Connects, migrates and readies the market; everything opened is closed by `close`. A command never makes what only a
 * service may: the key of secrets of a database that others use too. `isService` @default false
 */
export async function openRuntime(
  config: Config,
  log: Log,
  { isService = false }: { isService?: boolean } = {},
): Promise<Runtime> {
  // Before anything is opened: a wrong dialect is a wrong setting.
  const limits = requestLimits(config, readDialect(config));
  const database = await openDatabase(config, log);
  const { sql } = database;
  const replica = openReplica(config, sql, log);
  // One that is down at the start is known to be before the first request.
  await replica?.check();
  const readSql = replica?.sql ?? sql;
  const now = () => new Date();
  const defaultMarket = async (): Promise<Market> => {
    if (config.market !== null) return await ensureMarket(sql, config.market.name, 'live');
    return (await newestRecordedMarket(sql)) ?? (await ensureMarket(sql, simulatedMarketName, 'simulated'));
  };
  const market = lazily(async () => {
    const budgets =
      config.market === null
        ? null
        : createRequestBudget({ db: sql, marketId: (await defaultMarket()).id, limits, log });
    return await openMarket(config, log, budgets);
  });
  // Of an embedded database this folder is the service's own.
  const mayMakeKey = async (): Promise<boolean> =>
    (isService || config.databaseUrl === null) && !(await hasSealedSecrets(sql));
  const notify = lazily(() => openNotify(config, now, { mayMakeKey }));
  const crawledMarket = async (): Promise<Market> => {
    const found = await defaultMarket();
    if (found.kind === 'simulated') await requireNoLiveMarket(sql);
    if (found.kind !== 'recorded') return found;
    throw new UserError(
      `The market ${found.name} is recorded and is never crawled: set MARKET_URL for a live one.`,
    );
  };
  const statistics = pointStatistics;
  const common = { allocatedStorageGb: config.allocatedStorageGb, now, newId: uuidv7, statistics };
  const crawlClient = async (asker: RequestAsker): Promise<CrawlClient> => {
    const { client, personClient } = await market.get();
    return createPatientClient(asker === 'person' ? personClient : client, { log });
  };
  const judgeBook = createBookJudge({ now, publicUrl: config.publicUrl });
  const offersCrawler = async (asker: RequestAsker): Promise<OffersCrawler> => {
    const { id: marketId } = await crawledMarket();
    const { dialect } = await market.get();
    const { pageLimit, verificationTiers } = dialect.search;
    return {
      ...common,
      ...{ sql, marketId, log, pageLimit, verificationTiers, maxBookMinutes: config.maxBookMinutes },
      client: await crawlClient(asker),
      onBookLanded: [judgeBook],
    };
  };
  return {
    config,
    log,
    sql,
    readSql,
    replica: replica?.state ?? null,
    target: database.target,
    now,
    statistics,
    notice: database.notice,
    reviveDatabase: database.revive,
    isDiskFull: database.isDiskFull,
    defaultMarket,
    market: market.get,
    mode: async () => modeOf(await defaultMarket()),
    crawledMarket,
    crawlClient,
    offersCrawler,
    crawl: async ({ types, signal }) => {
      const crawler = await offersCrawler('person');
      const outcomes: AloneOutcome[] = [];
      for (const type of types) {
        const run = {
          runId: uuidv7(),
          scope: defaultScope,
          cause: 'command' as const,
          tickAt: null,
          jobId: null,
        };
        outcomes.push(...(await crawlAlone(crawler, { type, runs: [run], signal })));
      }
      return outcomes.filter((outcome) => outcome.kind !== 'done before');
    },
    seed: async (onProgress, signal) => {
      await requireNoLiveMarket(sql);
      const { id: marketId } = await ensureMarket(sql, simulatedMarketName, 'simulated');
      const simulator = createBuiltInSimulator();
      const recordsAt = (type: PricingType, at: Date): readonly unknown[] => {
        const answer = simulator.search(wholeMarket(type, config.allocatedStorageGb), at);
        if (answer.status !== 200)
          throw new Error(`the simulator refused its seed: ${JSON.stringify(answer.body)}`);
        return answer.body.offers;
      };
      const landed = await seedHistory(sql, { ...common, marketId, recordsAt, onProgress, signal });
      // What was written ahead is given back now, not at the next checkpoint; another server knows best itself.
      if (landed > 0 && config.databaseUrl === null) await sql`checkpoint`.catch(() => {});
      return landed;
    },
    notify: notify.get,
    close: async () => {
      await notify.close();
      await market.close();
      await replica?.end();
      await database.close();
    },
  };
}

function openReplica(config: Config, primary: Sql, log: Log): ReplicaReads | null {
  const url = config.databaseReplicaUrl;
  if (url === null) return null;
  const { max: most, maxReserved } = sharesOf(config);
  return createReplicaReads({
    primary,
    log,
    open: (max = most) =>
      connect({ url }, { max, maxReserved, connectSeconds: 2, applicationName: 'offerbook reads' }),
  });
}

/** Throws a UserError where the database keeps a live market: what is simulated does not belong beside it. */
async function requireNoLiveMarket(sql: Sql): Promise<void> {
  const [name] = await liveMarketNames(sql);
  if (name === undefined) return;
  throw new UserError(
    `This database holds the live market ${name}, and MARKET_URL is not set. Set MARKET_URL and MARKET_API_KEY to go ` +
      'on with it, or set DATA_DIR or DATABASE_URL to another database to try the simulator.',
  );
}

const modeOf = (market: Market): Mode =>
  ({ live: 'live', simulated: 'simulated', recorded: 'replay' })[market.kind] as Mode;

interface OpenDatabase {
  sql: Sql;
  target: DatabaseTarget;
  notice: string | null;
  revive: () => Promise<void>;
  isDiskFull: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** The configured database alone; `ready` does what has to be done before anything else. */
export async function openDatabase(
  config: Config,
  log: Log,
  ready: (sql: Sql) => Promise<unknown> = (sql) => migrate(sql),
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const target = { url: config.databaseUrl };
    const sql = connect(target, sharesOf(config));
    await prepare(sql, { place: `The database at ${placeOf(config.databaseUrl)}`, ready, log });
    return {
      ...{ sql, target, notice: null, revive: async () => {}, isDiskFull: async () => false },
      close: () => sql.end({ timeout: 2 }),
    };
  }
  const server = await openEmbedded({ dataDir: config.dataDir, log });
  const { socketDir, port, user, database } = server;
  const target = { socketDir, port, user, database };
  const sql = connect(target, sharesOf(config));
  const close = async (): Promise<void> => {
    await sql.end({ timeout: 2 });
    await server.close();
  };
  try {
    await prepare(sql, { place: 'The embedded database', ready, log });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...{ sql, target, notice: server.notice, close },
    revive: () => server.ensureRunning(),
    isDiskFull: () => isDiskFull(server.clusterDir),
  };
}

const sharesOf = ({ databasePoolSize }: Config): { max: number; maxReserved: number } => {
  const { pool: max, reserved: maxReserved } = sharePool(databasePoolSize);
  return { max, maxReserved };
};

/** How often a full server is asked again at the start, a second and a pause each time. */
const startTries = 15;
const startPauseMs = 1_000;

interface Preparation {
  place: string;
  ready: (sql: Sql) => Promise<unknown>;
  log: Log;
}

async function prepare(sql: Sql, { place, ready, log }: Preparation): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await ready(sql);
      return;
    } catch (cause) {
      if (isServerFull(cause) && tries < startTries) {
        if (tries === 1) log.warn({}, `${place}: ${serverFullWords} Waiting for a free one.`);
        await delay(startPauseMs);
        continue;
      }
      await sql.end({ timeout: 1 }).catch(() => {});
      if (cause instanceof UserError) throw cause;
      if (isServerFull(cause)) throw new UserError(`${place} cannot be used. ${serverFullWords}`, { cause });
      const { message } = cause as Error;
      throw new UserError(
        `${place} cannot be used: ${message}. Check DATABASE_URL and that the server runs.`,
        { cause },
      );
    }
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

/** Opens on first use, once; closes what was opened. */
function lazily<T extends { close: () => Promise<void> }>(
  open: () => Promise<T>,
): { get: () => Promise<T>; close: () => Promise<void> } {
  let opened: Promise<T> | null = null;
  return {
    get: () => {
      // A failure is not kept: the database may have been away.
      opened ??= open().catch((error: unknown) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    close: async () => {
      const value = await opened?.catch(() => null);
      await value?.close();
    },
  };
}
