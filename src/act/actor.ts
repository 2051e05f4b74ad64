import type { Insight } from '../analytics/insight.ts';
import type { JokeTests } from '../analytics/newest-offers.ts';
import type { Sql } from '../db/connection.ts';
import type { Market } from '../db/markets.ts';
import type { Log } from '../domain/log.ts';
import type { MarketClient } from '../market/client.ts';
import type { Dialect } from '../market/dialect.ts';
import type { Guard } from './guards.ts';

/** The calls that acting is made of; the client's acting key is used here alone. */
export type ActClient = Omit<MarketClient, 'close' | 'probeWriteRights' | 'listInvoices'>;

/** The owner's limits; null: none is set. Source: design.md section 2. */
export interface ActLimits {
  /** ACTIONS as it stands by the settings. */
  actions: boolean;
  maxUsdPerHour: number | null;
  maxTotalUsdPerHour: number | null;
  maxInstances: number | null;
  settleMinutes: number;
}

/** Encrypts what must survive a restart and nobody may read. */
export interface Sealer {
  seal: (text: string) => string;
  /** null: it was sealed with another key. */
  open: (sealed: string) => string | null;
}

/** What acts on one account. */
export interface Actor {
  sql: Sql;
  client: ActClient;
  dialect: Dialect;
  market: Market;
  limits: ActLimits;
  log: Log;
  now: () => Date;
  newId: () => string;
  /** What answers about the newest books share. */
  insight: Insight & { jokeTests: JokeTests };
  /** Asked before the built-in guards' answers are final: budgets, for example. @default none */
  furtherGuards?: readonly Guard[] | undefined;
  /** @default wishes with environment or start script are not kept, and so not replaced */
  sealer?: Sealer | undefined;
  /** Whether something accepts a connection there. @default a TCP connection within 5 s */
  accepts?: ((host: string, port: number) => Promise<boolean>) | undefined;
}
