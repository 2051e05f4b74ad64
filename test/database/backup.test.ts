import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { connect, type Sql } from '../../src/database/connection.ts';
import { loadConfig } from '../../src/service/config.ts';
import { saveChannel } from '../../src/watches/channels/channels.sql.ts';
import { createSecretBox } from '../../src/watches/channels/secret-box.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { type InProcessEnd, runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

let folder: string;
let file: string;
let source: { sql: Sql; env: Record<string, string> };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-backup-'));
  file = join(folder, 'all.gz');
  const { sql, target } = await createTestDatabase();
  source = { sql, env: { DATABASE_URL: databaseUrl(target), DATA_DIR: join(folder, 'data') } };
  const { id } = await ensureMarket(sql, 'simulator', 'simulated');
  // Texts that would end a row, a block or a file early if they were not escaped.
  const names = [
    'RTX 4090',
    'tab\there',
    'line\nfeed',
    '\\.',
    '\\.\n',
    'COPY "x" FROM stdin;',
    'back\\slash',
  ];
  const offers = names.map((gpuName, index) => makeOffer(index + 1, { gpuName }));
  await landOffers(sql, id, '2026-07-30T00:00:00Z', offers);
  await landOffers(sql, id, '2026-07-30T01:00:00Z', offers.slice(1));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const backup = (to: string): Promise<InProcessEnd> =>
  runInProcess(['backup', to, '--json', '--force'], loadConfig(source.env));

/** A database on which nothing was ever run. */
async function createEmptyDatabase() {
  const { sql, target } = await createTestDatabase();
  await sql.unsafe(
    'drop schema if exists offerbook_jobs cascade; drop schema public cascade; create schema public',
  );
  await sql.end();
  return {
    sql: connect(target),
    config: loadConfig({ DATABASE_URL: databaseUrl(target), DATA_DIR: join(folder, 'data') }),
  };
}

async function contentsOf(sql: Sql): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_migration' order by 1`;
  const contents: Record<string, unknown> = {};
  for (const { name } of tables) {
    contents[name] = await sql.unsafe(`select t::text as row from "${name}" t order by 1`);
  }
  return contents;
}

const seal = (key: string, owner: string) => createSecretBox(key).seal('hook-secret', owner);

