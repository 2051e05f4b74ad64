import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect, type DatabaseTarget } from '../../src/database/connection.ts';
import { openEmbedded } from '../../src/database/embedded/supervisor.ts';
import { migrate } from '../../src/database/migrate.ts';
import { makeQuickFolder } from './quick-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server that tests run on, and the migrated database that each test file clones. */
    server: DatabaseTarget;
    template: string;
  }
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Starts the embedded server (or takes TEST_DATABASE_URL) and migrates the template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  const { target, close } = url === undefined ? await embedded() : { target: { url }, close: async () => {} };
  const template = `offerbook_template_${process.pid}`;
  const admin = connect(target, { max: 1 });
  await admin.unsafe(`create database ${template}`);
  const sql = connect(withDatabase(target, template), { max: 1 });
  await migrate(sql);
  await sql.end();
  project.provide('server', target);
  project.provide('template', template);
  return async () => {
    // The clones too: a test file that was stopped leaves its own behind.
    const made = await admin<{ name: string }[]>`
      select datname as name from pg_database where starts_with(datname, ${template})`;
    for (const { name } of made) await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
    await close();
  };
}

async function embedded(): Promise<{ target: DatabaseTarget; close: () => Promise<void> }> {
  const dataDir = await makeQuickFolder('offerbook-test');
  // As root the server runs as another user, which must reach its cluster.
  await chmod(dataDir, 0o755);
  const server = await openEmbedded({ dataDir, stateDir: join(dataDir, 'state'), log: silent });
  const { socketDir, port, user, database } = server;
  await forgetDurability({ socketDir, port, user, database });
  return {
    target: { socketDir, port, user, database },
    close: async () => {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** These databases need not survive a crash of the machine; tests of crashes start their own servers. */
async function forgetDurability(target: DatabaseTarget): Promise<void> {
  const sql = connect(target, { max: 1 });
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await sql.unsafe(`alter system set ${setting} = off`);
  }
  await sql`select pg_reload_conf()`;
  await sql.end();
}

/** The same server with another database. */
export function withDatabase(target: DatabaseTarget, database: string): DatabaseTarget {
  if (!('url' in target)) return { ...target, database };
  const url = new URL(target.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}
