import { describe, expect, it } from 'vitest';
import { programVersion } from '../../src/core/program-file.ts';
import { inTransaction } from '../../src/database/connection.ts';
import { examineSchema } from '../../src/database/examine-schema.sql.ts';
import { migrate, migrateIn } from '../../src/database/migrate.ts';
import { readMigrations } from '../../src/database/migration-files.ts';
import { weighMigration } from '../../src/database/weigh-migration.ts';
import { describeUpgrade } from '../../src/service/commands/upgrade.command.ts';
import { loadConfig } from '../../src/service/config.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

const known = readMigrations().map(({ name }) => name);
const { sql, target } = await createTestDatabase();
const check = (...options: string[]) =>
  runInProcess(
    ['upgrade', ...options],
    loadConfig({ DATABASE_URL: databaseUrl(target), DATA_DIR: '/nowhere' }),
  );

/** Empties the database and applies the first migrations, like a program that knew no more. */
async function migrateUpTo(count: number): Promise<void> {
  await sql`drop schema public cascade`;
  await sql`create schema public`;
  const db = await sql.reserve('lock');
  await inTransaction(db, async (tx) => await migrateIn(tx, known.slice(0, count), async () => {}));
  db.release();
}

describe('an upgrade', () => {
  it('is described with the migrations that are missing and the tables they go through, and changes nothing', async () => {
    await migrateUpTo(13);
    // As an earlier program left it, which did not note its version.
    await sql`alter table schema_migration drop column version`;
    const state = await examineSchema(sql);
    expect(state).toMatchObject({
      programSchema: known.at(-1),
      databaseSchema: known[12],
      databaseVersion: null,
      newer: null,
    });
    expect(state.pending.map(({ name }) => name)).toEqual(known.slice(13));
    const [pages] = state.pending;
    expect(pages?.name).toMatch(/record_pages$/);
    expect(pages?.tables.map(({ name }) => name)).toContain('latest_offer');
    expect(pages?.mayTakeLong).toBe(false);
    const { stdout, code } = await check('--check');
    expect(code).toBe(0);
    expect(stdout).toContain(`${known[12]}`);
    expect(stdout).toMatch(/record_pages +.*latest_offer \(\d+\.\d MB\)/);
    expect(await examineSchema(sql)).toEqual(state);
  });

  it('may take long where a migration goes through a large table', async () => {
    const names = ['record_pages', 'token_limits'];
    const [pages, limits] = names.map((name) =>
      readMigrations().find((migration) => migration.name.endsWith(name)),
    );
    const sizes = new Map([
      ['latest_offer', 900_000_000],
      ['credential', 900_000_000],
      ['market', 1_000],
    ]);
    if (pages === undefined || limits === undefined) throw new Error(`no migrations ${names.join()}`);
    const pending = [pages, limits].map((migration) => weighMigration(migration, sizes));
    // A column more describes the table of tokens anew and reads none of its rows.
    expect(pending).toEqual([
      { name: pages.name, tables: [{ name: 'latest_offer', bytes: 900_000_000 }], mayTakeLong: true },
      { name: limits.name, tables: [], mayTakeLong: false },
    ]);
    await migrateUpTo(13);
    const text = describeUpgrade('1.0.0', { ...(await examineSchema(sql)), pending }, '/data');
    expect(text).toMatch(
      /record_pages +latest_offer \(900\.0 MB\) +may take minutes\n.*token_limits +none +seconds/,
    );
    expect(text).toContain('plan a pause');
  });

  it('from an early schema ends at the newest, each migration with the version that applied it', async () => {
    await migrateUpTo(13);
    await sql`alter table schema_migration drop column version`;
    const { code, stdout } = await check();
    expect(code).toBe(0);
    expect(stdout).toContain(`Applied ${known.length - 13} migrations`);
    const rows = await sql<{ version: string | null }[]>`select version from schema_migration order by name`;
    expect(rows.map((row) => row.version)).toEqual(
      known.map((_, place) => (place < 13 ? null : programVersion())),
    );
    expect((await examineSchema(sql)).pending).toEqual([]);
  });

  it('to an older program is refused with the version that the database needs', async () => {
    await migrateUpTo(known.length);
    await sql`insert into schema_migration (name, hash, version)
      values ('9998_later', 'x', '1.2.0'), ('9999_latest', 'x', '1.3.0')`;
    const words = `The database was migrated by Offerbook 1.3.0 (9998_later), and this is ${programVersion()}: install 1.3.0 or newer.`;
    await expect(migrate(sql)).rejects.toThrow(words);
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toContain('newer than this program (9998_later): it needs Offerbook 1.3.0 or newer.');
  });

  it('is left to `upgrade` and a start: another command refuses an older database, and fills a new one', async () => {
    const models = () =>
      runInProcess(['models'], loadConfig({ DATABASE_URL: databaseUrl(target), DATA_DIR: '/nowhere' }));
    await migrateUpTo(known.length - 2);
    const before = await examineSchema(sql);
    const { code, notes } = await models();
    expect([code, notes]).toEqual([
      1,
      [
        `The database is that of Offerbook ${programVersion()} and lacks 2 migrations of this one, ${programVersion()}: ` +
          'stop the old service, then run `offerbook upgrade`, or start this version.',
      ],
    ]);
    expect(await examineSchema(sql)).toEqual(before);
    await migrateUpTo(0);
    expect((await models()).code).toBe(0);
    expect((await examineSchema(sql)).pending).toEqual([]);
  });

  it.each([[['--check']], [[]]])('of what does not exist yet creates nothing: %j', async (options) => {
    const config = loadConfig({ DATA_DIR: '/dev/null/nowhere' });
    const { code, stdout } = await runInProcess(['upgrade', ...options], config);
    expect(code).toBe(0);
    expect(stdout).toContain('There is no database yet in /dev/null/nowhere: ');
  });
});
