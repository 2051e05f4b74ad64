import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareContents, readStoredContents } from '../../../prove/stored-contents.ts';
import { findHalfBooks } from '../../../prove/whole-books.ts';
import { newestBooks } from '../../../src/books/newest-books.sql.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { readCurrentOffers } from '../../../src/prices/newest/offers.sql.ts';
import { listAudit } from '../../../src/rentals/audit.sql.ts';
import { deleteBooks } from '../../../src/service/deletion/delete-books.sql.ts';
import { deleteMarket } from '../../../src/service/deletion/delete-market.sql.ts';
import { modelContents } from '../../books/landing/history-model.ts';
import { createHastyDatabase, landAfresh, storedAsModel } from '../../books/landing/land-history.ts';
import { type SyntheticBook, syntheticHistory } from '../../books/landing/synthetic-history.ts';
import { holdsFor } from '../../support/property-runs.ts';

const at = new Date('2026-07-31T00:00:00Z');
const deletion = { by: 'a test', at, action: 'delete-book', detail: {} };

/** What of a book's offers is stored by day alone stays the same, as it does from one crawl to the next. */
const steady = (books: readonly SyntheticBook[]): SyntheticBook[] =>
  books.map((book) => ({
    ...book,
    offers: book.offers.map((offer) => ({
      ...offer,
      ...{ reliability: 0.9, dlperf: 10, inetDown: 100, driverVersion: '1', gpuIds: [offer.machineId] },
    })),
  }));

const withIds = async (sql: Sql): Promise<Map<string, number>> => {
  const rows = await sql<
    { id: number; type: string; at: Date }[]
  >`select id, type, observed_at as at from book`;
  return new Map(rows.map((row) => [`${row.type} ${row.at.toISOString()}`, row.id]));
};
const keyOf = ({ type, observedAt }: SyntheticBook): string => `${type} ${observedAt.toISOString()}`;
const pick = (books: readonly SyntheticBook[], order: readonly number[]) =>
  order.flatMap((n) => books[n] ?? []);

