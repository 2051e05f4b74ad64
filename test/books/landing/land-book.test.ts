import { beforeAll, describe, expect, it } from 'vitest';
import { findHalfBooks } from '../../../prove/whole-books.ts';
import {
  type LandedBook,
  type LandingOptions,
  openLanding,
} from '../../../src/books/landing/land-book.sql.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { blankCertificate, complete } from '../../../src/core/coverage.ts';
import type { Offer } from '../../../src/core/offer.ts';
import { connect, type Db, type Sql } from '../../../src/database/connection.ts';
import { readOfferRecord } from '../../../src/market/vast/offer-record.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

let markets = 0;

describe('a landing', () => {
  let database: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    database = await createTestDatabase();
    ({ sql } = database);
  });

  const newMarket = async (): Promise<number> => {
    markets += 1;
    return (await ensureMarket(sql, `landed-${markets}`, 'recorded')).id;
  };

  it('stores nothing of a book whose hook fails, and the same book can land afterwards', async () => {
    const marketId = await newMarket();
    const failing = land(sql, marketId, '2026-07-20T00:00:00Z', makeOffers(3), {
      onBookLanded: [
        async (tx, book) => {
          await tx`update book set reason = 'seen' where id = ${book.id}`;
          throw new Error('the hook failed');
        },
      ],
    });
    await expect(failing).rejects.toThrow('the hook failed');
    expect(await booksOf(sql, marketId)).toEqual([]);
    expect(await land(sql, marketId, '2026-07-20T00:00:00Z', makeOffers(3))).toMatchObject({
      kind: 'landed',
    });
    expect(await booksOf(sql, marketId)).toEqual([3]);
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('passes to its hooks whether the series already has a newer book', async () => {
    const marketId = await newMarket();
    const seen: LandedBook[] = [];
    const onBookLanded = [async (_: unknown, book: LandedBook) => void seen.push(book)];
    for (const at of [
      '2026-07-20T02:00:00Z',
      '2026-07-20T01:00:00Z',
      '2026-07-20T03:00:00Z',
      '2026-07-20T03:00:00Z',
    ]) {
      await land(sql, marketId, at, makeOffers(2), { onBookLanded });
    }
    // Landed again it is unchanged, and no hook hears of it.
    expect(seen.map(({ late, verdict }) => [late, verdict])).toEqual([
      [false, 'complete'],
      [true, 'complete'],
      [false, 'complete'],
    ]);
  });

  it("that multiplies the market updates the planner's statistics, so that joins are planned for the new number of rows", async () => {
    const marketId = await newMarket();
    const tables = ['listing', 'presence', 'price_interval', 'listing_attribute'];
    await land(sql, marketId, '2026-07-20T00:00:00Z', makeOffers(3));
    // As the server does by itself, now and then.
    await sql.unsafe(`analyze ${tables.join(', ')}`);
    await land(sql, marketId, '2026-07-20T01:00:00Z', makeOffers(1_000));
    const rows = await sql<{ known: number }[]>`
      select reltuples::float8 as known from pg_class where relname = any(${tables}) and relkind = 'r'`;
    expect(rows).toHaveLength(4);
    for (const { known } of rows) expect(known).toBeGreaterThanOrEqual(1_000);
  });

  it("that is a market's first beside a larger one updates the planner's statistics, which do not know that market", async () => {
    await land(sql, await newMarket(), '2026-07-20T00:00:00Z', makeOffers(1_000));
    await sql`analyze`;
    const marketId = await newMarket();
    const known: string[] = [];
    // Before the end of the landing, whose statistics of points read the same tables.
    const readKnown = async (tx: Db): Promise<void> => {
      const rows = await tx<{ name: string }[]>`
        select distinct tablename as name from pg_stats, market m join scope s on s.market_id = m.id
        where m.id = ${marketId} and tablename in ('listing', 'presence', 'price_interval')
          and case attname when 'market_id' then m.id when 'scope_id' then s.id end::text
            = any(most_common_vals::text::text[])
        order by 1`;
      known.push(...rows.map(({ name }) => name));
    };
    await land(sql, marketId, '2026-07-20T00:00:00Z', makeOffers(300), { onBookLanded: [readKnown] });
    expect(known).toEqual(['listing', 'presence', 'price_interval']);
  });

  it('stores text with tabs, line ends, backslashes and quotes unchanged', async () => {
    const marketId = await newMarket();
    const names = ['a\tb', 'a\nb', 'a\r\nb', '\\N', '\\.', 'a\\b', `'"`, '{1,2}', 'ß 🚀'];
    const offers = names.map((gpuName, index) => ({
      ...makeOffer(index + 1),
      gpuName,
      driverVersion: gpuName,
    }));
    await land(sql, marketId, '2026-07-20T00:00:00Z', offers);
    const rows = await sql<{ name: string; driver: string }[]>`
      select g.name, o.driver_version as driver from latest_offer o join listing l on l.id = o.listing_id
      join gpu_model g on g.id = l.gpu_model_id where l.market_id = ${marketId} order by l.machine_id`;
    expect(rows.map(({ name }) => name)).toEqual(names);
    expect(rows.map(({ driver }) => driver)).toEqual(names);
  });

  it('waits for another landing of its series, so that the same book landing twice at once is stored once', async () => {
    const marketId = await newMarket();
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => land(sql, marketId, '2026-07-20T00:00:00Z', makeOffers(40))),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['landed', 'unchanged', 'unchanged']);
    expect(await booksOf(sql, marketId)).toEqual([40]);
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('lands books of both types with the same new names at once without a deadlock', async () => {
    const marketId = await newMarket();
    const pool = connect(database.target, { max: 4 });
    const named = Array.from({ length: 30 }, (_, index) => ({
      ...makeOffer(index + 1),
      gpuName: `model ${index}`,
      country: String.fromCharCode(65 + (index % 26), 90 - (index % 26)),
    }));
    const types = ['on-demand', 'bid', 'reserved'] as const;
    const outcomes = await Promise.all(
      types.map((type, index) => {
        const order = index % 2 === 0 ? named : named.toReversed();
        return land(
          pool,
          marketId,
          '2026-07-20T00:00:00Z',
          order.map((offer) => ({ ...offer, type })),
          { type },
        );
      }),
    );
    await pool.end();
    expect(outcomes.map(({ kind }) => kind)).toEqual(['landed', 'landed', 'landed']);
  });

  it.each(['later first', 'earlier first', 'the day after first'] as const)(
    'shares attribute days with a simultaneous one of another scope: %s',
    async (order) => {
      const marketId = await newMarket();
      const bookOf = (at: string, scopeName: string, reliability: number) => ({
        ...{ at, scopeName, offers: makeOffers(3).map((offer) => ({ ...offer, reliability })) },
      });
      // Listings that are there already, so that nothing before the attributes waits.
      await land(sql, marketId, '2026-07-10T00:00:00Z', makeOffers(3));
      // Which day says what does not depend on whose transaction ends first.
      const earlier = bookOf('2026-07-20T22:00:00Z', 'default', 0.9);
      const later = bookOf(
        order === 'the day after first' ? '2026-07-21T01:00:00Z' : '2026-07-20T23:00:00Z',
        'rented',
        0.99,
      );
      const [first, second] = order === 'earlier first' ? [earlier, later] : [later, earlier];
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let holds = (): void => {};
      const held = new Promise<void>((resolve) => {
        holds = resolve;
      });
      const wait = async (): Promise<void> => {
        holds();
        await released;
      };
      const { scopeName } = first;
      const [one, two] = [
        land(sql, marketId, first.at, first.offers, { scopeName, onBookLanded: [wait] }),
        held.then(() => land(sql, marketId, second.at, second.offers, { scopeName: second.scopeName })),
      ];
      await held;
      await someoneWaits(sql);
      release();
      await Promise.all([one, two]);
      const rows = await sql`
        select distinct a.day::text as day, a.valid_until::text as until, a.reliability
        from listing_attribute a join listing l on l.id = a.listing_id where l.market_id = ${marketId}
          and a.day >= '2026-07-20' order by 1`;
      expect(rows.map(({ day, until, reliability }) => [day, until, reliability])).toEqual(
        order === 'the day after first'
          ? [
              ['2026-07-20', '2026-07-21', 0.9],
              ['2026-07-21', 'infinity', 0.99],
            ]
          : [['2026-07-20', 'infinity', 0.9]],
      );
    },
  );

  it('that replaces a book deletes no listing that a book of another scope has just named', async () => {
    const marketId = await newMarket();
    await land(sql, marketId, '2026-07-20T01:00:00Z', makeOffers(2));
    let replaced: Promise<unknown> = Promise.resolve();
    await land(sql, marketId, '2026-07-20T02:00:00Z', makeOffers(2), {
      scopeName: 'rented',
      onBookLanded: [
        async () => {
          replaced = land(sql, marketId, '2026-07-20T01:00:00Z', makeOffers(1), { replace: true });
          await someoneWaits(sql);
        },
      ],
    });
    await replaced;
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it("that replaces a book keeps what a later book stored with that day's attributes", async () => {
    const marketId = await newMarket();
    const [both, one] = [makeOffers(2), makeOffers(1)];
    await land(sql, marketId, '2026-07-20T01:00:00Z', both);
    await land(sql, marketId, '2026-07-20T02:00:00Z', one);
    await land(sql, marketId, '2026-07-20T03:00:00Z', both);
    await land(sql, marketId, '2026-07-20T01:00:00Z', one, { replace: true });
    expect(await booksOf(sql, marketId)).toEqual([1, 2, 1]);
    const [row] = await sql<{ offers: number[] }[]>`
      select array_agg(p.offers order by p.t) as offers from book_point p
      join point_cell c on c.id = p.cell_id join scope s on s.id = c.scope_id
      where s.market_id = ${marketId} and c.gpu_model_id = 0`;
    expect(row?.offers).toEqual([1, 1, 2]);
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('frees its connection and its staged rows when it is closed without storing', async () => {
    const marketId = await newMarket();
    const pool = connect(database.target, { max: 1 });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const landing = await openLanding(pool, optionsOf(marketId));
      await landing.stage(makeOffers(5));
      await landing.close();
    }
    const [row] = await pool`select to_regclass('staged_offer') as staged`;
    expect(row?.staged).toBeNull();
    await pool.end();
    expect(await booksOf(sql, marketId)).toEqual([]);
  });
});

/** Until a session of the database waits for a lock. */
async function someoneWaits(sql: Sql): Promise<void> {
  const endsAt = performance.now() + 60_000;
  for (;;) {
    const [row] = await sql<{ count: number }[]>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (row !== undefined && row.count > 0) return;
    if (performance.now() > endsAt) throw new Error('nobody waits');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const optionsOf = (marketId: number): LandingOptions => ({
  ...{
    marketId,
    scopeName: 'default',
    type: 'on-demand',
    allocatedStorageGb: 8,
    statistics: pointStatistics,
  },
});

async function land(
  sql: Sql,
  marketId: number,
  at: string,
  offers: Offer[],
  options: Partial<LandingOptions> = {},
): Promise<{ kind: string }> {
  const landing = await openLanding(sql, { ...optionsOf(marketId), ...options });
  try {
    await landing.stage(offers);
    const observedAt = new Date(at);
    const certificate = { ...blankCertificate('none'), rows: offers.length, accepted: offers.length };
    return await landing.land({
      observedAt,
      startedAt: observedAt,
      coverage: complete('declared'),
      certificate,
    });
  } finally {
    await landing.close();
  }
}

async function booksOf(sql: Sql, marketId: number): Promise<number[]> {
  const rows = await sql<{ offers: number }[]>`
    select offers from book b join scope s on s.id = b.scope_id where s.market_id = ${marketId} order by b.id`;
  return rows.map(({ offers }) => offers);
}

function makeOffer(id: number): Offer {
  const record = {
    id,
    machine_id: id,
    gpu_name: 'RTX 4090',
    num_gpus: 1,
    dph_base: 0.3,
    dph_total: 0.3,
    storage_cost: 0.1,
  };
  const reading = readOfferRecord(record, 'on-demand');
  if (!reading.ok) throw new Error(reading.rejected.reason);
  return reading.offer;
}

const makeOffers = (count: number): Offer[] =>
  Array.from({ length: count }, (_, index) => makeOffer(index + 1));
