import { resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import { settingValues } from '../core/setting-values.ts';
import { defaultPoolSize, minPoolSize, poolSizePerMarket } from '../database/pool-shares.ts';
import type { S3Access } from '../exports/lake/s3-client.ts';
import { s3AccessOf, s3Values } from '../exports/lake/s3-settings.ts';
import { settingNames } from '../market/setting-names.ts';
import { catalogList } from '../prices/catalogs/catalog-list.ts';
import { agentLimitsOf, agentLimitValues } from '../rentals/agent-limits.ts';
import { type Limits, limitsOf, limitValues } from '../rentals/limits.ts';
import type { TokenLimits } from '../rentals/rent/token-limits.sql.ts';
import { type BackupSettings, backupsOf, backupValues } from './backups/backup-settings.ts';
import { findConfigProblems } from './config-problems.ts';
import {
  type ConfiguredMarket,
  marketNames,
  type NamedMarket,
  namedSettings,
  namesOfMarkets,
  readNamedMarket,
} from './named-markets.ts';
import { isSecret, readSettings } from './read-settings.ts';
import {
  headerText,
  logLevel,
  postgresAddress,
  schedule,
  text,
  timeZone,
  unlessOff,
  webAddress,
} from './setting-schemas.ts';
import { type HeaderSignInConfig, headerSignInOf, headerSignInValues } from './sign-in/header-sign-in.ts';

const { positive, whole } = settingValues;

/** Every setting by variable. docs/settings.md explains them; a test compares the two. */
export const settings = {
  MARKETS: marketNames.optional(),
  MARKET_URL: webAddress.optional(),
  MARKET_API_KEY: headerText.optional(),
  MARKET_ACT_API_KEY: headerText.optional(),
  MARKET_NAME: text.min(1).max(100).optional(),
  MARKET_DIALECT: text.optional(),
  MARKET_MAX_BODY_MB: positive.default(256),
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_REPLICA_URL: postgresAddress.optional(),
  DATABASE_POOL_SIZE: whole(minPoolSize, 1_000).default(defaultPoolSize),
  DATA_DIR: text.min(1).default('./data'),
  HOST: text.min(1).default('127.0.0.1'),
  PORT: whole(0, 65_535).default(8080),
  PUBLIC_URL: webAddress.optional(),
  ...headerSignInValues,
  SHEETS_PORT: whole(0, 65_535).optional(),
  HEALTH_PORT: whole(0, 65_535).optional(),
  // The length of a new token is checked where it is stored, so that one from an earlier version stays valid.
  OFFERBOOK_TOKEN: text.min(8, 'expected at least 16 characters').optional(),
  OFFERBOOK_URL: webAddress.optional(),
  CRAWL_OFFERS: schedule.default('7 * * * *'),
  CRAWL_RENTED: z.enum(['on', 'off'], 'expected on or off').default('off'),
  CRAWL_INVOICES: schedule.default('17 * * * *'),
  CRAWL_INSTANCES: schedule.default('* * * * *'),
  CATALOGS: catalogList.optional(),
  FETCH_CATALOGS: schedule.default('off'),
  ALLOCATED_STORAGE_GB: positive.default(8),
  SEARCHES_PER_MINUTE: whole(1, Number.MAX_SAFE_INTEGER).default(6),
  MAX_BOOK_MINUTES: positive.default(120),
  MAX_DATA_AGE_MINUTES: positive.default(180),
  RETAIN_POINTS_DAYS: positive.default(14),
  RETAIN_HOURS_DAYS: positive.default(400),
  HEALTHCHECK_PING_URL: webAddress.optional(),
  SECRETS_KEY: text.min(16, 'expected at least 16 characters').optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'expected smtp://user:password@host:port or smtps://…' })
    .optional(),
  MAIL_FROM: text
    .regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'expected an address like offerbook@example.com')
    .optional(),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['on', 'off'], 'expected on or off').default('off'),
  ACTIONS: z.enum(['on', 'off'], 'expected on or off').optional(),
  ...limitValues,
  ...agentLimitValues,
  SETTLE_MINUTES: positive.default(3),
  ...backupValues,
  ...s3Values,
  ROLE: z.enum(['all', 'api', 'worker'], 'expected all, api or worker').default('all'),
  SLOW_STATEMENT_MS: positive.default(2_000),
  TZ: text.refine(timeZone, 'expected a time zone like Europe/Berlin').default('UTC'),
  LOG_LEVEL: logLevel.default('info'),
} as const;

