import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/database/connection.ts';
import { examineDatabase } from '../../../src/service/commands/database-finding.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { openDatabase } from '../../../src/service/open-database.ts';
import { createTestContext, runInProcess } from '../../support/run-in-process.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const contextOf = (env: Record<string, string>) =>
  createTestContext(loadConfig(env), { code: 0, stdout: '', notes: [] });

it('the doctor begins with a database that cannot be used, checks the market all the same, and fails', async () => {
  const { target } = await createTestDatabase();
  const url = databaseUrl(target).replace(/\/[^/?]+(?=\?|$)/, '/no_such_database');
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = loadConfig({ DATABASE_URL: url, DATA_DIR: folder });
  const { code, stdout, notes } = await runInProcess(['doctor', '--burst', '0'], config);
  expect(stdout).toMatch(/^FAILED +database: The database at .* cannot be used: .*no_such_database/);
  expect(stdout).toMatch(/^ok +offers: /m);
  expect(stdout).not.toMatch(/catalogs|MARKET_ACT_API_KEY/);
  expect([code, notes]).toEqual([1, []]);
});

it('a database that can be used has its version and size, and what its role lacks makes the doctor fail', async () => {
  const { sql, target } = await createTestDatabase();
  const context = contextOf({ DATABASE_URL: databaseUrl(target) });
  const [{ version, bytes } = { version: '', bytes: 0 }] = await sql<{ version: string; bytes: number }[]>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::float8 as bytes`;
  const good = await examineDatabase(context);
  expect([good.status, good.message]).toEqual(['ok', expect.stringContaining(`PostgreSQL ${version}, `)]);
  expect(good.measured).toMatchObject({ version, mayCreate: true, foreignTables: 0, pending: 0 });
  expect(Number(good.measured.bytes)).toBeGreaterThan(bytes / 2);

  const role = `reader_${process.pid}`;
  await sql.unsafe(`create role ${role}; grant ${role} to current_user`);
  const asReader = connect(target, { max: 1 });
  onTestFinished(async () => {
    await asReader.end();
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  });
  await asReader.unsafe(`set role ${role}`);
  const finding = () => examineDatabase({ ...context, withDatabase: async (work) => await work(asReader) });
  expect(await finding()).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(
      /may not create tables in the schema public; .*: ALTER DATABASE \S+ OWNER TO reader_\d+$/,
    ),
  });
  const [{ database } = { database: '' }] = await sql<
    { database: string }[]
  >`select current_database() as database`;
  const ofConnections = `alter role current_user in database "${database}"`;
  await sql.unsafe(`${ofConnections} set role = '${role}'`);
  const config = loadConfig({ DATABASE_URL: databaseUrl(target) });
  const warned: unknown[] = [];
  const log = { ...silentLog, warn: (_: unknown, says: unknown) => void warned.push(says) };
  await expect(openDatabase(config, log, (db) => db`create table mine ()`)).rejects.toThrow(
    new RegExp(`cannot be used: permission denied .* owner: ALTER DATABASE \\S+ OWNER TO ${role}, as `),
  );
  // The sentence says all: no line of the log before it.
  expect(warned).not.toContain('statement failed');
  await sql.unsafe(`${ofConnections} reset role`);
  await sql.unsafe(`grant create on schema public to ${role}`);
  expect(await finding()).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/\d+ tables in the schema public belong to another role; .*REASSIGN/),
  });
});

it('a folder without a database is no fault, and none is created', async () => {
  const dataDir = '/dev/null/nowhere';
  expect(await examineDatabase(contextOf({ DATA_DIR: dataDir }))).toMatchObject({
    status: 'off',
    message: expect.stringContaining(dataDir),
  });
});
