import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LakeSummary } from '../../../src/exports/lake/write-lake.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { landOffers } from '../../prices/made-offers.ts';
import { askDuckDb } from '../../support/ask-duckdb.ts';
import { filesIn, seeLake } from '../../support/lake-files.ts';
import { landBills, makeCharge } from '../../support/made-bills.ts';
import { type InProcessEnd, runInProcess } from '../../support/run-in-process.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { databaseUrl } from '../../support/test-database.ts';
import { landDays, landMadeBills, offersAt } from './made-lake.ts';

interface Trends {
  series: { points: { t: string; median: number | null; offers: number }[] }[];
}
interface Spend {
  items: { key: string; category: string; basis: string; amountUsd: string }[];
}

describe('offerbook lake', () => {
  let test: TestApp;
  let folder: string;
  let out: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-lake-'));
    out = join(folder, 'lake');
    test = await createTestApp();
    await landDays(test.sql, test.market.id, 6);
    await landMadeBills(test.sql, test.market.id);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = async (...args: string[]): Promise<InProcessEnd> => {
    const env = { DATABASE_URL: databaseUrl(test.target), DATA_DIR: join(folder, 'data') };
    return await runInProcess(['lake', ...args], loadConfig(env));
  };
  const write = async (...args: string[]): Promise<LakeSummary> => {
    const { code, stdout, notes } = await run('--out', out, '--json', ...args);
    expect([code, notes]).toEqual([0, []]);
    return JSON.parse(stdout) as LakeSummary;
  };
  const read = (table: string): string =>
    `read_parquet('${out}/${table}/*/*/*.parquet', hive_partitioning = true)`;
  const days = 'from=2026-07-01&to=2026-07-11';

  /** Daily medians of the API by day, of buckets with a price. */
  const medians = async (query: string): Promise<[string, number][]> => {
    const { series } = await test.json<Trends>(`/api/trends?bucket=1d&${days}&${query}`);
    return (series[0]?.points ?? []).flatMap(({ t, median }) =>
      median === null ? [] : [[t.slice(0, 10), median] as [string, number]],
    );
  };
  const fromPrices = async (where: string): Promise<[string, number][]> => {
    const rows = await askDuckDb(`
      select day, quantile_cont(usd_per_gpu_hour, 0.5) as median from (
        select p.day, p.usd_per_gpu_hour, unnest(range(p.books)) from ${read('price_intervals')} p
        join ${read('daily_attributes')} a using (market, day, listing_id)
        where p.scope = 'default' and p.type = 'on-demand' and ${where})
      group by day having median is not null order by day`);
    return rows.map(({ day, median }) => [String(day), Number(Number(median).toPrecision(9))]);
  };

  it('lets DuckDB reproduce the daily medians of the API, from prices and from statistics', async () => {
    const summary = await write();
    expect(summary.written.rows).toBeGreaterThan(150);
    const expected = await medians('gpuName=RTX%204090');
    expect(expected).toHaveLength(6);
    expect(await fromPrices("p.gpu_name = 'RTX 4090'")).toEqual(expected);
    expect(await fromPrices('true')).toEqual(await medians(''));
    expect(await fromPrices("a.country = 'DE'")).toEqual(await medians('country=DE'));
    const stored = await askDuckDb(`select day, median from ${read('statistics')}
      where bucket = '1d' and level = 'model' and gpu_name = 'RTX 4090' order by day`);
    expect(stored.map(({ day, median }) => [day, median])).toEqual(expected);
    const books = await askDuckDb(
      `select verdict, count(*)::int as books from ${read('books')} group by all order by all`,
    );
    expect(books).toEqual([
      { verdict: 'complete', books: 21 },
      { verdict: 'partial', books: 3 },
    ]);
    const [exact] = await askDuckDb(`select min(observed_at)::varchar as at from ${read('books')}`);
    expect(exact?.at).toBe('2026-07-01 00:00:00.123+00');
    const [index] = await askDuckDb(`select count(*)::int as days from ${read('price_index')}`);
    expect(index?.days).toBeGreaterThan(4);
  });

  it('lets DuckDB reproduce the sums of spend, digit by digit', async () => {
    await write();
    const { asOf } = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as { asOf: string };
    test.clock.now = new Date();
    // An open charge is spread until the moment of the question.
    const query = `from=2026-07-01&to=${asOf.slice(0, 10)}&asOf=${asOf}`;
    const plain = (usd: unknown): string => String(usd).replace(/\.?0*$/, '');
    for (const [groupBy, key] of [
      ['day', "strftime(day, '%Y-%m-%d')"],
      ['month', "strftime(day, '%Y-%m')"],
      ['service', 'service'],
    ]) {
      const { items } = await test.json<Spend>(`/api/spend?${query}&groupBy=${groupBy}`);
      const rows = await askDuckDb(`select ${key} as key, category, sum(amount_usd)::varchar as usd
        from ${read('spend')} group by all order by key nulls last, category`);
      expect(rows.length).toBeGreaterThan(1);
      expect(
        rows.map((row) => [row.key, row.category, plain(row.usd)]),
        groupBy,
      ).toEqual(
        items
          .filter(({ basis }) => basis === 'charged')
          .map((item) => [item.key, item.category, item.amountUsd]),
      );
    }
    const [all] = await askDuckDb(`select sum(amount_usd)::varchar as usd, count(disappeared_at)::int as gone
      from ${read('bills')} where kind = 'consumption'`);
    expect([plain(all?.usd), all?.gone]).toEqual(['109.870000000000000000001', 1]);
  });

  it('writes only what has changed: a late book, a corrected bill, a deleted book', async () => {
    await write();
    const again = await write('--tables', 'books', 'price_intervals', 'statistics', 'bills');
    expect([again.written.files, again.removed, again.cleared]).toEqual([0, 0, 0]);
    await landOffers(test.sql, test.market.id, '2026-07-02T22:00:00Z', offersAt(40));
    const late = await write('--tables', 'books', 'price_intervals', 'statistics');
    expect([late.written.files, late.removed]).toEqual([3, 3]);
    await write();
    expect(await fromPrices("p.gpu_name = 'RTX 4090'")).toEqual(await medians('gpuName=RTX%204090'));
    expect(await fromPrices("a.country = 'DE'")).toEqual(await medians('country=DE'));

    const [book] = await test.sql<
      { id: number }[]
    >`select id from book where observed_at = '2026-07-02T22:00:00Z'`;
    const env = { DATABASE_URL: databaseUrl(test.target), DATA_DIR: join(folder, 'data') };
    const deleted = await runInProcess(['delete', 'book', String(book?.id), '--confirm'], loadConfig(env));
    expect(deleted.code).toBe(0);
    await write();
    expect(await fromPrices("p.gpu_name = 'RTX 4090'")).toEqual(await medians('gpuName=RTX%204090'));

    const corrected = makeCharge(2, {
      ...{ start: '2026-07-02T00:00:00Z', end: '2026-07-02T00:00:07Z', amountUsd: '0.2', label: 'tests' },
    });
    await landBills(test.sql, test.market.id, 'charge', '2026-07-09T00:00:00Z', [corrected]);
    expect((await write('--tables', 'bills')).written.files).toBe(1);
    const seen = seeLake(await filesIn(out));
    expect([seen.broken, seen.beside]).toEqual([[], []]);
  });

  it('keeps what the database no longer has of hours', async () => {
    await write();
    await test.sql`delete from hour_point`;
    await write();
    const [hours] = await askDuckDb(
      `select count(*)::int as hours from ${read('statistics')} where bucket = '1h'`,
    );
    expect(hours?.hours).toBeGreaterThan(40);
  });

  it('limits markets, tables and days, and names what is wrong', async () => {
    const part = join(folder, 'part');
    const limited = await run(
      '--out',
      part,
      '--tables',
      'books',
      '--from',
      '2026-07-02',
      '--to',
      '2026-07-04',
      '--json',
    );
    expect((JSON.parse(limited.stdout) as LakeSummary).total.files).toBe(2);
    const words = await run('--out', part, '--market', 'test-market', '--tables', 'books');
    expect(words.stdout).toMatch(/4 files written .* It holds 6 files/);
    const refusals: [string[], RegExp][] = [
      [[], /--out/],
      [['--out', 'gs://bucket'], /expected a folder or s3/],
      [['--out', part, '--market', 'test-markt'], /There is no market test-markt.*Did you mean/],
      [['--out', part, '--tables', 'book'], /Choose one of books/],
      [['--out', part, '--from', '2026-02-30'], /a day that the calendar has/],
      [['--out', part, '--from', '2026-07-02', '--to', '2026-07-02'], /is not before/],
    ];
    for (const [args, words] of refusals) {
      const { code, notes } = await run(...args);
      expect([code, notes.join()], args.join(' ')).toEqual([2, expect.stringMatching(words)]);
    }
    const keyless = await run('--out', 's3://bucket/lake');
    expect([keyless.code, keyless.notes.join()]).toEqual([1, expect.stringContaining('AWS_ACCESS_KEY_ID')]);
  });

  it('refuses a second run to the same place', async () => {
    const place = join(folder, 'both');
    const held = await test.sql.reserve();
    await held`begin`;
    await held`select pg_advisory_xact_lock(hashtext('lake'), hashtext(${place}))`;
    const { code, notes } = await run('--out', place);
    await held`rollback`;
    held.release();
    expect([code, notes.join()]).toEqual([1, expect.stringContaining('Another run is writing to')]);
    expect((await run('--out', place)).code).toBe(0);
  });

  it('is what its document says: every query there runs', async () => {
    await write();
    const text = await readFile(new URL('../../../docs/lake.md', import.meta.url), 'utf8');
    const queries = [...text.matchAll(/^```sql\n(.*?)^```/gms)].map(([, query = '']) => query);
    expect(queries).toHaveLength(4);
    for (const query of queries) {
      expect(await askDuckDb(query.replaceAll("'lake/", `'${out}/`)), query).not.toEqual([]);
    }
  });
});
