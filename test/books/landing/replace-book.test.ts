import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareContents, readStoredContents } from '../../../prove/stored-contents.ts';
import { findHalfBooks } from '../../../prove/whole-books.ts';
import { openLanding } from '../../../src/books/landing/land-book.sql.ts';
import { findMarket } from '../../../src/books/markets.sql.ts';
import { blankCertificate, complete, partial } from '../../../src/core/coverage.ts';
import type { Offer } from '../../../src/core/offer.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { rebuild } from '../../../src/prices/statistics/rebuild.sql.ts';
import { holdsFor } from '../../support/property-runs.ts';
import { modelContents } from './history-model.ts';
import { createHastyDatabase, landAfresh, slicesOf, storedAsModel } from './land-history.ts';
import { type SyntheticBook, syntheticHistory } from './synthetic-history.ts';

describe('replacing a book', () => {
  let sql: Sql;

  beforeAll(async () => {
    sql = await createHastyDatabase();
  });

  it('leaves presence and price intervals as if only the new book had landed, at any place', async () => {
    const wrong = fc.record({ history: syntheticHistory(6), other: syntheticHistory(3), place: fc.nat() });
    await holdsFor(wrong, 25, async ({ history: { books, order }, other, place }) => {
      const index = place % books.length;
      const right = books[index];
      const strange = other.books[0];
      if (right === undefined || strange === undefined) throw new Error('a history has books');
      const spoilt = {
        ...right,
        offers: strange.offers.map((offer): Offer => ({ ...offer, type: right.type })),
      };
      await landAfresh(
        sql,
        order.flatMap((at) => (at === index ? spoilt : (books[at] ?? []))),
      );
      await replaceBy(sql, right);
      const stored = await storedAsModel(sql);
      const expected = modelContents(books);
      expect(stored.presence).toEqual(expected.presence);
      expect(stored.runs).toEqual(expected.runs);
      // Every figure comes from the stored book only.
      const replaced = await readStoredContents(sql);
      await rebuild(sql);
      expect(compareContents(replaced, await readStoredContents(sql))).toEqual([]);
      // What only the replaced book had is gone: the newest offer of a listing that it was the last to have.
      const wrongs = await findHalfBooks(sql);
      expect(wrongs.filter((line) => !/latest offers|listings that no book/.test(line))).toEqual([]);
    });
  });

  it('is refused with a hint unless requested, and then changes nothing', async () => {
    const [history] = fc.sample(syntheticHistory(4), { numRuns: 1, seed: 7 });
    const [first] = history?.books ?? [];
    if (history === undefined || first === undefined) throw new Error('a history has books');
    await landAfresh(sql, history.books);
    const before = await storedAsModel(sql);
    const other = {
      ...first,
      offers: first.offers.map((offer) => ({ ...offer, raw: `${offer.raw} ` })).slice(0, 1),
    };
    await expect(land(sql, { ...other, complete: true }, false)).rejects.toThrow(/--replace/);
    expect(await storedAsModel(sql)).toEqual(before);
  });
});

describe('a complete book', () => {
  it('is never replaced by a partial one', async () => {
    const sql = await createHastyDatabase();
    const [history] = fc.sample(syntheticHistory(4), { numRuns: 1, seed: 7 });
    const book = history?.books.find(({ complete: whole, offers }) => whole && offers.length > 0);
    if (book === undefined) throw new Error('the history has a complete book');
    await landAfresh(sql, [book]);
    const before = await storedAsModel(sql);
    await expect(land(sql, { ...book, complete: false }, true)).rejects.toThrow(
      /a partial book never replaces it/,
    );
    expect(await storedAsModel(sql)).toEqual(before);
  });
});

const replaceBy = (sql: Sql, book: SyntheticBook): Promise<void> => land(sql, book, true);

async function land(sql: Sql, book: SyntheticBook, replace: boolean): Promise<void> {
  const { type, observedAt, offers } = book;
  const market = await findMarket(sql, 'synthetic');
  if (market === null) throw new Error('the market is there');
  const options = {
    marketId: market.id,
    scopeName: 'default',
    type,
    allocatedStorageGb: 8,
    statistics: pointStatistics,
    replace,
  };
  const landing = await openLanding(sql, options);
  try {
    await landing.stage(offers);
    const coverage = book.complete ? complete('declared') : partial('declared', 'drawn so');
    const certificate = { ...blankCertificate('none'), rows: offers.length, accepted: offers.length };
    const slices = slicesOf(book);
    await landing.land({ observedAt, startedAt: observedAt, coverage, certificate, slices });
  } finally {
    await landing.close();
  }
}