describe('a backup', () => {
  it('lists exactly the channels whose secrets another key sealed', async () => {
    const key = 'the-key-of-both-installations';
    for (const [name, sealedWith] of [
      ['ours', key],
      ['theirs', 'the-key-of-another-installation'],
    ] as const) {
      const id = randomUUID();
      const secret = seal(sealedWith, id);
      await saveChannel(source.sql, {
        ...{ id, name, kind: 'webhook', config: { url: 'https://hook.example/' }, secret },
        createdAt: new Date(),
      });
    }
    const path = join(folder, 'channels.gz');
    await backup(path);
    const target = await createEmptyDatabase();
    try {
      const config = { ...target.config, secretsKey: key };
      const { code, stdout, notes } = await runInProcess(['restore', path, '--json'], config);
      expect(code).toBe(0);
      expect(JSON.parse(stdout).secretsToEnter).toEqual([{ kind: 'webhook', name: 'theirs' }]);
      expect(notes.join()).toMatch(
        /These channels' secrets were sealed with another SECRETS_KEY; enter them again: theirs \(webhook\)/,
      );
    } finally {
      await target.sql.end();
      await source.sql`delete from channel`;
    }
  });

  it('restores every row of every table into a new database, and ids continue after them', async () => {
    const made = await backup(file);
    expect([made.code, made.notes]).toEqual([0, []]);
    const { tables, rows } = JSON.parse(made.stdout) as { tables: number; rows: number };
    expect(tables).toBeGreaterThan(15);
    const target = await createEmptyDatabase();
    try {
      // A look changes nothing; what stands in an empty database after a migration and a look is no data either.
      const look = await runInProcess(['status'], target.config);
      expect([look.code, look.notes.join()]).toEqual([
        1,
        expect.stringMatching(
          /^There is no Offerbook data in the database at .*: set DATABASE_URL to that of/,
        ),
      ]);
      expect(await contentsOf(target.sql)).toEqual({});
      expect((await runInProcess(['migrate'], target.config)).code).toBe(0);
      expect((await runInProcess(['status'], target.config)).code).toBe(0);
      const restored = await runInProcess(['restore', file, '--json'], target.config);
      expect([restored.code, restored.notes]).toEqual([0, []]);
      expect(JSON.parse(restored.stdout)).toMatchObject({ tables, rows, migrated: [] });
      const contents = await contentsOf(target.sql);
      expect(contents).toEqual(await contentsOf(source.sql));
      expect(contents.presence).toHaveLength(7);
      const { id } = await ensureMarket(target.sql, 'another', 'recorded');
      const [newest] = await source.sql<{ id: number }[]>`select max(id)::int as id from market`;
      expect(id).toBe((newest?.id ?? 0) + 1);

      const again = await runInProcess(['restore', file], target.config);
      expect([again.code, again.stdout]).toEqual([1, '']);
      expect(again.notes.join()).toContain('is not empty');
    } finally {
      await target.sql.end();
    }
  });

  it('is refused, with nothing stored, if it is cut off, another kind of file or from another build', async () => {
    await backup(file);
    const whole = await readFile(file);
    const text = gunzipSync(whole).toString();
    const bad: [content: Buffer, says: RegExp][] = [
      [whole.subarray(0, whole.length - 20), /is cut off/],
      [gzipSync(text.slice(0, text.lastIndexOf('\\.\n'))), /is cut off/],
      [gzipSync(text.slice(0, text.lastIndexOf('{"end"'))), /is cut off/],
      [Buffer.from('hello'), /is not an Offerbook backup/],
      [gzipSync('hello\n'), /is not an Offerbook backup/],
      [
        gzipSync(text.replace(/"hash":"../, '"hash":"zz').replace(/,"sha256":"\w+"/, '')),
        /another version of Offerbook/,
      ],
    ];
    const target = await createEmptyDatabase();
    try {
      for (const [content, says] of bad) {
        const path = join(folder, 'bad.gz');
        await writeFile(path, content);
        const { code, notes } = await runInProcess(['restore', path], target.config);
        expect(notes.join()).toMatch(says);
        expect(code).toBe(1);
      }
      const missing = await runInProcess(['restore', join(folder, 'nowhere.gz')], target.config);
      expect(missing.notes.join()).toContain('cannot be read (ENOENT)');
      const restored = await runInProcess(['restore', file], target.config);
      expect([restored.code, restored.notes]).toEqual([0, []]);
      expect(restored.stdout).toMatch(/data\/token is not there: copy .*`npx offerbook token rotate`/);
    } finally {
      await target.sql.end();
    }
  });

  it('is created and restored on the server itself, not through the API', async () => {
    const config = loadConfig({
      ...source.env,
      OFFERBOOK_URL: 'http://127.0.0.1:1',
      OFFERBOOK_TOKEN: 'a-token-of-it',
    });
    for (const args of [
      ['backup', join(folder, 'never.gz')],
      ['restore', file],
      ['token', 'login'],
    ]) {
      const { code, stdout, notes } = await runInProcess(args, config);
      expect([code, stdout], args.join(' ')).toEqual([2, '']);
      expect(notes.join()).toMatch(/OFFERBOOK_URL points to http:\/\/127.0.0.1:1. Run it on that server/);
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('never'))).toEqual([]);
  });

  it('can be written for tables of any size', async () => {
    const { id } = await ensureMarket(source.sql, 'simulator', 'simulated');
    // While a megabyte waits to be compressed, the last packet of a table can bring more than the stream of its rows holds.
    for (let more = 0; more < 25; more += 1) {
      await source.sql`insert into blocklist_entry (id, market_id, kind, machine_id, note, added_at)
        select gen_random_uuid(), ${id}, 'block', 1000 * ${more} + g, text, now() from generate_series(1, 300) g,
          lateral (select string_agg(md5(concat(g, n)), '') as text from generate_series(1, 30) n) texts`;
      expect(await backup(file), `${300 * (more + 1)} rows`).toMatchObject({ code: 0, notes: [] });
    }
    await source.sql`delete from blocklist_entry`;
  });

  it('leaves no partial file if it cannot be written', async () => {
    const nowhere = join(folder, 'no', 'folder.gz');
    const { code, notes } = await backup(nowhere);
    expect([code, notes]).toEqual([
      1,
      [
        `${nowhere} cannot be written (ENOENT): its folder does not exist. Make the folder first, or choose another place.`,
      ],
    ]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
