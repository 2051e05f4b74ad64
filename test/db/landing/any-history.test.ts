import { beforeAll, describe, expect, it } from 'vitest';
import { compareContents, readStoredContents } from '../../../prove/stored-contents.ts';
import { findHalfBooks } from '../../../prove/whole-books.ts';
import type { Sql } from '../../../src/db/connection.ts';
import { rebuild } from '../../../src/db/rebuild.ts';
import { holdsFor } from '../../support/property-runs.ts';
import { modelContents } from './history-model.ts';
import { createHastyDatabase, landAfresh, storedAsModel } from './land-history.ts';
import { type SyntheticBook, syntheticHistory } from './synthetic-history.ts';

describe('any history of books', () => {
  let sql: Sql;

  beforeAll(async () => {
    sql = await createHastyDatabase();
  });

  it('is stored as the semantics say: presence, runs, attributes, points, newest offers', async () => {
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
      // From nothing: what is not made again is missing.
      for (const table of ['book_point', 'hour_point', 'day_point', 'week_point', 'book_day']) {
        await sql`delete from ${sql(table)}`;
      }
      await rebuild(sql);
      expect(compareContents(inOrder, await readStoredContents(sql))).toEqual([]);
    });
  });

  it('has its figures from complete books alone: partial ones between them move nothing', async () => {
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

  it('never makes a new listing of an absence', async () => {
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
