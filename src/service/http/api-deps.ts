import type { Context } from 'hono';
import type { CrawlOrder } from '../../books/crawl-order.ts';
import type { Market } from '../../books/markets.sql.ts';
import type { Credential } from '../../core/http/credential.ts';
import type { Log } from '../../core/log.ts';
import type { Sql } from '../../database/connection.ts';
import type { ReplicaState } from '../../database/replica-reads.ts';
import type { FailedJob } from '../../jobs/jobs.sql.ts';
import type { MarketKind } from '../../market/marketplace.ts';
import type { OrdersDeps } from '../../orders/orders-deps.ts';
import type { ExpectedBooks, SharedPriceCache } from '../../prices/prices-deps.ts';
import type { Actor } from '../../rentals/actor.ts';
import type { NotifyAccess } from '../../watches/channels/notify-access.ts';
import type { ProcessFigures } from '../process-figures.ts';
import type { ScheduleView } from '../schedules.ts';
import type { CredentialWatch } from '../sign-in/credential-watch.ts';
import type { GuessLimit } from '../sign-in/guess-limit.ts';
import type { SignInDeps } from '../sign-in/read-person.ts';

/** Where the default market's data comes from. */
export type Mode = 'live' | 'simulated' | 'replay';

/** What the API needs from the program around it. */
export interface AppDeps extends SignInDeps {
  sql: Sql;
  /** Connection for prices and history, which may lag slightly. @default `sql` */
  readSql?: Sql;
  /** State of the replica behind `readSql`. @default no replica */
  replica?: () => ReplicaState;
  log: Log;
  now: () => Date;
  /** Address of the page for browsers; no slash at the end. */
  publicUrl: string;
  version: string;
  /** The market of requests that name none: the live one, else the newest recorded, else the simulated one. */
  defaultMarket: () => Promise<Market>;
  /** The markets behind the first that are crawled too. @default none */
  otherMarkets?: () => Promise<readonly Market[]>;
  /** What renting costs on top of prices, in percent, of each configured market. @default nothing anywhere */
  rentingFees?: ReadonlyMap<string, number>;
  mode: () => Promise<Mode>;
  /** Books made so far at the first start; null: not seeding. */
  seeding: () => { done: number; total: number } | null;
  /** Whether the database's disk is known to be full. @default false */
  isDiskFull?: () => Promise<boolean>;
  /** Queues a crawl of the default market, or of another one's offers; resolves with its crawls. */
  crawlNow: (order: CrawlOrder) => Promise<{ crawlIds: string[] }>;
  /** What notices are sent with; opened on first use. @default channels cannot be used */
  notify?: () => Promise<NotifyAccess>;
  /** Sends waiting deliveries soon; resolves at once if a worker does it. @default a worker does */
  deliver?: () => Promise<void>;
  /** Acts on the account of the default market. @default every action is refused */
  actor?: () => Promise<Actor>;
  /** Polls the instances soon; resolves once that is queued. @default they are polled on schedule */
  pollSoon?: () => Promise<void>;
  /** Carries out the standing orders soon; resolves once that is queued. @default with the next book or poll */
  carryOutSoon?: () => Promise<void>;
  /** Retries a failed job. @default 409, because only a service can */
  retryJob?: (job: FailedJob) => Promise<void>;
  /** Returns the default market's schedules. @default none */
  schedule?: (marketId: number) => Promise<ScheduleView[]>;
  /** The kind of the default market. @default the one of settings without a kind */
  marketKind?: MarketKind;
  /** Above this age of the last complete book the service is not ready. */
  maxDataAgeMinutes: number;
  actionsEnabled: boolean;
  /** The requester of every request, if only this process can send one. @default the proven credential */
  caller?: Credential | undefined;
  /** Address of live sheets, no slash at the end. @default publicUrl */
  sheetsUrl?: string;
  /** Default time zone of schedules. @default UTC */
  timeZone?: string | undefined;
  /** What this process has measured of its work. @default nothing */
  processFigures?: ProcessFigures;
  /** When backups are made, and where to; null: BACKUPS is off, BACKUP_TO is not set. @default neither */
  backups?: { cron: string | null; to: string | null };
  /** Whether `/metrics` needs no token. @default false */
  openMetrics?: boolean;
  /** How long the same requester gets the same trends and rankings. @default 0: computed each time */
  cacheAnswersMs?: number;
  /** Folder of the built page; null: not built. */
  webRoot: string | null;
  /** Number of books that the schedule should have made in a range so far; null: unknown there. @default null */
  expectedBooks?: ExpectedBooks;
  /** Cache shared by all reads of the newest books. @default its own */
  priceCache?: SharedPriceCache;
}

/** The dependencies of resources: the program's, and what the app shares between requests. */
export interface ApiDeps extends Omit<AppDeps, keyof OrdersDeps>, OrdersDeps {
  credentials: CredentialWatch;
  guesses: GuessLimit;
  /** The address of a request's client; null: from within the process. */
  addressOf: (c: Context) => string | null;
  /** Notes that a credential was used. Never fails. */
  noteUse: (credential: Credential, c: Context) => Promise<void>;
}
