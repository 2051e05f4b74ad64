import { beforeAll, describe, expect, it } from 'vitest';
import { compareContents, readStoredContents } from '../../../prove/stored-contents.ts';
import { findHalfBooks } from '../../../prove/whole-books.ts';
import { seedHistory } from '../../../src/books/seed-history.ts';
import { bucketStart } from '../../../src/core/bucket.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { listAudit } from '../../../src/rentals/audit.sql.ts';
import { countOlder, deleteOlder } from '../../../src/service/deletion/delete-older.ts';
import type { DeletedOlderAnswer } from '../../../src/service/deletion/older.routes.ts';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { modelContents } from '../../books/landing/history-model.ts';
import { createHastyDatabase, landAfresh, storedAsModel } from '../../books/landing/land-history.ts';
import { syntheticHistory } from '../../books/landing/synthetic-history.ts';
import { landBills, makeCharge } from '../../support/made-bills.ts';
import { holdsFor } from '../../support/property-runs.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

const newestAt = Date.parse('2026-07-30T12:00:00Z');
/** A Wednesday: books since the Monday before it stay. */
const before = '2026-06-17';
const kept = '2026-06-15T00:00:00.000Z';

describe('deleting everything older than a date', () => {
  let app: TestApp;
  const remove = async (confirm: boolean, role: 'admin' | 'operator' = 'admin') => {
    const path = `/api/history?before=${before}&confirm=${confirm}`;
    const headers = { authorization: `Bearer ${app.tokens[role]}` };
    const answer = await app.app.request(path, { method: 'DELETE', headers });
    return { status: answer.status, ...((await answer.json()) as DeletedOlderAnswer) };
  };
  /** What is read of the part that stays. */
  const figures = async () => {
    const model = 'gpuName=RTX%204090';
    const since = `from=${kept}&to=2026-07-31T00:00:00Z`;
    const paths = [
      ...['book', '1h', '1d', '1w'].map((bucket) => `/api/trends?${model}&${since}&bucket=${bucket}`),
      `/api/trends?${model}&${since}&bucket=1d&minReliability=0.9&type=bid`,
      `/api/trends?${since}&bucket=1w&metric=usdPerDlperfHour`,
      `/api/index?${model}&${since}`,
      '/api/offers?limit=1000',
      '/api/spend?from=2026-01-01&to=2026-08-01&groupBy=gpuName',
      '/api/instances/ended',
    ];
    return await Promise.all(paths.map((path) => app.json<object>(path)));
  };

  beforeAll(async () => {
    app = await createTestApp({}, 'simulated');
    const { sql, market } = app;
    const simulator = createSimulator({ offersPerType: 40 });
    await seedHistory(sql, {
      marketId: market.id,
      recordsAt: (type, at) => simulator.rentableOffersAt(at, { type, storageGb: 8 }),
      // Three and a half months, every 40 hours: some days have two books, some have none.
      moments: Array.from({ length: 60 }, (_, place) => new Date(newestAt - (59 - place) * 40 * 3_600_000)),
      allocatedStorageGb: 8,
      statistics: pointStatistics,
      now: () => app.clock.now,
      newId: () => crypto.randomUUID(),
      onProgress: () => {},
    });
    await sql`update crawl c set started_at = b.observed_at, ended_at = b.observed_at from book b where b.id = c.book_id`;
    await landBills(sql, market.id, 'charge', '2026-05-02T00:00:00Z', [
      makeCharge(7, { start: '2026-05-01T00:00:00Z', end: '2026-05-01T05:00:00Z', amountUsd: '2.5' }),
    ]);
    for (const at of ['2026-05-01', '2026-07-01']) {
      await sql`insert into event (at, market_id, kind, data) values (${new Date(at)}, ${market.id}, 'book', '{}')`;
    }
  });

  it('says in a dry run exactly what it then deletes, and leaves every figure of what stays', async () => {
    const { sql } = app;
    expect((await remove(true, 'operator')).status).toBe(403);
    const contents = await readStoredContents(sql);
    const shown = await figures();
    const dry = await remove(false);
    expect(compareContents(contents, await readStoredContents(sql))).toEqual([]);
    expect(dry.deleted).toBe(false);
    expect(dry.books).toHaveLength(2);
    expect(dry.books[0]).toMatchObject({ type: 'on-demand', before: kept });
    const [count] = await sql<{ old: number; all: number; crawls: number }[]>`
      select count(*) filter (where observed_at < ${new Date(kept)}) as old, count(*) as all,
        (select count(*) from crawl) as crawls from book`;
    expect(count?.old).toBeGreaterThan(50);
    const rowsOf = (table: string) => dry.tables.find((each) => each.table === table)?.rows;
    expect([rowsOf('book'), rowsOf('crawl'), rowsOf('event')]).toEqual([count?.old, count?.old, 1]);
    for (const table of [
      'presence',
      'price_interval',
      'listing_attribute',
      'day_point',
      'week_point',
      'latest_offer',
      'record_page',
      'listing',
    ]) {
      expect(rowsOf(table), table).toBeGreaterThan(0);
    }
    expect(dry.bytes).toBeGreaterThan(100_000);

    const done = await remove(true);
    expect(done).toEqual({ ...dry, deleted: true });
    expect(await figures()).toEqual(shown);
    expect(await findHalfBooks(sql)).toEqual([]);
    const [left] = await sql<{ books: number; first: Date; crawls: number; points: number }[]>`
      select count(*) as books, min(observed_at) as first, (select count(*) from crawl) as crawls,
        (select count(*) from day_point where t < ${new Date(kept)}) as points from book`;
    expect(Number(left?.first)).toBeGreaterThanOrEqual(Date.parse(kept));
    expect(left).toMatchObject({
      books: Number(count?.all) - Number(count?.old),
      crawls: Number(count?.crawls) - Number(count?.old),
      points: 0,
    });
    expect((await sql`select from billing_version`).length).toBe(1);
    const entries = (await listAudit(sql, { afterSeq: 0, limit: 100 })).filter(
      ({ action }) => action === 'delete-older',
    );
    expect(entries).toHaveLength(1);
    expect(JSON.parse(entries[0]?.detail ?? '')).toMatchObject({ rows: dry.rows });
    expect((await remove(false)).rows).toBe(0);
  });

  it('is refused for a moment that is still to come', async () => {
    const headers = { authorization: `Bearer ${app.tokens.admin}` };
    const answer = await app.app.request('/api/history?before=2027-01-01', { method: 'DELETE', headers });
    expect(answer.status).toBe(400);
  });
});

