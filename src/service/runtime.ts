import { uuidv7 } from 'uuidv7';
import type { BooksRuntime } from '../books/books-runtime.ts';
import { createRequestBudget } from '../books/budget/request-budget.sql.ts';
import { createAskAgain } from '../books/crawl/ask-again.ts';
import { type AloneOutcome, crawlAlone } from '../books/crawl/crawl-alone.ts';
import type { OffersCrawler } from '../books/crawl/offers-crawler.ts';
import {
  ensureMarket,
  type Market,
  marketsWithData,
  newestRecordedMarket,
  simulatedMarketName,
} from '../books/markets.sql.ts';
import { defaultScope } from '../core/crawl-scope.ts';
import { UserError } from '../core/errors.ts';
import { type Log, withFields } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';
import type { Requester } from '../core/request-budget.ts';
import { hasMigrations } from '../database/applied-migrations.sql.ts';
import type { DatabaseTarget, Sql } from '../database/connection.ts';
import { migrate } from '../database/migrate.ts';
import type { ReplicaState } from '../database/replica-reads.ts';
import { offersQueue } from '../jobs/queues.ts';
import type { Marketplace } from '../market/marketplace.ts';
import { pointStatistics } from '../prices/statistics/point-statistics.ts';
import { hasSealedSecrets } from '../watches/channels/channels.sql.ts';
import type { NotifyAccess } from '../watches/channels/notify-access.ts';
import { createBookJudge } from '../watches/rules/judge-book.ts';
import type { Config } from './config.ts';
import { type CrawledMarket, configOfOther, findCrawled, openOtherMarket } from './crawled-market.ts';
import { noDataIn } from './has-data.ts';
import { highestAccountId } from './highest-account-id.sql.ts';
import { lazily } from './lazily.ts';
import { openNotify } from './notify-access.ts';
import { openDatabase, openReplica } from './open-database.ts';
import { kindOf, type MarketAccess, openMarket, prepareMarket } from './open-market.ts';
import { createProcessFigures, type ProcessFigures, recordLanding } from './process-figures.ts';
import { seedSimulated } from './seed-simulated.ts';

export type Mode = 'live' | 'simulated' | 'replay';

/** What the service and every command work with: the configured database and market. */
export interface Runtime extends BooksRuntime {
  config: Config;
  /** For reads that may lag slightly: the replica if one is set, else `sql`. */
  readSql: Sql;
  /** State of the replica; null: none is set. */
  replica: (() => ReplicaState) | null;
  /** What this process has measured of its work. */
  figures: ProcessFigures;
  /** Where further connections go. */
  target: DatabaseTarget;
  /** Where the embedded cluster lives if not below DATA_DIR; else null. */
  notice: string | null;
  /** Restarts the embedded server if it has died; does nothing for an external database. */
  reviveDatabase: () => Promise<void>;
  /** Whether the embedded server's disk is full; unknown for an external database, so false. */
  isDiskFull: () => Promise<boolean>;
  /** The market's clients, opened on first use; all processes on the database share their budgets. */
  market: () => Promise<MarketAccess>;
  mode: () => Promise<Mode>;
  /** Name of the market whose offers can be rented; null: there is none. */
  rentMarket: string | null;
  /** The markets whose offers are crawled, the default one first. */
  crawledMarkets: readonly CrawledMarket[];
  /** What notices are sent with; opened on first use. */
  notify: () => Promise<NotifyAccess>;
  close: () => Promise<void>;
}

interface Opening {
  isService?: boolean;
  onlyBegun?: boolean;
  now?: () => Date;
}

/**
 * Connects and prepares the market; `close` closes everything. A service migrates; a command migrates only a new
 * database, and with `onlyBegun` none: it throws UserError. A command never creates the secrets key of a database that
 * others use too; only a service may. `isService` and `onlyBegun` @default false; `now` @default the machine's clock
 */
