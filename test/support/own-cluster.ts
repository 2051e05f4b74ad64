import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOn, serversOn } from '../../prove/cluster-processes.ts';
import { connect, type Sql } from '../../src/database/connection.ts';
import { openEmbedded } from '../../src/database/embedded/supervisor.ts';
import { migrate } from '../../src/database/migrate.ts';
import { silentLog } from './silent-log.ts';

/** A DATA_DIR with a closed embedded database, for commands in separate processes. */
export interface OwnCluster {
  dataDir: string;
  /** Opens it for the time of `work`. */
  use: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Pids of the servers that run on it. */
  servers: () => Promise<number[]>;
  /** Pids of their sessions and helpers. */
  sessions: () => Promise<number[]>;
  remove: () => Promise<void>;
}

/** Creates the folder; the first process to open it creates the database. */
export async function makeOwnCluster(): Promise<OwnCluster> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'offerbook-own-')));
  await chmod(dataDir, 0o755);
  // As root it is elsewhere, and a link points there.
  const clusterDir = (): Promise<string> => realpath(join(dataDir, 'pg')).catch(() => join(dataDir, 'pg'));
  return {
    dataDir,
    use: async (work) => {
      const { socketDir, port, user, database, close } = await openEmbedded({ dataDir, log: silentLog });
      const sql = connect({ socketDir, port, user, database });
      try {
        await migrate(sql);
        return await work(sql);
      } finally {
        await sql.end();
        await close();
      }
    },
    servers: async () => await serversOn(await clusterDir()),
    sessions: async () => {
      const servers = await serversOn(await clusterDir());
      return (await processesOn(await clusterDir())).filter((pid) => !servers.includes(pid));
    },
    remove: async () => {
      const cluster = await clusterDir();
      for (const ending of ['', '-run', '-start.lock', '-use.lock']) {
        await rm(`${cluster}${ending}`, { recursive: true, force: true });
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
