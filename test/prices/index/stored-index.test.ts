import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareContents, readStoredContents } from '../../../prove/stored-contents.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { complete, partial } from '../../../src/core/coverage.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { rebuild } from '../../../src/prices/statistics/rebuild.sql.ts';
import { deleteBooks } from '../../../src/service/deletion/delete-books.sql.ts';
import { bookIdsOf, deleteMarket } from '../../../src/service/deletion/delete-market.sql.ts';
import { createHastyDatabase } from '../../books/landing/land-history.ts';
import { holdsFor } from '../../support/property-runs.ts';
import { landOffers, makeOffer } from '../made-offers.ts';

let sql: Sql;
const deletion = { by: 'test', at: new Date('2026-08-01T00:00:00Z'), action: 'delete-book', detail: {} };

beforeAll(async () => {
  sql = await createHastyDatabase();
});

/** A new market, after the ones before have gone. */
async function newMarket(): Promise<number> {
  for (const { id } of await sql<{ id: number }[]>`select id from market`) {
    await deleteMarket(sql, id, deletion);
  }
  return (await ensureMarket(sql, 'drawn', 'recorded')).id;
}

/** Books of 70 days, some of a day: which of eight machines each holds, at which of three prices; few are partial. */
const anyBooks = fc
  .uniqueArray(fc.integer({ min: 0, max: 139 }), { minLength: 4, maxLength: 14 })
  .chain((places) =>
    fc.record({
      places: fc.constant(places),
      offers: fc.array(fc.array(fc.constantFrom(null, 1, 1, 2, 3), { minLength: 8, maxLength: 8 }), {
        minLength: places.length,
        maxLength: places.length,
      }),
      isPartial: fc.array(fc.constantFrom(false, false, false, true), {
        minLength: places.length,
        maxLength: places.length,
      }),
    }),
  );
type Books = typeof anyBooks extends fc.Arbitrary<infer T> ? T : never;

const momentOf = (place: number): string => new Date(Date.UTC(2026, 3, 1) + place * 43_200_000).toISOString();

/** Lands the drawn book at a place of `books`; machines 1 and 2 are one, with offers that only their ordinal parts. */
async function landDrawn(marketId: number, books: Books, index: number): Promise<void> {
  const offers = (books.offers[index] ?? []).flatMap((price, machine) =>
    price === null
      ? []
      : [
          makeOffer(machine + 1, {
            ...{ machineId: Math.max(2, machine + 1), hostId: machine % 4, baseUsdPerHour: price / 10 },
            gpuName: machine < 6 ? 'RTX 4090' : 'H100 SXM',
          }),
        ],
  );
  if (offers.length === 0) return;
  const slices = [
    { gpuName: 'RTX 4090', coverage: complete('declared') },
    { gpuName: null, coverage: partial('declared', 'drawn so') },
  ];
  const options = books.isPartial[index] === true ? { verdict: 'partial' as const, slices } : {};
  await landOffers(sql, marketId, momentOf(books.places[index] ?? 0), offers, options);
}

const indexOf = async () => {
  const { index_day, index_observation } = await readStoredContents(sql);
  return { index_day: index_day ?? [], index_observation: index_observation ?? [] };
};

const inTime = ({ places }: Books): number[] =>
  [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));

