import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../prove/seeded-random.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { connect, type Sql } from '../../src/database/connection.ts';
import { type Config, loadConfig } from '../../src/service/config.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { runOfferbook, startOfferbook } from '../support/offerbook-command.ts';
import { makeOwnCluster } from '../support/own-cluster.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { until } from './embedded/sandbox.ts';

let folder: string;
/** A whole backup, gzipped, and its text. */
let whole: Buffer;
let text: string;
/** A database on which nothing was ever run. */
let empty: Sql;
let env: Record<string, string>;
let config: Config;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-damaged-'));
  const { sql, target } = await createTestDatabase();
  const { id } = await ensureMarket(sql, 'recorded', 'recorded');
  for (const hour of [0, 1]) {
    const offers = Array.from({ length: 20 }, (_, index) => makeOffer(index + hour + 1));
    await landOffers(sql, id, `2026-07-30T0${hour}:00:00Z`, offers);
  }
  const file = join(folder, 'whole.gz');
  const made = await runInProcess(['backup', file], configOf(databaseUrl(target)));
  expect([made.code, made.notes]).toEqual([0, []]);
  whole = await readFile(file);
  text = gunzipSync(whole).toString();
  const other = await createTestDatabase();
  await other.sql.unsafe(
    'drop schema if exists offerbook_jobs cascade; drop schema public cascade; create schema public',
  );
  await other.sql.end();
  empty = connect(other.target);
  env = { DATABASE_URL: databaseUrl(other.target), DATA_DIR: join(folder, 'data') };
  config = configOf(env.DATABASE_URL ?? '');
});

afterAll(async () => {
  await empty.end();
  await rm(folder, { recursive: true, force: true });
});

const configOf = (url: string): Config => loadConfig({ DATABASE_URL: url, DATA_DIR: join(folder, 'data') });

const tables = (): Promise<{ name: string }[]> =>
  empty<{ name: string }[]>`select relname as name from pg_class where relnamespace = 'public'::regnamespace`;

/** What a restore of these bytes says, having failed and changed nothing. */
async function refusalOf(content: Buffer): Promise<string> {
  const file = join(folder, 'damaged.gz');
  await writeFile(file, content);
  const { code, notes, stdout } = await runInProcess(['restore', file], config);
  expect([code, stdout]).toEqual([1, '']);
  expect(await tables()).toEqual([]);
  return notes.join('\n');
}

/** As before backups had a hash at their end. */
const asOld = (of: string): string => of.replace(/,"sha256":"[0-9a-f]+"/, '');
const flipBit = (bytes: Buffer, at: number, bit: number): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
  return flipped;
};