/** Returns every setting of an environment by variable: these, and those of markets named in MARKETS. */
export const settingsIn = (env: Record<string, string | undefined>): Record<string, z.ZodType> => ({
  ...settings,
  ...Object.fromEntries(namesOfMarkets(env.MARKETS).flatMap((name) => Object.entries(namedSettings(name)))),
});

export interface Config extends HeaderSignInConfig {
  /** null: the built-in simulator. */
  market: ConfiguredMarket | null;
  /** The markets in MARKETS after the first: their offers are crawled, but nothing is rented there. */
  otherMarkets: readonly NamedMarket[];
  /** Path of the dialect's JSON file; null: the built-in dialect. */
  dialectFile: string | null;
  marketMaxBodyMb: number;
  /** null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** Database from which the API reads prices and history; null: `databaseUrl`. */
  databaseReplicaUrl: string | null;
  /** Maximum number of connections of one process to the primary. */
  databasePoolSize: number;
  /** Absolute. */
  dataDir: string;
  host: string;
  port: number;
  publicUrl: string;
  /** Whether `publicUrl` was set explicitly, not derived from HOST and PORT. */
  isPublicUrlSet: boolean;
  /** Port that only serves sheets and feeds; null: none. */
  sheetsPort: number | null;
  /** Port that only serves health and metrics, also in a worker; null: none. */
  healthPort: number | null;
  /** Address of the sheets. */
  sheetsUrl: string;
  /** null: created at first start, stored in `dataDir`. */
  token: string | null;
  /** A running server that commands use instead of the database; null: none. No slash at the end. */
  serverUrl: string | null;
  /** Cron expression; null: no scheduled crawls of offers. */
  crawlOffers: string | null;
  /** Whether offers that cannot be rented now are crawled too, on the offers' schedule. */
  crawlRented: boolean;
  /** Cron expression of invoices and charges; null: no scheduled syncs. */
  crawlInvoices: string | null;
  /** Cron expression of polls of instances; null: no scheduled polls. */
  crawlInstances: string | null;
  /** Address or file of each other seller's catalog, by seller. */
  catalogs: ReadonlyMap<string, string>;
  /** Cron expression of catalog fetches; null: no scheduled fetches. */
  fetchCatalogs: string | null;
  allocatedStorageGb: number;
  searchesPerMinute: number;
  maxBookMinutes: number;
  maxDataAgeMinutes: number;
  /** Days before a market's newest book for which statistics of books and of hours are kept. */
  retention: { pointsDays: number; hoursDays: number };
  /** null: no monitor is pinged. */
  healthcheckPingUrl: string | null;
  /** Encrypts the secrets of channels; null: created at first start, stored in `dataDir`. */
  secretsKey: string | null;
  /** null: e-mail is off. */
  smtpUrl: string | null;
  /** Sender of e-mail; null: `offerbook@` the host of `publicUrl`. */
  mailFrom: string | null;
  /** Whether channels may send to addresses outside the public internet. */
  webhookAllowPrivate: boolean;
  /** Whether the account may be changed; null: only with the simulator. */
  actions: boolean | null;
  limits: Limits;
  /** Limits of each token that acts through MCP. */
  agentLimits: TokenLimits;
  /** Minutes to wait for an instance to be listed after a create without a clear answer. */
  settleMinutes: number;
  backups: BackupSettings;
  /** How `s3://` is reached. */
  s3: S3Access;
  /** What this process does: everything, only answering, or only scheduled work. */
  role: 'all' | 'api' | 'worker';
  timeZone: string;
  logLevel: string;
  /** A statement of SQL that takes at least this long is logged. */
  slowStatementMs: number;
}