export async function openRuntime(
  config: Config,
  log: Log,
  { isService = false, onlyBegun = false, now = () => new Date() }: Opening = {},
): Promise<Runtime> {
  // Before anything is opened: a wrong dialect is a wrong setting.
  const { limits } = prepareMarket(config);
  for (const named of config.otherMarkets) prepareMarket(configOfOther(config, named));
  // Of several markets each line says which it is about.
  const logOf = (market: string): Log =>
    config.otherMarkets.length === 0 ? log : withFields(log, { market });
  const database = await openDatabase(config, log, async (opened) => {
    if (onlyBegun && !(await hasMigrations(opened))) throw noDataIn(config);
    await migrate(opened, { onlyNew: !isService });
    if (config.market !== null) await requireNoSimulatedMarket(opened, config.market.settings.url);
  });
  const { sql } = database;
  const replica = await openReplica(config, sql, log);
  // So that a replica that is down is already known to be down at the first request.
  await replica?.check();
  const readSql = replica?.sql ?? sql;
  const defaultMarket = async (): Promise<Market> => {
    if (config.market !== null) return await ensureMarket(sql, config.market.name, 'live');
    return (await newestRecordedMarket(sql)) ?? (await ensureMarket(sql, simulatedMarketName, 'simulated'));
  };
  const ownLog = logOf(config.market?.name ?? simulatedMarketName);
  const market = lazily(async () => {
    if (config.market === null) {
      const firstId = (await highestAccountId(sql)) + 1;
      return await openMarket(config, ownLog, null, { isService, firstId });
    }
    const { id: marketId } = await defaultMarket();
    return await openMarket(config, ownLog, createRequestBudget({ db: sql, marketId, limits, log: ownLog }));
  });
  // The folder of an embedded database belongs to the service.
  const mayMakeKey = async (): Promise<boolean> =>
    (isService || config.databaseUrl === null) && !(await hasSealedSecrets(sql));
  const notify = lazily(() => openNotify(config, now, { sql, mayMakeKey }));
  const crawledMarket = async (): Promise<Market> => {
    const found = await defaultMarket();
    if (found.kind === 'simulated') await requireNoLiveMarket(sql);
    if (found.kind !== 'recorded') return found;
    throw new UserError(
      `The market ${found.name} is recorded and is never crawled: set MARKET_URL to crawl a live one.`,
    );
  };
  const figures = createProcessFigures(config.role);
  const statistics = pointStatistics;
  const common = { allocatedStorageGb: config.allocatedStorageGb, now, newId: uuidv7, statistics };
  const marketFor = async (requester: Requester): Promise<Marketplace> => {
    const access = await market.get();
    return requester === 'person' ? access.personMarket : access.market;
  };
  const askAgain = createAskAgain({ log });
  const rentMarket = kindOf(config).parts.includes('account')
    ? (config.market?.name ?? simulatedMarketName)
    : null;
  const judgeBook = createBookJudge({ now, publicUrl: config.publicUrl, rentMarket });
  const crawlerOf = ({ id: marketId, name }: Market, { crawlBook }: Marketplace): OffersCrawler => ({
    ...common,
    sql,
    marketId,
    log: logOf(name),
    maxBookMinutes: config.maxBookMinutes,
    askAgain,
    crawlBook,
    onBookLanded: [judgeBook],
    onStored: ({ type, seconds, offers }) =>
      recordLanding(figures, { market: name, type }, { seconds, rows: offers }),
  });
  const offersCrawler = async (requester: Requester): Promise<OffersCrawler> =>
    crawlerOf(await crawledMarket(), await marketFor(requester));
  const first: CrawledMarket = {
    name: config.market?.name ?? simulatedMarketName,
    config,
    market: crawledMarket,
    offersCrawler,
    queueOf: (type: PricingType) => offersQueue(type),
  };
  const others = config.otherMarkets.map((named) =>
    openOtherMarket({ config, sql, log: logOf(named.name), crawlerOf }, named),
  );
  const crawledMarkets = [first, ...others];
  return {
    config,
    log,
    sql,
    readSql,
    replica: replica?.state ?? null,
    figures,
    target: database.target,
    now,
    statistics,
    notice: database.notice,
    reviveDatabase: database.revive,
    isDiskFull: database.isDiskFull,
    defaultMarket,
    market: market.get,
    rentMarket,
    mode: async () => modeOf(await defaultMarket()),
    crawledMarket,
    marketFor,
    askAgain,
    crawledMarkets,
    crawl: async ({ market: name, type: wanted, signal }) => {
      const crawled = findCrawled(crawledMarkets, name);
      const crawler = await crawled.offersCrawler('person');
      const outcomes: AloneOutcome[] = [];
      for (const type of wanted === undefined ? kindOf(crawled.config).types : [wanted]) {
        const run = {
          crawlId: uuidv7(),
          scope: defaultScope,
          cause: 'command' as const,
          tickAt: null,
          jobId: null,
        };
        outcomes.push(...(await crawlAlone(crawler, { type, crawls: [run], signal })));
      }
      return outcomes.filter((outcome) => outcome.kind !== 'done before');
    },
    seed: async (onProgress, signal) => {
      await requireNoLiveMarket(sql);
      const { id: marketId } = await ensureMarket(sql, simulatedMarketName, 'simulated');
      const prepared = prepareMarket(config);
      const landed = await seedSimulated({ ...common, sql, log, prepared, marketId, onProgress, signal });
      // Frees the write-ahead log now instead of at the next checkpoint; an external server decides for itself.
      if (landed > 0 && config.databaseUrl === null) await sql`checkpoint`.catch(() => {});
      return landed;
    },
    notify: notify.get,
    close: async () => {
      await notify.close();
      await market.close();
      for (const other of others) await other.close();
      await replica?.end();
      await database.close();
    },
  };
}

/** Throws a UserError if the database holds a live market, which simulated data must not join. */
async function requireNoLiveMarket(sql: Sql): Promise<void> {
  const [name] = await marketsWithData(sql, 'live');
  if (name === undefined) return;
  throw new UserError(
    `This database holds the live market ${name}, and MARKET_URL is not set. Set MARKET_URL and MARKET_API_KEY to continue ` +
      'with it, or set DATA_DIR or DATABASE_URL to another database to try the simulator.',
  );
}

/** Throws a UserError if the database holds simulated data, which a live market must not join. */
async function requireNoSimulatedMarket(sql: Sql, setting: string): Promise<void> {
  if ((await marketsWithData(sql, 'simulated')).length === 0) return;
  // An earlier version let a live market in.
  if ((await marketsWithData(sql, 'live')).length > 0) return;
  throw new UserError(
    `This database holds the simulated market, and ${setting} is set: live and simulated books never share a database. ` +
      'Set DATA_DIR or DATABASE_URL to another database, for example DATA_DIR=live, or unset the market to go on with the simulator.',
  );
}

const modeOf = (market: Market): Mode =>
  ({ live: 'live', simulated: 'simulated', recorded: 'replay' })[market.kind] as Mode;
