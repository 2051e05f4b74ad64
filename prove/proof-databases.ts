import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../src/core/log.ts';
import { connect, type DatabaseTarget, type Sql } from '../src/database/connection.ts';
import { openEmbedded } from '../src/database/embedded/supervisor.ts';
import { migrate } from '../src/database/migrate.ts';

/** A migrated, empty database. */
export interface ProofDatabase {
  sql: Sql;
  target: DatabaseTarget;
  drop: () => Promise<void>;
}

export interface ProofDatabases {
  create: () => Promise<ProofDatabase>;
  close: () => Promise<void>;
}

/** Makes databases on `server`, or on an embedded server in a folder of its own that is removed at the end. */
export async function openProofDatabases(server: DatabaseTarget | null, log: Log): Promise<ProofDatabases> {
  const { target: place, close } =
    server === null ? await openOwnServer(log) : { target: server, close: async () => {} };
  const admin = connect(place, { max: 1 });
  let made = 0;
  return {
    create: async () => {
      made += 1;
      const name = `offerbook_prove_${process.pid}_${made}`;
      await admin.unsafe(`create database ${name}`);
      const target = inDatabase(place, name);
      const sql = connect(target, { max: 4, applicationName: 'offerbook-prove' });
      await migrate(sql);
      const drop = async (): Promise<void> => {
        await sql.end();
        await admin.unsafe(`drop database ${name} with (force)`);
      };
      return { sql, target, drop };
    },
    close: async () => {
      await admin.end();
      await close();
    },
  };
}

async function openOwnServer(log: Log): Promise<{ target: DatabaseTarget; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-prove-'));
  const server = await openEmbedded({ dataDir, log });
  const { socketDir, port, user, database } = server;
  return {
    target: { socketDir, port, user, database },
    close: async () => {
      await server.close();
      for (const ending of ['', '-run', '-start.lock', '-use.lock']) {
        await rm(`${server.clusterDir}${ending}`, { recursive: true, force: true });
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function inDatabase(place: DatabaseTarget, database: string): DatabaseTarget {
  if (!('url' in place)) return { ...place, database };
  const url = new URL(place.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}