describe('deleting older books in parts', () => {
  let sql: Sql;
  const at = new Date('2026-03-05T00:00:00Z');
  const wanted = { before: new Date('2026-03-03T00:00:00Z'), marketIds: null };
  const audit = { by: 'a test', at };

  beforeAll(async () => {
    sql = await createHastyDatabase();
  });

  it('leaves what the other books alone would have made, and after an interruption the next run deletes the rest', async () => {
    let deleted = 0;
    await holdsFor(syntheticHistory(9), 12, async ({ books, order }) => {
      const steady = books.map((book) => ({
        ...book,
        offers: book.offers.map((offer) => ({
          ...offer,
          ...{ reliability: 0.9, dlperf: 10, inetDown: 100, driverVersion: '1', gpuIds: [offer.machineId] },
        })),
      }));
      // The week of a type's newest complete book stays.
      const isComplete = ({ complete, offers }: (typeof steady)[number]) => complete && offers.length > 0;
      const staying = steady.filter((book) => {
        const ofType = steady.filter(({ type }) => type === book.type);
        const newest = (ofType.findLast(isComplete) ?? ofType.at(-1))?.observedAt ?? at;
        const cut = bucketStart('1w', new Date(Math.min(newest.getTime(), wanted.before.getTime())));
        return book.observedAt >= cut;
      });
      await landAfresh(sql, staying);
      const expected = await readStoredContents(sql);
      await landAfresh(
        sql,
        order.flatMap((place) => steady[place] ?? []),
      );
      const dry = await countOlder(sql, wanted);
      let parts = 0;
      const stop = () => {
        parts += 1;
        if (parts === 1) throw new Error('interrupted');
      };
      const one = { onPart: stop, maxBooks: 1 };
      const first = await deleteOlder(sql, wanted, audit, one).catch((error: Error) => error.message);
      expect(parts === 0 ? 'nothing to do' : first).toBe(parts === 0 ? 'nothing to do' : 'interrupted');
      expect(
        (await findHalfBooks(sql)).filter((line) => !/latest offer|listings that no/.test(line)),
      ).toEqual([]);
      await deleteOlder(sql, wanted, audit, { maxBooks: 1 });
      deleted += steady.length - staying.length;
      const bookRows = dry.tables.find(({ table }) => table === 'book')?.rows ?? 0;
      expect(bookRows).toBe(steady.length - staying.length);
      const stored = await storedAsModel(sql);
      const model = modelContents(staying);
      expect(stored.presence).toEqual(model.presence);
      expect(stored.runs).toEqual(model.runs);
      expect(stored.points).toEqual(model.points);
      const actual = await readStoredContents(sql);
      const differences = compareContents(expected, actual).filter(
        // Attributes in force and the index rest on what came before.
        (line) => !/^(listing|listing_attribute|index_day|index_observation):/.test(line),
      );
      expect(differences).toEqual([]);
      expect(
        (await findHalfBooks(sql)).filter((line) => !/latest offer|listings that no/.test(line)),
      ).toEqual([]);
      expect((await countOlder(sql, wanted)).tables.every(({ rows }) => rows === 0)).toBe(true);
    });
    expect(deleted).toBeGreaterThan(10);
  });
});
