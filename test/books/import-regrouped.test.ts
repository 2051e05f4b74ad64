import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ImportOptions, importFile } from '../../src/books/import/import-books.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { fullOfferFiles, hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { createTestDatabase } from '../support/test-database.ts';

type Row = Record<string, unknown>;

async function writeBeside(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-regrouped-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, name), gzipSync(text));
  return join(folder, name);
}
const textOf = async (file: string): Promise<string> => gunzipSync(await readFile(file)).toString('utf8');

/** Imports a file into a market of its own, and returns what was stored. */
async function stored(sql: Sql, marketName: string, file: string, options: Partial<ImportOptions> = {}) {
  const { id: marketId } = await ensureMarket(sql, marketName, 'recorded');
  const books = [];
  for await (const { outcome, certificate } of importFile(sql, file, {
    ...{ marketId, allocatedStorageGb: 8, statistics: pointStatistics, coverage: 'complete' },
    ...{ now: () => new Date(), newId: () => crypto.randomUUID(), ...options },
  })) {
    books.push({ kind: outcome.kind, offers: outcome.offers, rejected: certificate.rejected });
  }
  return books;
}

describe.skipIf(!hasRecordedData)('recorded books', () => {
  it('as CSV are the books of their JSON lines', async () => {
    const { sql } = await createTestDatabase();
    const file = marketBookFiles[0] ?? '';
    const rows = (await textOf(file))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
    const header = Object.keys(rows[0] ?? {});
    const cell = (value: unknown) => (value == null ? '' : `"${String(value).replaceAll('"', '""')}"`);
    const lines = rows.map((row) => header.map((name) => cell(row[name])).join(','));
    const csv = await writeBeside('turned.csv.gz', [header.join(','), ...lines].join('\r\n'));
    const first = await stored(sql, 'turned', file);
    expect(first.map(({ kind }) => kind)).toEqual(['landed', 'landed']);
    const again = await stored(sql, 'turned', csv);
    expect(again).toEqual(first.map((book) => ({ ...book, kind: 'unchanged' })));
  });

  it('grouped by model are the books of their flat lists', async () => {
    const { sql } = await createTestDatabase();
    for (const file of fullOfferFiles) {
      const { offers, ...answer } = JSON.parse(await textOf(file)) as { offers: Row[] };
      const byModel = Object.groupBy(offers, ({ gpu_name: name }) => String(name));
      for (const models of [byModel, Object.values(byModel)]) {
        const text = JSON.stringify({ ...answer, offers_by_model: models });
        const flat = await stored(sql, 'grouped', file, { coverage: 'partial' });
        const grouped = await stored(sql, 'grouped', await writeBeside(basename(file), text), {
          coverage: 'partial',
        });
        expect(flat[0]?.offers).toBeGreaterThan(100);
        expect(grouped).toEqual(flat.map((book) => ({ ...book, kind: 'unchanged' })));
      }
    }
  });
});
