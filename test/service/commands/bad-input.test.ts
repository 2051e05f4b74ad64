import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../../src/database/connection.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { freePort } from '../../support/free-port.ts';
import { runOfferbook } from '../../support/offerbook-command.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const scrapedAt = '2026-07-20T05:19:05+00:00';
const row = {
  ...{
    id: 1,
    machine_id: 10,
    gpu_name: 'RTX 4090',
    num_gpus: 1,
    dph_base: 0.3,
    dph_total: 0.3,
    storage_cost: 0,
  },
  ...{ rental_type: 'on-demand', scraped_at: scrapedAt },
};
const lines = (...rows: object[]): string => rows.map((each) => JSON.stringify(each)).join('\n');
const manyRows = Array.from({ length: 100 }, (_, index) => ({
  ...row,
  id: index + 1,
  machine_id: index + 10,
}));

/** A file that must be refused as a whole: its bytes and what the one line says of it. */
const refused: Record<string, [bytes: string | Buffer, says: RegExp]> = {
  'text that is no book': ['hello, world', /is not a recorded book: line 1 is not a JSON object/],
  'an empty file': ['', /the file is empty/],
  'a JSON list': ['[1, 2]', /line 1 is not a JSON object/],
  'a search response without `offers`': [
    JSON.stringify({ success: true }),
    /lacks `scraped_at` or `rental_type`/,
  ],
  'a search response whose `offers` is text': [
    JSON.stringify({ offers: 'none', collected_utc: scrapedAt }),
    /`offers` contains/,
  ],
  'a search response without its moment': [JSON.stringify({ offers: [row] }), /--observed-at/],
  'a search response that is cut short': [
    JSON.stringify({ offers: [row], collected_utc: scrapedAt }).slice(0, -30),
    /broken or cut short/,
  ],
  'lines cut short': [lines(...manyRows).slice(0, -20), /line 100 is not a JSON object/],
  'a line without a moment': [lines(row, { ...row, scraped_at: undefined }), /line 2 lacks `scraped_at`/],
  'a moment without a zone': [
    lines({ ...row, scraped_at: '2026-07-20T05:19:05' }),
    /is not a valid time with its zone/,
  ],
  'a pricing type that there is not': [
    lines({ ...row, rental_type: 'leased' }),
    /"leased", not a pricing type/,
  ],
  'a corrupt gzip': [corrupted(gzipSync(lines(...manyRows))), /gzip data is corrupt or cut short/],
  'a gzip cut short': [gzipSync(lines(...manyRows)).subarray(0, 200), /gzip data is corrupt or cut short/],
  'bytes that are not UTF-8': [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), /not UTF-8/],
  'rows of which none can be read': [lines({ ...row, dph_base: 'free' }), /none of 1 rows could be read/],
};