describe('the stored index', () => {
  it('has the same bytes for any order of books, and after a rebuild', async () => {
    await holdsFor(anyBooks, 12, async (books) => {
      let marketId = await newMarket();
      for (const index of inTime(books)) await landDrawn(marketId, books, index);
      const inOrder = await indexOf();
      marketId = await newMarket();
      for (const index of books.places.keys()) await landDrawn(marketId, books, index);
      expect(compareContents(inOrder, await indexOf())).toEqual([]);
      await rebuild(sql);
      expect(compareContents(inOrder, await indexOf())).toEqual([]);
      await sql`delete from index_day`;
      await sql`delete from index_observation`;
      await rebuild(sql);
      expect(compareContents(inOrder, await indexOf())).toEqual([]);
    });
  });

  it('is the same after the observations of some days were dropped', async () => {
    await holdsFor(fc.tuple(anyBooks, fc.integer({ min: 0, max: 70 })), 8, async ([books, dropped]) => {
      let marketId = await newMarket();
      for (const index of inTime(books)) await landDrawn(marketId, books, index);
      const { index_day: inOrder } = await indexOf();
      marketId = await newMarket();
      for (const index of books.places.keys()) {
        await landDrawn(marketId, books, index);
        await sql`delete from index_observation where day < '2026-04-01'::date + ${dropped}::int`;
      }
      const { index_day } = await indexOf();
      expect(compareContents({ index_day: inOrder }, { index_day })).toEqual([]);
    });
  });

  it('is as if a deleted book had never existed', async () => {
    await holdsFor(anyBooks, 8, async (books) => {
      let marketId = await newMarket();
      const [kept, gone] = [inTime(books).slice(1), inTime(books)[0] ?? 0];
      const isComplete = { ...books, isPartial: books.isPartial.map(() => false) };
      for (const index of kept) await landDrawn(marketId, isComplete, index);
      const without = await indexOf();
      marketId = await newMarket();
      for (const index of books.places.keys()) await landDrawn(marketId, isComplete, index);
      const ids = await sql<{ id: number }[]>`
        select id from book where observed_at = ${momentOf(books.places[gone] ?? 0)}`;
      await deleteBooks(
        sql,
        ids.map(({ id }) => id),
        deletion,
      );
      expect(compareContents(without, await indexOf())).toEqual([]);
      await deleteBooks(sql, await bookIdsOf(sql, marketId), deletion);
      expect(await indexOf()).toEqual({ index_day: [], index_observation: [] });
    });
  });

  it('does not use narrow books, nor models that a partial book does not cover', async () => {
    const marketId = await newMarket();
    await landOffers(sql, marketId, '2026-05-01T00:00:00Z', [makeOffer(1)], { scopeName: 'models:RTX 4090' });
    await landOffers(sql, marketId, '2026-05-01T01:00:00Z', [makeOffer(1)], { verdict: 'partial' });
    expect(await indexOf()).toEqual({ index_day: [], index_observation: [] });
  });

  it('leaves out and counts prices of 0, and offers that only their ordinal distinguishes at two prices', async () => {
    const marketId = await newMarket();
    const same = { machineId: 5, numGpus: 1, storageUsdPerGbMonth: 0 };
    const free = makeOffer(9, { baseUsdPerHour: 0, storageUsdPerGbMonth: 0 });
    for (const [day, price] of [1, 1, 2].entries()) {
      await landOffers(sql, marketId, `2026-05-0${day + 1}T00:00:00Z`, [
        makeOffer(1, { ...same, baseUsdPerHour: 1 }),
        makeOffer(2, { ...same, baseUsdPerHour: price }),
        ...[3, 4, 5].map((id) => makeOffer(id, { hostId: id })),
        free,
      ]);
    }
    const rows = await sql`
      select listings, machines, hosts, observations, listings_left_out, prices_left_out, movement, movement_error
      from index_day order by day`;
    const common = { movement: 0, movement_error: 0, machines: 4, hosts: 4 };
    expect([...rows]).toEqual([
      {
        ...common,
        listings: 0,
        machines: 0,
        hosts: 0,
        observations: 5,
        listings_left_out: 0,
        prices_left_out: 1,
        movement: null,
        movement_error: null,
      },
      { ...common, listings: 5, observations: 10, listings_left_out: 0, prices_left_out: 2 },
      {
        ...common,
        listings: 3,
        machines: 3,
        hosts: 3,
        observations: 9,
        listings_left_out: 2,
        prices_left_out: 3,
      },
    ]);
  });
});
