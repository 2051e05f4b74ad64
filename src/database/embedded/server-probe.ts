import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { UserError } from '../../core/errors.ts';
import { errorCode, isDiskFull } from './disk-problem.ts';
import { databaseName, superuser } from './server-settings.ts';
import { socketPort } from './socket-dir.ts';

const patienceMs = 10_000;

/** `busy`: starting, recovering or stopping; `absent`: nothing listens on the socket. */
type ServerAnswer = 'ready' | 'busy' | 'absent';

/** Checks that the server behind the socket serves this cluster, and creates the database if missing. */
export async function queryServer(socketDir: string, clusterDir: string): Promise<ServerAnswer> {
  try {
    return await visit(socketDir, databaseName, async (sql) => {
      const [row] = await sql`select current_setting('data_directory') as dir`;
      return row?.dir === clusterDir ? 'ready' : 'absent';
    });
  } catch (error) {
    switch (errorCode(error)) {
      case '3D000':
        return await createDatabase(socketDir, clusterDir);
      case '53300':
        return 'ready';
      case 'ENOENT':
      case 'ECONNREFUSED':
      case 'ENOTSOCK':
        return 'absent';
      case '28000':
      case '28P01':
      case 'EACCES':
        throw new UserError(
          `the database server in ${clusterDir} is not Offerbook's: stop it, or set DATA_DIR to another folder`,
          { cause: error },
        );
      default:
        return 'busy';
    }
  }
}

async function createDatabase(socketDir: string, clusterDir: string): Promise<ServerAnswer> {
  return await visit(socketDir, 'postgres', async (sql) => {
    // template0 accepts no connections, so nobody can block the copy.
    await sql`create database ${sql(databaseName)} template template0`;
    return 'ready' as const;
  }).catch(async (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const reason = (await isDiskFull(clusterDir))
      ? 'the disk is full; free some space, then start again'
      : text;
    throw new UserError(`the database cannot be created in ${clusterDir}: ${reason}`, { cause: error });
  });
}

async function visit(
  socketDir: string,
  database: string,
  ask: (sql: postgres.Sql) => Promise<ServerAnswer>,
): Promise<ServerAnswer> {
  const sql = postgres({
    host: socketDir,
    port: socketPort,
    user: superuser,
    database,
    max: 1,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => undefined,
  });
  // A server that dies at the wrong moment would leave the driver waiting forever.
  const answered = new AbortController();
  const patience = sleep(patienceMs, 'busy' as const, { signal: answered.signal }).catch(
    () => 'busy' as const,
  );
  try {
    return await Promise.race([ask(sql), patience]);
  } finally {
    answered.abort();
    await sql.end({ timeout: 1 });
  }
}
