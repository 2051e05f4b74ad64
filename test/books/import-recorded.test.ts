import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom, shuffle } from '../../prove/seeded-random.ts';
import { compareContents, readStoredContents, type StoredContents } from '../../prove/stored-contents.ts';
import { findHalfBooks } from '../../prove/whole-books.ts';
import type { ImportedBook } from '../../src/books/import/import-books.ts';
import type { Sql } from '../../src/database/connection.ts';
import { rebuild } from '../../src/prices/statistics/rebuild.sql.ts';
import { compareWithExpected, readComputed } from '../support/expected-rows.ts';
import { hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { importRecorded } from '../support/recorded-import.ts';
import { createTestDatabase } from '../support/test-database.ts';

const whole = { rows: 1814, points: 1814, problems: [] };

describe.skipIf(!hasRecordedData)('the 12 recorded market books', () => {
  let sql: Sql;
  let atRandom: Sql;
  let scopeId: number;
  let books: ImportedBook[];
  let contents: StoredContents;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
    ({ sql: atRandom } = await createTestDatabase());
    ({ scopeId, books } = await importRecorded(sql, marketBookFiles));
    contents = await readStoredContents(sql);
  });

  it('are stored whole: 24 complete books of 16,253 offers, none rejected', async () => {
    expect(books).toHaveLength(24);
    expect(books.reduce((sum, { outcome }) => sum + outcome.offers, 0)).toBe(16_253);
    expect(books.filter(({ outcome }) => outcome.coverage.verdict !== 'complete')).toEqual([]);
    expect(books.flatMap(({ certificate }) => Object.keys(certificate.rejected))).toEqual([]);
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('give all 1,814 expected rows from stored statistics', async () => {
    expect(await compareWithExpected(sql, scopeId)).toEqual(whole);
  });

  it('give all 1,814 expected rows from price intervals and presence', async () => {
    expect(await compareWithExpected(sql, scopeId, readComputed)).toEqual(whole);
  });

  it('give the same contents in any order and with repeats', async () => {
    const order = shuffle([...marketBookFiles, ...marketBookFiles.slice(0, 5)], createRandom(20260720));
    const again = await importRecorded(atRandom, order);
    expect(again.books.filter(({ outcome }) => outcome.kind === 'unchanged')).toHaveLength(10);
    expect(compareContents(contents, await readStoredContents(atRandom))).toEqual([]);
    expect(await compareWithExpected(atRandom, again.scopeId)).toEqual(whole);
  });

  it('use no more ids of the small dictionaries than there are names', async () => {
    const [row] = await sql<{ models: number; lastModel: number; countries: number; lastCountry: number }[]>`
      select (select count(*) from gpu_model) as models, (select last_value from gpu_model_id_seq) as "lastModel",
        (select count(*) from country) as countries, (select last_value from country_id_seq) as "lastCountry"`;
    expect(row?.models).toBeGreaterThan(50);
    expect(row).toMatchObject({ lastModel: row?.models, lastCountry: row?.countries });
  });

  it('give the same figures after everything except books, listings, attributes, presence and price intervals was emptied', async () => {
    await keepOnlySources(sql);
    expect((await compareWithExpected(sql, scopeId)).points).toBe(0);
    expect(await rebuild(sql)).toBe(24);
    expect(await compareWithExpected(sql, scopeId)).toEqual(whole);
    const { latest_offer: _, ...figures } = contents;
    expect(compareContents(figures, await readStoredContents(sql))).toEqual([]);
  });
});

/** Empties all tables but books, slices, listings, attributes, presence, runs and what these refer to. */
async function keepOnlySources(sql: Sql): Promise<void> {
  const kept = ['book', 'book_slice', 'listing', 'listing_attribute', 'presence', 'price_interval'];
  const referred = ['market', 'scope', 'gpu_model', 'country', 'verification_tier', 'schema_migration'];
  // Nothing can be taken out of it, and nothing is in it here.
  const refusing = 'audit_log';
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'
      and tablename <> all(${[...kept, ...referred, refusing]})`;
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['book_point', 'latest_offer', 'crawl']),
  );
  await sql.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')}`);
}
