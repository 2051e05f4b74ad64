import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareContents, readStoredContents } from '../../../prove/stored-contents.ts';
import { findHalfBooks } from '../../../prove/whole-books.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { rebuild } from '../../../src/prices/statistics/rebuild.sql.ts';
import { holdsFor } from '../../support/property-runs.ts';
import { modelContents } from './history-model.ts';
import { createHastyDatabase, landAfresh, storedAsModel } from './land-history.ts';
import { type SyntheticBook, syntheticHistory } from './synthetic-history.ts';

describe('any history of books', () => {
  let sql: Sql;

  beforeAll(async () => {
    sql = await createHastyDatabase();
  });

  it('is stored as documented: presence, price intervals, attributes, points, newest offers', async () => {
    await holdsFor(syntheticHistory(8), 15, async ({ books }) => {
      await landAfresh(sql, books);
      expect(await storedAsModel(sql)).toEqual(modelContents(books));
      expect(await findHalfBooks(sql)).toEqual([]);
    });
  });

  it('is stored the same in any order, with repeats, and rebuilt', async () => {
    await holdsFor(syntheticHistory(8), 15, async ({ books, order }) => {
      await landAfresh(sql, books);
      const inOrder = await readStoredContents(sql);
      await landAfresh(sql, pick(books, order));
      expect(compareContents(inOrder, await readStoredContents(sql))).toEqual([]);
      expect(await storedAsModel(sql)).toEqual(modelContents(books));
      // From empty tables, so that anything not recomputed is missing.
      const points = ['book_point', 'hour_point', 'day_point', 'week_point', 'book_day'];
      for (const table of [...points, 'index_day', 'index_observation']) {
        await sql`delete from ${sql(table)}`;
      }
      await rebuild(sql);
      expect(compareContents(inOrder, await readStoredContents(sql))).toEqual([]);
    });
  });

  it('is stored the same whether a model that a slice lacks was known before or appears later', async () => {
    const [drawn] = fc.sample(syntheticHistory(4), { numRuns: 1, seed: 7 });
    const offers =
      drawn?.books.flatMap((each) => each.offers.filter(({ type }) => type === 'on-demand')) ?? [];
    const [known, lacking] = ['RTX 4090', 'H100 SXM'].map((name) =>
      offers.find((each) => each.gpuName === name),
    );
    if (known === undefined || lacking === undefined) throw new Error('the history has both models');
    const book = { type: 'on-demand' as const, complete: true, slices: [] };
    const books: SyntheticBook[] = [
      { ...book, observedAt: new Date('2026-03-01T00:00:00Z'), offers: [known] },
      {
        ...{ ...book, observedAt: new Date('2026-03-01T01:00:00Z'), complete: false, offers: [known] },
        slices: ['H100 SXM'],
      },
      { ...book, observedAt: new Date('2026-03-01T02:00:00Z'), offers: [known, lacking] },
    ];
    for (const order of [books, books.toReversed()]) {
      await landAfresh(sql, order);
      expect(await storedAsModel(sql)).toEqual(modelContents(books));
    }
  });

  it('takes its figures from complete books only: partial ones in between change nothing', async () => {
    await holdsFor(syntheticHistory(7, false), 8, async ({ books, order }) => {
      const landed = pick(books, order);
      await landAfresh(sql, landed);
      const withPartial = await storedAsModel(sql);
      await landAfresh(
        sql,
        landed.filter(({ complete }) => complete),
      );
      expect(withPartial).toEqual(await storedAsModel(sql));
    });
  });

  it('never turns an absence into a new listing', async () => {
    await holdsFor(syntheticHistory(8), 8, async ({ books }) => {
      await landAfresh(sql, books);
      const [row] = await sql`select count(*) from listing`;
      expect(row?.count).toBe(mostAtOnce(books));
    });
  });
});

const pick = (books: readonly SyntheticBook[], order: readonly number[]): SyntheticBook[] =>
  order.flatMap((index) => books[index] ?? []);

/** Listings that there can be: of each (type, machine, model, size) as many as one book ever had at once. */
function mostAtOnce(books: readonly SyntheticBook[]): number {
  const most = new Map<string, number>();
  for (const { type, offers } of books) {
    const groups = Map.groupBy(offers, (o) => `${type}|${o.machineId}|${o.gpuName}|${o.numGpus}`);
    for (const [key, { length }] of groups) most.set(key, Math.max(most.get(key) ?? 0, length));
  }
  return [...most.values()].reduce((sum, count) => sum + count, 0);
}