describe('deleting books', () => {
  let sql: Sql;

  beforeAll(async () => {
    sql = await createHastyDatabase();
  });

  it('leaves what the other books alone would have made, in any order of landing and deleting', async () => {
    const drawn = fc.record({
      history: syntheticHistory(7),
      gone: fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }),
    });
    await holdsFor(drawn, 25, async ({ history, gone }) => {
      // Of partial books alone an older one cannot be read again: that refusal has a test of its own.
      const books = steady(history.books).map((book) => ({
        ...book,
        complete: book.complete || book.slices.length === 0,
      }));
      const out = new Set(
        gone.map((place) => books[place % books.length]).filter((book) => book !== undefined),
      );
      const kept = books.filter((book) => !out.has(book));
      const types = new Set(kept.map(({ type }) => type));
      const readable = [...types].every((type) => kept.some((book) => book.type === type && book.complete));
      fc.pre(readable);
      await landAfresh(sql, kept);
      const expected = await readStoredContents(sql);
      await landAfresh(sql, pick(books, history.order));
      const ids = await withIds(sql);
      await deleteBooks(
        sql,
        [...out].flatMap((book) => ids.get(keyOf(book)) ?? []),
        deletion,
      );
      const stored = await storedAsModel(sql);
      const model = modelContents(kept);
      expect(stored.presence).toEqual(model.presence);
      expect(stored.runs).toEqual(model.runs);
      expect(stored.points).toEqual(model.points);
      const actual = await readStoredContents(sql);
      const { latest_offer: _, ...compared } = expected;
      const differences = compareContents(compared, actual);
      expect(differences.filter((line) => !/^listing:|^listing_attribute:/.test(line))).toEqual([]);
      expect(
        (await findHalfBooks(sql)).filter((line) => !/latest offer|listings that no book/.test(line)),
      ).toEqual([]);
      // The newest complete book of each type has all its offers again.
      for (const book of await newestBooks(sql, await scopeOf(sql))) {
        expect(await readCurrentOffers(sql, book.id)).toHaveLength(book.offers);
      }
    });
  });

  it('makes the book before a wrongly dated one the newest again, with its own prices', async () => {
    const [history] = fc.sample(syntheticHistory(6, false), { numRuns: 1, seed: 7 });
    const whole = steady(history?.books ?? []).filter((book) => book.complete && book.offers.length > 0);
    const last = whole.at(-1);
    if (last === undefined) throw new Error('the history has a complete book');
    const doubled = last.offers.map((offer) => ({ ...offer, baseUsdPerHour: offer.baseUsdPerHour * 2 }));
    const future = { ...last, observedAt: new Date('2026-06-01T00:00:00Z'), offers: doubled };
    await landAfresh(sql, [...whole, future]);
    await sql`insert into rule_progress (scope_id, type, observed_at)
      values (${await scopeOf(sql)}, ${future.type}, ${future.observedAt})`;
    await deleteBooks(sql, [(await withIds(sql)).get(keyOf(future)) ?? 0], deletion);
    // Rules go on with the next book.
    const [progress] = await sql<{ at: Date }[]>`select observed_at as at from rule_progress`;
    await sql`delete from rule_progress`;
    expect(progress?.at).toEqual(last.observedAt);
    const newest = (await newestBooks(sql, await scopeOf(sql))).find(({ type }) => type === last.type);
    expect(newest?.observedAt).toEqual(last.observedAt);
    const prices = (await readCurrentOffers(sql, newest?.id ?? 0)).map(
      ({ baseUsdPerHour }) => baseUsdPerHour,
    );
    expect(prices.sort()).toEqual(last.offers.map(({ baseUsdPerHour }) => baseUsdPerHour).sort());
    const [entry] = (await listAudit(sql, { afterSeq: 0, limit: 1000 })).slice(-1);
    expect(entry).toMatchObject({ actor: 'a test', action: 'delete-book', market: 'synthetic' });
    expect(JSON.parse(entry?.detail ?? '')).toMatchObject({ books: 1, to: '2026-06-01T00:00:00.000Z' });
  });

  it('leaves everything as it was if one of its statements fails', async () => {
    const [history] = fc.sample(syntheticHistory(6), { numRuns: 1, seed: 7 });
    await landAfresh(sql, history?.books ?? []);
    const before = await readStoredContents(sql);
    const ids = [...(await withIds(sql)).values()];
    const entries = (await listAudit(sql, { afterSeq: 0, limit: 1000 })).length;
    const failing = { ...deletion, action: null as unknown as string };
    await expect(deleteBooks(sql, ids, failing)).rejects.toThrow(/null value/);
    expect(compareContents(before, await readStoredContents(sql))).toEqual([]);
    expect(await listAudit(sql, { afterSeq: 0, limit: 1000 })).toHaveLength(entries);
  });

  it('refuses if a partial book whose offers are gone would become the newest', async () => {
    const [history] = fc.sample(syntheticHistory(6, false), { numRuns: 1, seed: 7 });
    const book = steady(history?.books ?? []).find(({ offers }) => offers.length > 0);
    if (book === undefined) throw new Error('the history has a book');
    const later = { ...book, observedAt: new Date(book.observedAt.getTime() + 60_000), complete: false };
    await landAfresh(sql, [{ ...book, complete: false }, later]);
    const ids = await withIds(sql);
    const id = ids.get(keyOf(later)) ?? 0;
    await expect(deleteBooks(sql, [id], deletion)).rejects.toThrow(/delete those of .* all at once/);
    expect(await deleteBooks(sql, [...ids.values()], deletion)).toHaveLength(2);
    expect(Object.values(await readStoredContents(sql)).flat()).toEqual([]);
  });

  it('of a whole market removes all prices, and is refused while an instance or a watch needs it', async () => {
    const [history] = fc.sample(syntheticHistory(6), { numRuns: 1, seed: 7 });
    await landAfresh(sql, history?.books ?? []);
    const [market] = await sql<{ id: number }[]>`select id from market where name = 'synthetic'`;
    const id = market?.id ?? 0;
    await sql`insert into instance (market_id, instance_id, first_seen_at, last_seen_at, raw) values (${id}, 7, ${at}, ${at}, '{}')`;
    await expect(deleteMarket(sql, id, { ...deletion, action: 'delete-market' })).rejects.toThrow(
      /instances are live/,
    );
    await sql`update instance set gone_at = ${at}`;
    const gone = await deleteMarket(sql, id, { ...deletion, action: 'delete-market' });
    expect(gone.length).toBeGreaterThan(0);
    expect(Object.values(await readStoredContents(sql)).flat()).toEqual([]);
    expect((await sql`select from instance`).length).toBe(1);
    await sql`delete from instance`;
  });
});

async function scopeOf(sql: Sql): Promise<number> {
  const [scope] = await sql<{ id: number }[]>`select id from scope where name = 'default'`;
  return scope?.id ?? 0;
}
