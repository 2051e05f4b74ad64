import type { CrawlOrder } from '../../books/crawl-order.ts';
import type { Market } from '../../books/markets.sql.ts';
import type { Credential } from '../../core/http/credential.ts';
import type { Log } from '../../core/log.ts';
import type { Sql } from '../../database/connection.ts';
import type { ReplicaState } from '../../database/replica-reads.ts';
import type { FailedJob } from '../../jobs/jobs.sql.ts';
import type { MarketKind } from '../../market/marketplace.ts';
import type { ExpectedBooks, SharedPriceCache } from '../../prices/prices-deps.ts';
import type { Actor } from '../../rentals/actor.ts';
import type { NotifyAccess } from '../../watches/channels/notify-access.ts';
import type { WatchesDeps } from '../../watches/watches-deps.ts';
import type { ScheduleView } from '../schedules.ts';
import type { CredentialWatch } from '../sign-in/credential-watch.ts';
import type { GuessLimit } from '../sign-in/guess-limit.ts';

/** Where the default market's data comes from. */
export type Mode = 'live' | 'simulated' | 'replay';

/** What the API needs from the program around it. */
export interface AppDeps {
  sql: Sql;
  /** For prices and history, which may be a moment behind. @default `sql` */
  readSql?: Sql;
  /** How the replica behind `readSql` is. @default there is none */
  replica?: () => ReplicaState;
  log: Log;
  now: () => Date;
  /** Address under which browsers reach the page; no slash at the end. */
  publicUrl: string;
  version: string;
  /** The market of requests that name none: live, else the newest recorded, else simulated. */
  defaultMarket: () => Promise<Market>;
  mode: () => Promise<Mode>;
  /** Books made so far at the first start; null: nothing is being seeded. */
  seeding: () => { done: number; total: number } | null;
  /** Whether the disk of the database is known to be full. @default it is not */
  isDiskFull?: () => Promise<boolean>;
  /** Queues a crawl of the default market; resolves when its crawls are known. */
  crawlNow: (order: CrawlOrder) => Promise<{ crawlIds: string[] }>;
  /** What notices are sent with; opened on first use. @default channels cannot be used */
  notify?: () => Promise<NotifyAccess>;
  /** Has what waits in the outbox sent soon; resolves at once where a worker does it. @default a worker does */
  deliver?: () => Promise<void>;
  /** What acts on the account of the default market. @default nothing does: every action is refused */
  actor?: () => Promise<Actor>;
  /** Has the instances polled soon; resolves once that is queued. @default they are polled as scheduled */
  pollSoon?: () => Promise<void>;
  /** Queues a failed job again. @default a service does: 409 */
  retryJob?: (job: FailedJob) => Promise<void>;
  /** What is done when, by itself, in the default market. @default nothing is */
  schedule?: (marketId: number) => Promise<ScheduleView[]>;
  /** The kind of the default market. @default the one of settings without a kind */
  marketKind?: MarketKind;
  /** Above this age of the last complete book the service is not ready. */
  maxDataAgeMinutes: number;
  actionsEnabled: boolean;
  /** Who every request comes from, where nobody outside this process can send one. @default what the request proves */
  caller?: Credential | undefined;
  /** Address under which live sheets are reached, no slash at the end. @default publicUrl */
  sheetsUrl?: string;
  /** Zone of schedules that name none. @default UTC */
  timeZone?: string | undefined;
  /** Whether `/metrics` needs no token. @default false */
  openMetrics?: boolean;
  /** For how long the same requester gets the same trends and rankings again. @default 0: computed each time */
  cacheAnswersMs?: number;
  /** Folder of the built page; null: it was not built. */
  webRoot: string | null;
  /** Books that the schedule should have made in the range so far; null: it has no say there. @default it has none */
  expectedBooks?: ExpectedBooks;
  /** What answers about the newest books share. @default its own */
  priceCache?: SharedPriceCache;
}

/** The dependencies of resources: those of the program and what the app shares between requests. */
export interface ApiDeps extends Omit<AppDeps, keyof WatchesDeps>, WatchesDeps {
  credentials: CredentialWatch;
  guesses: GuessLimit;
}
