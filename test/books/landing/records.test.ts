import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findHalfBooks } from '../../../prove/whole-books.ts';
import { openLanding } from '../../../src/books/landing/land-book.sql.ts';
import { ensureMarket, ensureScope } from '../../../src/books/markets.sql.ts';
import { blankCertificate, complete } from '../../../src/core/coverage.ts';
import type { Offer } from '../../../src/core/offer.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { findLatestOffer } from '../../../src/prices/listings/listings.sql.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { makeOffer } from '../../prices/made-offers.ts';
import { createTestDatabase } from '../../support/test-database.ts';

/** A third of a book's last page is empty. */
const offersOfBook = 3 * 32 - 10;
let markets = 0;

describe('the records of a book', () => {
  let sql: Sql;
  let marketId: number;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  beforeEach(async () => {
    markets += 1;
    marketId = (await ensureMarket(sql, `records-${markets}`, 'recorded')).id;
  });

  /** Lands machines 1 to `count` but for those left out, whose records name the hour and the machine. */
  const landAt = async (hour: number, left: readonly number[] = []): Promise<void> => {
    const offers = machines.filter((id) => !left.includes(id)).map((id) => offerOf(id, recordOf(hour, id)));
    await land(sql, marketId, hour, [offers]);
  };

  /** The record of each machine, read as the API does. */
  const recordsOf = async (): Promise<Record<number, string | undefined>> => {
    const scopeId = await ensureScope(sql, marketId, 'default');
    const listings = await sql<{ id: number; machineId: number }[]>`
      select id, machine_id as "machineId" from listing where market_id = ${marketId}`;
    const read = listings.map(
      async ({ id, machineId }) =>
        [machineId, (await findLatestOffer(sql, { listingId: id, scopeId }))?.raw ?? undefined] as const,
    );
    return Object.fromEntries(await Promise.all(read));
  };

  /** Of each stored page, by the hour of its book: how many records it has. */
  const pagesByHour = async (): Promise<[hour: number, records: number][]> => {
    const rows = await sql<{ hour: number; records: number }[]>`
      select extract(hour from b.observed_at at time zone 'UTC')::int as hour, cardinality(r.records) as records
      from record_page r join book b on b.id = r.book_id join scope s on s.id = b.scope_id
      where s.market_id = ${marketId} order by 1, r.page`;
    return rows.map(({ hour, records }) => [hour, records]);
  };

  const expectedRecords = (hourOf: (id: number) => number) =>
    Object.fromEntries(machines.map((id) => [id, recordOf(hourOf(id), id)]));

  it('are stored to the character, whatever they contain and however many arrive at once', async () => {
    const strange = ['"', '\\', '\\\\"', '\t\n', '{NULL}', 'ß 🚀', ' ', '{"a":[1,2,{}]}', 'x'.repeat(70_000)];
    const offers = machines.map((id) => offerOf(id, `${strange[id % strange.length]}${id}`));
    await land(sql, marketId, 1, [offers.slice(0, 1), offers.slice(1, 34), [], offers.slice(34)]);
    const records = await recordsOf();
    for (const { machineId, raw } of offers) expect(records[machineId]).toBe(raw);
    expect(await pagesByHour()).toEqual([1, 32, 1, 32, 20].map((count) => [1, count]));
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('are those of the newest book, and the pages of the previous one are gone', async () => {
    await landAt(1);
    await landAt(2);
    expect(await recordsOf()).toEqual(expectedRecords(() => 2));
    expect(await pagesByHour()).toEqual([32, 32, 22].map((count) => [2, count]));
  });

  it('of machines that no newer book lists move together, and are deleted when the machines are back', async () => {
    await landAt(1);
    const away = [3, 40, 41, 80];
    await landAt(2, away);
    expect(await recordsOf()).toEqual(expectedRecords((id) => (away.includes(id) ? 1 : 2)));
    expect(await pagesByHour()).toEqual([[1, 4], ...[32, 32, 18].map((count) => [2, count])]);
    // Half of them are back: the rest stays in its page.
    await landAt(3, [40, 80]);
    expect(await recordsOf()).toEqual(expectedRecords((id) => ([40, 80].includes(id) ? 1 : 3)));
    expect((await pagesByHour())[0]).toEqual([1, 4]);
    await landAt(4, [80]);
    expect(await recordsOf()).toEqual(expectedRecords((id) => (id === 80 ? 1 : 4)));
    expect((await pagesByHour())[0]).toEqual([1, 1]);
    expect(await findHalfBooks(sql)).toEqual([]);
    await landAt(5);
    expect(await recordsOf()).toEqual(expectedRecords(() => 5));
    expect((await pagesByHour()).map(([hour]) => hour)).toEqual([5, 5, 5]);
  });

  it('of more absent machines than a page holds fill several pages', async () => {
    await landAt(1);
    const away = machines.filter((id) => id % 2 === 0);
    await landAt(2, [...away, 1]);
    expect(await recordsOf()).toEqual(expectedRecords((id) => (away.includes(id) || id === 1 ? 1 : 2)));
    // Half of a page is enough for it to stay; of the first one more than half is.
    expect((await pagesByHour()).filter(([hour]) => hour === 1)).toEqual(
      [32, 32, 22].map((count) => [1, count]),
    );
    const most = machines.filter((id) => id % 5 !== 0);
    await landAt(3, most);
    await landAt(
      4,
      most.filter((id) => id % 7 !== 0),
    );
    expect(await recordsOf()).toEqual(
      expectedRecords((id) => {
        if (id % 5 === 0 || id % 7 === 0) return 4;
        return away.includes(id) || id === 1 ? 1 : 2;
      }),
    );
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('of a late book are only stored if they are the newest', async () => {
    await landAt(2, [7, 8]);
    await landAt(1);
    expect(await recordsOf()).toEqual(expectedRecords((id) => ([7, 8].includes(id) ? 1 : 2)));
    expect(await pagesByHour()).toEqual([[1, 2], ...[32, 32, 20].map((count) => [2, count])]);
    await landAt(0);
    expect((await pagesByHour()).filter(([hour]) => hour === 0)).toEqual([]);
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('that are staged again replace the first ones', async () => {
    const offers = machines.map((id) => offerOf(id, recordOf(1, id)));
    const anew = offers.slice(0, 60).map((offer) => ({ ...offer, raw: recordOf(9, offer.machineId) }));
    await land(sql, marketId, 1, [offers], anew);
    expect(await recordsOf()).toEqual(expectedRecords((id) => (id <= 60 ? 9 : 1)));
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('of a replaced book are deleted with it', async () => {
    await landAt(1);
    await land(sql, marketId, 1, [[offerOf(1, 'another')]], [], { replace: true });
    expect(await recordsOf()).toEqual({ 1: 'another' });
    expect(await pagesByHour()).toEqual([[1, 1]]);
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('are moved into pages when a database of an earlier version is migrated', async () => {
    await landAt(1);
    await landAt(2, [5]);
    const before = await recordsOf();
    // As it was: a record with each offer.
    await sql.unsafe(`
      alter table latest_offer add raw text;
      update latest_offer o set raw = r.records[o.place] from record_page r
        where r.book_id = o.book_id and r.page = o.page;
      alter table latest_offer alter raw set not null, drop page, drop place;
      drop table record_page;
      create index latest_offer_book on latest_offer (book_id)`);
    const migration = new URL('../../../migrations/0013_record_pages.sql', import.meta.url);
    for (const statement of readFileSync(migration, 'utf8').split('--> statement-breakpoint')) {
      await sql.unsafe(statement);
    }
    expect(await recordsOf()).toEqual(before);
    expect(await pagesByHour()).toEqual([1, ...[32, 32, 21]].map((count, at) => [at === 0 ? 1 : 2, count]));
    expect(await findHalfBooks(sql)).toEqual([]);
  });
});

const machines = Array.from({ length: offersOfBook }, (_, index) => index + 1);
const recordOf = (hour: number, id: number): string => JSON.stringify({ hour, id });
const offerOf = (id: number, raw: string): Offer => ({ ...makeOffer(id, { machineId: id }), raw });

/** Lands a book of that hour whose offers come in such pages, and some of them again. */
async function land(
  sql: Sql,
  marketId: number,
  hour: number,
  pages: readonly Offer[][],
  anew: readonly Offer[] = [],
  options: { replace?: boolean } = {},
): Promise<void> {
  const landing = await openLanding(sql, {
    ...{
      marketId,
      scopeName: 'default',
      type: 'on-demand',
      allocatedStorageGb: 8,
      statistics: pointStatistics,
      ...options,
    },
  });
  try {
    for (const page of pages) await landing.stage(page);
    if (anew.length > 0) await landing.restage(anew);
    const observedAt = new Date(Date.UTC(2026, 6, 20, hour));
    const rows = pages.flat().length;
    const certificate = { ...blankCertificate('none'), rows, accepted: rows };
    await landing.land({ observedAt, startedAt: observedAt, coverage: complete('declared'), certificate });
  } finally {
    await landing.close();
  }
}
