import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { addressWithoutSecrets } from '../database/address-without-secrets.ts';
import { connect, type DatabaseTarget, type Sql } from '../database/connection.ts';
import { errorCode, isDiskFull } from '../database/embedded/disk-problem.ts';
import { openEmbedded } from '../database/embedded/supervisor.ts';
import { examinePooler } from '../database/examine-pooler.ts';
import { examineServer } from '../database/examine-server.sql.ts';
import { explainRefusal, insufficientPrivilege } from '../database/explain-refusal.ts';
import { sharePool } from '../database/pool-shares.ts';
import { createReplicaReads, type ReplicaReads } from '../database/replica-reads.ts';
import { isServerFull, serverFullWords } from '../database/server-full.ts';
import type { StatementLog } from '../database/watch-query.ts';
import type { Config } from './config.ts';

interface OpenDatabase {
  sql: Sql;
  target: DatabaseTarget;
  notice: string | null;
  revive: () => Promise<void>;
  isDiskFull: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** Opens only the configured database; `ready` runs before anything else, and what it throws closes it. */
export async function openDatabase(
  config: Config,
  log: Log,
  ready: (sql: Sql) => Promise<unknown>,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const target = await examinePooler(config.databaseUrl, { setting: 'DATABASE_URL' });
    const sql = connect(target, { ...sharesOf(config), statements: statementsOf(config, log) });
    await prepare(sql, { place: `The database at ${addressWithoutSecrets(config.databaseUrl)}`, ready, log });
    return {
      sql,
      target,
      notice: null,
      revive: async () => {},
      isDiskFull: async () => false,
      close: () => sql.end({ timeout: 2 }),
    };
  }
  const server = await openEmbedded({ dataDir: config.dataDir, log });
  const { socketDir, port, user, database } = server;
  const target = { socketDir, port, user, database };
  const sql = connect(target, { ...sharesOf(config), statements: statementsOf(config, log) });
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
    sql,
    target,
    notice: server.notice,
    close,
    revive: () => server.ensureRunning(),
    isDiskFull: () => isDiskFull(server.clusterDir),
  };
}

const statementsOf = ({ slowStatementMs: slowMs }: Config, log: Log): StatementLog => ({ log, slowMs });

const sharesOf = ({ databasePoolSize, otherMarkets }: Config): { max: number; maxReserved: number } => {
  const { pool: max, reserved: maxReserved } = sharePool(databasePoolSize, otherMarkets.length);
  return { max, maxReserved };
};

/** Attempts at the start to connect to a full server, for a second each with pauses. */
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
        if (tries === 1) log.warn({}, `${place}: ${serverFullWords} Waiting for a free connection.`);
        await delay(startPauseMs);
        continue;
      }
      const isRefused = errorCode(cause) === insufficientPrivilege;
      const server = isRefused ? await examineServer(sql).catch(() => null) : null;
      await sql.end({ timeout: 1 }).catch(() => {});
      if (cause instanceof UserError) throw cause;
      if (isServerFull(cause)) throw new UserError(`${place} cannot be used. ${serverFullWords}`, { cause });
      const why = explainRefusal(cause as Error, server?.ownerStatement);
      throw new UserError(`${place} cannot be used: ${why}`, { cause });
    }
  }
}

/** Returns reads from DATABASE_REPLICA_URL; null: none is set. */
export async function openReplica(config: Config, primary: Sql, log: Log): Promise<ReplicaReads | null> {
  const url = config.databaseReplicaUrl;
  if (url === null) return null;
  const target = await examinePooler(url, { setting: 'DATABASE_REPLICA_URL', connectSeconds: 2 });
  const { max: most, maxReserved } = sharesOf(config);
  return createReplicaReads({
    primary,
    log,
    open: (max = most) =>
      connect(target, {
        max,
        maxReserved,
        connectSeconds: 2,
        applicationName: 'offerbook reads',
        statements: statementsOf(config, log),
      }),
  });
}