describe('a damaged backup is refused with a reason, and the database is unchanged:', () => {
  it('a garbage line among the rows of a table', async () => {
    const garbled = text.replace(/(COPY "listing" .*;\n)/, '$1garbage\n');
    expect(await refusalOf(gzipSync(garbled))).toMatch(/is damaged: its contents do not match its checksum/);
    expect(await refusalOf(gzipSync(asOld(garbled)))).toMatch(
      /is damaged: it holds \d+ rows of \d+ tables, not/,
    );
  });

  it('a garbage line in place of a row of an older backup, which only the database can notice', async () => {
    const garbled = asOld(text).replace(/(COPY "listing" .*;\n).*\n/, '$1garbage\n');
    expect(await refusalOf(gzipSync(garbled))).toMatch(
      /is damaged: the database refuses its rows \(22P\d\d: .*COPY listing, line 1/,
    );
    const last = asOld(text)
      .replace(/(COPY "market" .*;\n)/, '$1999\n')
      .replace(/"rows":(\d+)/, (_, rows) => `"rows":${Number(rows) + 1}`);
    expect(await refusalOf(gzipSync(last))).toMatch(/is damaged: the database refuses its rows \(22P04/);
  });

  it('a missing table, an unknown one, a line between tables, more text after the end', async () => {
    const market = /COPY "market" [^\0]*?\n\\\.\n/;
    const block = market.exec(text)?.[0] ?? '';
    for (const changed of [
      text.replace(market, ''),
      text.replace('COPY "market"', 'COPY "markets"'),
      text.replace(market, `${block}${block}`),
      text.replace('COPY "market"', 'COPX "market"'),
      `${text}more\n`,
      `${text}${text}`,
    ]) {
      for (const each of [changed, asOld(changed)]) {
        expect(await refusalOf(gzipSync(each))).toMatch(/is damaged: .*Copy it again, or restore another/);
      }
    }
  });

  it('cut off anywhere', async () => {
    const random = createRandom(20260730);
    for (let time = 0; time < 25; time += 1) {
      const cut = whole.subarray(0, 1 + Math.floor(random() * (whole.length - 1)));
      expect(await refusalOf(cut), `${cut.length} bytes`).toMatch(/is cut off/);
      const part = text.slice(0, 100 + Math.floor(random() * (text.length - 101)));
      expect(await refusalOf(gzipSync(part)), `${part.length} characters`).toMatch(
        /is cut off|is damaged|is not an Offerbook backup/,
      );
    }
  });

  it('empty, of another kind, or other data zipped', async () => {
    expect(await refusalOf(Buffer.alloc(0))).toMatch(/is empty/);
    expect(await refusalOf(gzipSync(''))).toMatch(/is empty/);
    for (const content of ['hello\n', '{"kind":"other"}\n', '\0'.repeat(100_000), 'x'.repeat(10_000_000)]) {
      expect(await refusalOf(Buffer.from(content))).toMatch(/is not an Offerbook backup/);
      expect(await refusalOf(gzipSync(content))).toMatch(/is not an Offerbook backup/);
    }
    await mkdir(join(folder, 'a-folder'));
    const { code, notes } = await runInProcess(['restore', join(folder, 'a-folder')], config);
    expect([code, notes.join()]).toEqual([1, expect.stringMatching(/is a folder: name the file that/)]);
  });

  it('broken right after the head of the zip', async () => {
    const broken = Buffer.concat([whole.subarray(0, 10), Buffer.alloc(200, 0xff)]);
    expect(await refusalOf(broken)).toMatch(/is damaged: its compressed contents are broken/);
    expect(await refusalOf(broken.subarray(1))).toMatch(/is not an Offerbook backup/);
  });

  it('one bit flipped at any of 50 places of the file, or of its text before it was zipped', async () => {
    const random = createRandom(20260731);
    // A bit may also turn the format's number into another one.
    const refused = /is damaged|is cut off|is not an Offerbook backup|another version of Offerbook/;
    const unharmed: number[] = [];
    for (let time = 0; time < 50; time += 1) {
      const at = Math.floor(random() * whole.length);
      const flipped = flipBit(whole, at, Math.floor(random() * 8));
      // Time, system and hints of the zip's head say nothing of the contents.
      if (at >= 4 && at < 10) unharmed.push(at);
      else expect(await refusalOf(flipped), `byte ${at}`).toMatch(refused);
      const place = Math.floor(random() * (text.length - 1));
      const changed = flipBit(Buffer.from(text), place, Math.floor(random() * 7));
      expect(await refusalOf(gzipSync(changed)), `character ${place}`).toMatch(refused);
    }
    expect(unharmed.length).toBeLessThan(5);
  });

  it('and afterwards an intact one can be restored there, even one without a hash', async () => {
    const file = join(folder, 'old.gz');
    await writeFile(file, gzipSync(asOld(text)));
    const home = await makeOwnCluster();
    try {
      const old = await runOfferbook(['restore', file], { DATA_DIR: home.dataDir });
      expect([old.code, old.stderr]).toEqual([0, []]);
    } finally {
      await home.remove();
    }
  });
});

describe('as a process of its own,', () => {
  it('a restore of a damaged backup creates no database', async () => {
    const home = await makeOwnCluster();
    try {
      const file = join(folder, 'flipped.gz');
      await writeFile(file, flipBit(whole, whole.length >> 1, 3));
      const { code, stderr } = await runOfferbook(['restore', file], { DATA_DIR: home.dataDir });
      // Which check finds it first depends on the position of the bit.
      expect([code, stderr]).toEqual([1, [expect.stringContaining(`${file} is damaged: `)]]);
      expect(stderr[0]).toContain('Nothing was restored');
      expect(await home.servers()).toEqual([]);
    } finally {
      await home.remove();
    }
  });

  it('a restore of rows that the database refuses leaves no server', async () => {
    const home = await makeOwnCluster();
    try {
      const file = join(folder, 'garbled.gz');
      await writeFile(file, gzipSync(asOld(text).replace(/(COPY "listing" .*;\n).*\n/, '$1garbage\n')));
      const { code, stderr } = await runOfferbook(['restore', file], { DATA_DIR: home.dataDir });
      expect([code, stderr]).toEqual([1, [expect.stringContaining('the database refuses its rows')]]);
      expect(await home.servers()).toEqual([]);
    } finally {
      await home.remove();
    }
  });

  it('a restore that waits for others ends at SIGTERM, with nothing restored', async () => {
    const file = join(folder, 'waits.gz');
    await copyFile(join(folder, 'whole.gz'), file);
    const other = await empty.reserve();
    try {
      await other`begin`;
      await other`create table schema_migration (name text primary key)`;
      const { child, ended } = startOfferbook(['restore', file], env);
      await until(async () => {
        const waiting = await empty`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      child.kill('SIGTERM');
      const { code, stderr } = await ended;
      expect([code, stderr]).toEqual([1, ['Stopped.']]);
    } finally {
      await other`rollback`;
      other.release();
    }
    expect(await tables()).toEqual([]);
    const restored = await runOfferbook(['restore', file], env);
    expect([restored.code, restored.stderr]).toEqual([0, []]);
  });
});
