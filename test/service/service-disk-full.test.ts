import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { startService } from '../../src/main.ts';
import { loadConfig } from '../../src/service/config.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

/** From now on the database refuses books as one does whose disk is full. */
async function fillDisk(sql: Sql): Promise<void> {
  await sql.unsafe(`create function find_no_space() returns trigger language plpgsql as $$ begin
    raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
  end $$`);
  await sql.unsafe('create trigger full_disk before insert on book execute function find_no_space()');
}

const freeDisk = async (sql: Sql): Promise<unknown> => await sql.unsafe('drop trigger full_disk on book');

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 100));
}

it('reports a full disk, and resumes its first history by itself when there is space', async () => {
  const { sql, target } = await createTestDatabase();
  await fillDisk(sql);
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-full-'));
  const env = { DATABASE_URL: databaseUrl(target), DATA_DIR: dataDir, PORT: '0' };
  const service = await startService(loadConfig(env), silentLog);
  onTestFinished(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const readiness = async () =>
    (await (await fetch(`${service.url}/readyz`)).json()) as { type?: string; detail?: string };
  const failures = async (): Promise<number> => {
    const rows = await sql`select from crawl where outcome = 'failed'`;
    return rows.length;
  };
  // Twice: it is tried again while there is no space.
  await until(async () => (await failures()) >= 4);
  const told = await readiness();
  expect(told.type).toMatch(/disk-full$/);
  expect(told.detail).toContain('The disk of the database is full');
  await freeDisk(sql);
  await until(async () => (await sql`select from book limit 1`).length > 0);
  await until(async () => !/disk-full$/.test((await readiness()).type ?? ''));
});