describe('offerbook, given bad input', () => {
  let folder: string;
  let sql: Sql;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-bad-input-'));
    const database = await createTestDatabase();
    ({ sql } = database);
    env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data') };
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A command in this process: what it says, a line each. */
  const run = async (args: string[]) => {
    const { notes, ...end } = await runInProcess(args, loadConfig(env));
    return { ...end, stderr: notes.flatMap((note) => note.split('\n')).filter((line) => line !== '') };
  };

  const write = async (name: string, bytes: string | Buffer): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  };

  it('creates no market for a file that is not a book', async () => {
    const { code } = await runOfferbook(['import', await write('no-book.md', '# Not a book')], env);
    expect(code).toBe(1);
    expect(await sql`select name from market`).toEqual([]);
  });

  it('refuses each such file in one line that names it, and stores nothing of it', async () => {
    const files = await Promise.all(
      Object.values(refused).map(([bytes], index) => write(`refused-${index}.jsonl`, bytes)),
    );
    const missing = join(folder, 'missing.jsonl');
    const { code, stderr } = await run(['import', ...files, missing]);
    expect(code).toBe(1);
    expect(stderr).toHaveLength(files.length + 1);
    for (const [index, [name, [, says]]] of Object.entries(refused).entries()) {
      expect(stderr[index], name).toMatch(says);
    }
    expect(stderr.at(-1)).toBe(`${missing} cannot be read (ENOENT): check the path.`);
    expect(await countStored(sql)).toEqual({ books: 0, listings: 0, presence: 0 });
  });

  it('protects the simulated market: no import may use its name', async () => {
    const good = await write('for-the-simulator.jsonl', lines(...manyRows));
    const { code, stderr } = await run(['import', '--market', 'simulator', good]);
    expect(code).toBe(1);
    expect(stderr).toEqual([expect.stringMatching(/simulator is simulated .* --market/)]);
  });

  it('refuses a database of a newer version in one line and exits', async () => {
    await sql`insert into schema_migration (name, hash) values ('9999_newer', 'x')`;
    const { code, stderr } = await runOfferbook(['token', 'list'], env);
    await sql`delete from schema_migration where name = '9999_newer'`;
    expect(code).toBe(1);
    expect(stderr).toEqual([expect.stringMatching(/newer Offerbook \(9999_newer\)/)]);
  });

  it("lets no token use the administrator's name", async () => {
    const { code, stderr } = await run(['token', 'create', '--name', 'administrator']);
    expect(code).toBe(2);
    expect(stderr).toEqual([expect.stringMatching(/administrator is the name of OFFERBOOK_TOKEN/)]);
  });

  it('stores the good book next to a refused file, and says so in the complete output', async () => {
    const good = await write('good.jsonl', lines(...manyRows));
    const bad = await write('bad.jsonl', 'x');
    const { code, stdout, stderr } = await run(['import', '--json', bad, good]);
    expect(code).toBe(1);
    expect(stderr).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      books: [{ offers: 100, verdict: 'complete', stored: 'new', rejected: {} }],
      problems: [expect.stringContaining('bad.jsonl')],
    });
    expect(await countStored(sql)).toEqual({ books: 1, listings: 100, presence: 100 });
  });

  it('names a book of which no row can be read, and stores those before and after it in the same file', async () => {
    const at = (hour: number) => ({ scraped_at: `2026-07-22T0${hour}:00:00+00:00` });
    const rows = [
      ...manyRows.slice(0, 3).map((each) => ({ ...each, ...at(1) })),
      ...manyRows.slice(0, 3).map((each) => ({ ...each, ...at(2), dph_base: 'free' })),
      ...manyRows.slice(0, 3).map((each) => ({ ...each, ...at(3) })),
    ];
    const file = await write('one-of-three.jsonl', lines(...rows));
    const { code, stdout, stderr } = await run(['import', '--market', 'of three', file]);
    expect(code).toBe(1);
    expect(stderr).toEqual([
      'Nothing was stored of the on-demand book of 2026-07-22T02:00:00.000Z in one-of-three.jsonl: ' +
        'none of 3 rows could be read (dph_base: not a number).',
    ]);
    expect(stdout.split('\n').filter((line) => line.includes('2026-07-22T'))).toEqual([
      expect.stringMatching(/T01:00:00.000Z +on-demand +3 +0 +complete +new/),
      expect.stringMatching(/T02:00:00.000Z +on-demand +0 +3 +failed +no/),
      expect.stringMatching(/T03:00:00.000Z +on-demand +3 +0 +complete +new/),
    ]);
    expect(stdout).toContain('2 books with 6 offers in the market of three.');
  });

  it('rejects and counts rows of a wrong type or with a negative price, stores the others and exits with 3', async () => {
    const rows = manyRows.map((each) => ({ ...each, scraped_at: '2026-07-21T05:19:05+00:00' }));
    const mixed = [...rows.slice(2), { ...rows[0], num_gpus: '1' }, { ...rows[1], dph_base: -0.1 }];
    const { code, stdout, stderr } = await run(['import', await write('mixed.jsonl', lines(...mixed))]);
    expect(code).toBe(3);
    expect(stderr.sort()).toEqual([
      '1 row rejected: dph_base: negative',
      '1 row rejected: num_gpus: not a number',
    ]);
    expect(stdout).toMatch(/2026-07-21T05:19:05.000Z\s+on-demand\s+98\s+2\s+complete\s+new/);
  });

  it('refuses different content for a stored moment, and leaves it as it was', async () => {
    const other = await write('other.jsonl', lines(...manyRows.slice(0, 50)));
    const before = await countStored(sql);
    const { code, stderr } = await run(['import', other]);
    expect(code).toBe(1);
    expect(stderr).toEqual([
      'A book of 2026-07-20T05:19:05.000Z is already stored with other content (100 offers, here 50): it was kept. --replace stores the new one instead.',
    ]);
    expect(await countStored(sql)).toEqual(before);
  });

  it('names an unreachable database without its password', async () => {
    const free = await freePort();
    const DATABASE_URL = `postgres://offerbook:geheim@127.0.0.1:${free}/offerbook`;
    const { code, stderr } = await runOfferbook(['migrate'], { ...env, DATABASE_URL });
    expect(code).toBe(1);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toMatch(new RegExp(`127.0.0.1:${free}/offerbook cannot be used: .*ECONNREFUSED`));
    expect(stderr[0]).not.toContain('geheim');
  });

  it('says what to do if DATA_DIR cannot be written', async () => {
    // No user can create a folder below a file.
    const DATA_DIR = join(await write('a-file', ''), 'data');
    const { code, stderr } = await runOfferbook(['migrate'], { DATA_DIR });
    expect(code).toBe(1);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toMatch(/DATA_DIR .*a-file/);
  });

  it('names the missing one of MARKET_URL and MARKET_API_KEY', async () => {
    const { code, stderr } = await runOfferbook(['migrate'], { ...env, MARKET_URL: 'http://127.0.0.1:1' });
    expect(code).toBe(1);
    expect(stderr.join('\n')).toMatch(/MARKET_API_KEY: is missing; MARKET_URL needs it/);
    const other = await runOfferbook(['migrate'], { ...env, MARKET_API_KEY: 'sehr-geheim' });
    expect(other.code).toBe(1);
    expect(other.stderr.join('\n')).toMatch(/MARKET_URL: is missing; MARKET_API_KEY needs it/);
    expect(other.stderr.join('\n')).not.toContain('sehr-geheim');
  });

  it('exits with 2 for an unknown option, a missing file name and a wrong choice', async () => {
    for (const args of [['import', '--all'], ['import'], ['import', 'x', '--coverage', 'some'], ['fly']]) {
      expect((await run(args)).code, args.join(' ')).toBe(2);
    }
  });

  it('only imports a file recorded on a market that is simulated elsewhere under another name', async () => {
    await sql`insert into market (name, kind) values ('simulator', 'simulated')`;
    const file = await write('again.jsonl', lines(...manyRows));
    const { code, stderr } = await run(['import', '--market', 'simulator', file]);
    expect(code).toBe(1);
    expect(stderr).toEqual([
      'The market simulator is simulated and takes no imports: name another with --market.',
    ]);
    expect((await readFile(file)).length).toBeGreaterThan(0);
  });
});

function corrupted(zipped: Buffer): Buffer {
  const bytes = Buffer.from(zipped);
  bytes.fill(0x55, 40, 80);
  return bytes;
}

async function countStored(sql: Sql): Promise<object> {
  const [counts] =
    await sql`select (select count(*) from book) as books, (select count(*) from listing) as listings,
    (select count(*) from presence) as presence`;
  return { ...counts };
}