/**
 * Returns the configuration in an environment. An empty variable counts as unset. Throws a UserError that names every
 * problem at once: variable, value (never of a secret) and what is expected.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const schemas = settingsIn(env);
  const given = readSettings(env, Object.keys(schemas), problems);
  for (const issue of z.object(schemas).safeParse(given).error?.issues ?? []) {
    const name = String(issue.path[0]);
    problems.push(`${name}${shown(name, given[name])}: ${issue.message}`);
  }
  const parsed = z.object(settings).safeParse(given);
  const [named, ...others] = namesOfMarkets(given.MARKETS).map((name) => readNamedMarket(name, given));
  problems.push(...findConfigProblems(given));
  if (!parsed.success || problems.length > 0) {
    throw new UserError(`Invalid configuration:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
  return assemble(parsed.data, named, others);
}

const shown = (name: string, value: string | undefined): string =>
  value === undefined || isSecret(name) ? '' : ` ${JSON.stringify(value)}`;

function assemble(
  values: z.infer<z.ZodObject<typeof settings>>,
  named: NamedMarket | undefined,
  others: readonly NamedMarket[],
): Config {
  return {
    market: named ?? marketOf(values),
    otherMarkets: others,
    dialectFile: (named === undefined ? values.MARKET_DIALECT : named.dialectFile) ?? null,
    marketMaxBodyMb: values.MARKET_MAX_BODY_MB,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL ?? null,
    databasePoolSize: values.DATABASE_POOL_SIZE + poolSizePerMarket * others.length,
    dataDir: resolve(values.DATA_DIR),
    host: values.HOST,
    port: values.PORT,
    ...headerSignInOf(values),
    isPublicUrlSet: values.PUBLIC_URL !== undefined,
    publicUrl: (values.PUBLIC_URL ?? `http://${hostInUrl(values.HOST)}:${values.PORT}`).replace(/\/+$/, ''),
    sheetsPort: values.SHEETS_PORT ?? null,
    healthPort: values.HEALTH_PORT ?? null,
    sheetsUrl: (
      values.PUBLIC_URL ?? `http://${hostInUrl(values.HOST)}:${values.SHEETS_PORT ?? values.PORT}`
    ).replace(/\/+$/, ''),
    token: values.OFFERBOOK_TOKEN ?? null,
    serverUrl: values.OFFERBOOK_URL?.replace(/\/+$/, '') ?? null,
    crawlOffers: unlessOff(named?.crawlOffers ?? values.CRAWL_OFFERS),
    crawlRented: values.CRAWL_RENTED === 'on',
    crawlInvoices: unlessOff(values.CRAWL_INVOICES),
    crawlInstances: unlessOff(values.CRAWL_INSTANCES),
    catalogs: values.CATALOGS ?? new Map(),
    fetchCatalogs: unlessOff(values.FETCH_CATALOGS),
    allocatedStorageGb: values.ALLOCATED_STORAGE_GB,
    searchesPerMinute: values.SEARCHES_PER_MINUTE,
    maxBookMinutes: values.MAX_BOOK_MINUTES,
    maxDataAgeMinutes: values.MAX_DATA_AGE_MINUTES,
    retention: { pointsDays: values.RETAIN_POINTS_DAYS, hoursDays: values.RETAIN_HOURS_DAYS },
    healthcheckPingUrl: values.HEALTHCHECK_PING_URL ?? null,
    secretsKey: values.SECRETS_KEY ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM ?? null,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE === 'on',
    actions: values.ACTIONS === undefined ? null : values.ACTIONS === 'on',
    limits: limitsOf(values),
    agentLimits: agentLimitsOf(values),
    settleMinutes: values.SETTLE_MINUTES,
    backups: backupsOf(values),
    s3: s3AccessOf(values),
    role: values.ROLE,
    timeZone: values.TZ,
    logLevel: values.LOG_LEVEL,
    slowStatementMs: values.SLOW_STATEMENT_MS,
  };
}

/** Returns the market set by the variables without a market name; null: none is set. */
function marketOf(values: z.infer<z.ZodObject<typeof settings>>): Config['market'] {
  const { MARKET_URL: url, MARKET_API_KEY: apiKey } = values;
  if (url === undefined || apiKey === undefined) return null;
  return {
    name: values.MARKET_NAME ?? new URL(url).host,
    settings: settingNames(),
    kind: null,
    url: url.replace(/\/+$/, ''),
    apiKey,
    actApiKey: values.MARKET_ACT_API_KEY ?? null,
  };
}

const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);
