import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type DatabaseTarget, type Sql } from '../src/database/connection.ts';
import { openEmbedded } from '../src/database/embedded/supervisor.ts';
import { migrate } from '../src/database/migrate.ts';
import { describeMachine } from './results-table.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An embedded server with the program's settings, in a temporary folder. */
export interface BenchServer {
  withDatabase: <T>(work: (sql: Sql, target: DatabaseTarget) => Promise<T>) => Promise<T>;
  /** The machine and PostgreSQL version, in one line. */
  machine: string;
  close: () => Promise<void>;
}

/** Starts the server with one migrated database, which each `withDatabase` copies. */
export async function openBenchServer(): Promise<BenchServer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'offerbook-bench-')));
  // As root the server runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const server = await openEmbedded({
    dataDir: join(folder, 'data'),
    stateDir: join(folder, 'state'),
    log: silent,
  });
  const { socketDir, port, user } = server;
  const at = (database: string): DatabaseTarget => ({ socketDir, port, user, database });
  const to = (database: string): Sql => connect(at(database));
  const close = async (): Promise<void> => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  let made = 0;
  let machine: string;
  const admin = to('postgres');
  try {
    machine = await describeMachine(admin);
    await admin`create database template_of_bench`;
    const template = to('template_of_bench');
    await migrate(template);
    await template.end();
  } catch (error) {
    await admin.end();
    await close();
    throw error;
  }
  return {
    machine,
    withDatabase: async (work) => {
      made += 1;
      const name = `bench_${made}`;
      await admin.unsafe(`create database ${name} template template_of_bench`);
      const sql = to(name);
      try {
        return await work(sql, at(name));
      } finally {
        await sql.end();
        await admin.unsafe(`drop database ${name} with (force)`);
      }
    },
    close: async () => {
      await admin.end();
      await close();
    },
  };
}
