import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLanding } from '../../src/books/landing/land-book.sql.ts';
import { ensureMarket, ensureScope } from '../../src/books/markets.sql.ts';
import { dropOldPoints } from '../../src/books/old-statistics.sql.ts';
import type { Bucket } from '../../src/core/bucket.ts';
import { blankCertificate, complete } from '../../src/core/coverage.ts';
import { defaultProfile } from '../../src/core/metric.ts';
import type { Offer } from '../../src/core/offer.ts';
import { noFilter } from '../../src/core/offer-filter.ts';
import type { Sql } from '../../src/database/connection.ts';
import { readAttributes } from '../../src/prices/listings/listings.sql.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { rebuild } from '../../src/prices/statistics/rebuild.sql.ts';
import { computedPoints } from '../../src/prices/trends/computed-points.sql.ts';
import { readPoints } from '../../src/prices/trends/read-points.sql.ts';
import { makeOffer } from '../prices/made-offers.ts';
import { createTestDatabase } from '../support/test-database.ts';

const retention = { pointsDays: 14, hoursDays: 60 };
/** From January to May; the newest two within the days of points. The 60 days of hours begin within one that has books. */
const moments = [
  ...['2026-01-05T10:00:00Z', '2026-01-05T11:00:00Z', '2026-03-04T10:05:00Z', '2026-03-04T10:20:00Z'],
  ...['2026-03-20T10:00:00Z', '2026-03-20T10:30:00Z', '2026-05-02T10:00:00Z', '2026-05-03T10:07:30Z'],
].map((at) => new Date(at));
const range = { from: new Date('2026-01-01'), to: new Date('2026-06-01') };

describe('old statistics', { timeout: 120_000 }, () => {
  let sql: Sql;
  let live: number;
  let recorded: number;
  const before = new Map<string, unknown>();

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
    live = await makeHistory('shop', 'live');
    recorded = await makeHistory('films', 'recorded');
    for (const scopeId of [live, recorded]) {
      for (const bucket of ['book', '1h', '1d', '1w'] as const) {
        before.set(`${scopeId} ${bucket}`, await pointsOf(scopeId, bucket));
      }
    }
  });

  it('are stored in monthly partitions, created as books arrive', async () => {
    expect(await monthsOf('book_point')).toEqual(['2026_01', '2026_03', '2026_05', '2026_04'].sort());
    expect(await rowsOf('book_point', live)).toBeGreaterThan(0);
  });

  it("are deleted relative to their market's newest book, and kept for recorded markets", async () => {
    const kept = await rowsOf('book_point', recorded);
    for (const scopeId of [live, recorded]) {
      await sql`insert into pool_day (scope_id, type, day, newest_book_id)
        select ${scopeId}, 'on-demand', day::date, 0 from unnest(array['2026-01-01', '2026-01-02', '2026-05-02']) as day`;
    }
    const dropped = await dropOldPoints(sql, retention);
    expect(dropped?.rows).toBeGreaterThan(0);
    expect(await oldest('book_point', live)).toEqual(new Date('2026-05-02T10:00:00Z'));
    expect(await oldest('hour_point', live)).toEqual(new Date('2026-03-20T10:00:00Z'));
    expect(await oldest('day_point', live)).toEqual(new Date('2026-01-05T00:00:00Z'));
    expect(await rowsOf('book_point', recorded)).toBe(kept);
    const poolDays = async (scopeId: number) =>
      (await sql`select from pool_day where scope_id = ${scopeId}`).length;
    expect([await poolDays(live), await poolDays(recorded)]).toEqual([2, 3]);
    // What only repeats the row in force is kept no longer than points of books are.
    const [days] = await sql<{ count: number }[]>`
      select count(*) from listing_attribute a join listing l on l.id = a.listing_id
      join scope s on s.market_id = l.market_id
      where s.id = ${live} and a.valid_until is null and a.day < '2026-04-19'`;
    expect(days?.count).toBe(0);
  });

  it('are recomputed with the same figures on request, at every interval', async () => {
    for (const scopeId of [live, recorded]) {
      for (const bucket of ['book', '1h', '1d', '1w'] as const) {
        expect(await pointsOf(scopeId, bucket)).toEqual(before.get(`${scopeId} ${bucket}`));
      }
    }
    expect(before.get(`${live} book`)).toHaveLength(8);
  });

  it('are deleted as whole months, and a rebuild does not bring them back', async () => {
    await sql`update market set kind = 'live' where name = 'films'`;
    const dropped = await dropOldPoints(sql, retention);
    expect(dropped?.months).toEqual(
      expect.arrayContaining(['book_point_2026_01', 'book_point_2026_03', 'hour_point_2026_01']),
    );
    expect(await monthsOf('book_point')).not.toContain('2026_01');
    await rebuild(sql, () => {}, retention);
    expect(await oldest('book_point', live)).toEqual(new Date('2026-05-02T10:00:00Z'));
    expect(await oldest('hour_point', live)).toEqual(new Date('2026-03-20T10:00:00Z'));
    expect(await pointsOf(live, 'book')).toEqual(before.get(`${live} book`));
    expect(await pointsOf(live, '1h')).toEqual(before.get(`${live} 1h`));
  });

  it('stay computed before a late book, whose hour is not stored either', async () => {
    await landAt(live, '2026-01-05T10:30:00Z', [makeOffer(1)]);
    expect(await oldest('hour_point', live)).toEqual(new Date('2026-03-20T10:00:00Z'));
    for (const bucket of ['book', '1h', '1d', '1w'] as const) {
      expect(await pointsOf(live, bucket)).toEqual(await computedOf(live, bucket));
    }
    expect(await pointsOf(live, '1h')).toHaveLength(6);
  });

  it('are computed in a database older than the statistics until they are rebuilt', async () => {
    const wanted = new Map<Bucket, unknown>();
    for (const bucket of ['1h', '1d', '1w'] as const) wanted.set(bucket, await computedOf(live, bucket));
    const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));
    const file = readdirSync(folder).find((name) => name.endsWith('_what_is_stored.sql')) ?? '';
    const found = readFileSync(join(folder, file), 'utf8')
      .split('--> statement-breakpoint')
      .filter((statement) => /^\s*(--[^\n]*\n)?UPDATE/.test(statement))
      // Points had the columns of their cell then.
      .map((statement) =>
        statement.replaceAll(
          /FROM "(hour|day)_point" p/g,
          'FROM (SELECT c.*, t FROM "$1_point" JOIN "point_cell" c ON c."id" = "cell_id") p',
        ),
      );
    expect(found).toHaveLength(3);
    expect(found.filter((statement) => statement.includes('point_cell'))).toHaveLength(2);
    const migrateAgain = async () => {
      await sql`update scope set hours_from = null, days_stored = true`;
      for (const statement of found) await sql.unsafe(statement);
      return (
        await sql<{ hoursFrom: Date | null; daysStored: boolean }[]>`
        select hours_from as "hoursFrom", days_stored as "daysStored" from scope order by id`
      ).map((row) => ({ ...row }));
    };
    // What retention has dropped is known by the hours that are missing.
    expect(await migrateAgain()).toEqual(
      [live, recorded].map(() => ({ hoursFrom: new Date('2026-03-04T11:00:00Z'), daysStored: true })),
    );
    for (const table of ['hour_point', 'day_point', 'week_point']) await sql`delete from ${sql(table)}`;
    expect(await migrateAgain()).toEqual(
      [live, recorded].map(() => ({ hoursFrom: new Date('2026-05-03T11:00:00Z'), daysStored: false })),
    );
    for (const [bucket, points] of wanted) expect(await pointsOf(live, bucket)).toEqual(points);
    await rebuild(sql, () => {}, retention);
    expect(await rowsOf('week_point', live)).toBeGreaterThan(0);
    for (const [bucket, points] of wanted) expect(await pointsOf(live, bucket)).toEqual(points);
  });

  it('of attributes keep what later days need, whatever arrives late', async () => {
    const { id: marketId } = await ensureMarket(sql, 'thinned', 'live');
    const scopeId = await ensureScope(sql, marketId, 'default');
    const like = (values: Partial<Offer>) => [makeOffer(1, values)];
    await landAt(scopeId, '2026-01-05T12:00:00Z', like({ country: 'DE' }));
    await landAt(scopeId, '2026-01-06T12:00:00Z', like({ country: 'DE' }));
    await landAt(scopeId, '2026-05-03T12:00:00Z', like({ country: 'DE' }));
    await dropOldPoints(sql, retention);
    const [listing] = await sql<{ id: number }[]>`select id from listing where market_id = ${marketId}`;
    const countries = async () =>
      (await readAttributes(sql, listing?.id ?? 0)).map(({ from, to, country }) => [from, to, country]);
    expect(await countries()).toEqual([['2026-01-05', null, 'DE']]);
    await landAt(scopeId, '2026-01-05T06:00:00Z', like({ country: 'US' }));
    await landAt(scopeId, '2026-01-06T06:00:00Z', like({ country: 'US' }));
    expect(await countries()).toEqual([['2026-01-05', null, 'DE']]);
    await landAt(scopeId, '2026-01-03T06:00:00Z', like({ country: 'US' }));
    await landAt(scopeId, '2026-01-05T12:00:00Z', [makeOffer(2)], true);
    expect(await countries()).toEqual([
      ['2026-01-03', '2026-01-05', 'US'],
      ['2026-01-05', null, 'DE'],
    ]);
    // Of recent days a late book says what it always did.
    await landAt(scopeId, '2026-05-03T06:00:00Z', like({ country: 'US' }));
    expect((await countries()).at(-1)).toEqual(['2026-05-03', null, 'US']);
  });

  async function landAt(scopeId: number, at: string, offers: Offer[], replace = false): Promise<void> {
    const [scope] = await sql<{ marketId: number }[]>`
      select market_id as "marketId" from scope where id = ${scopeId}`;
    const landing = await openLanding(sql, {
      ...{
        marketId: scope?.marketId ?? 0,
        scopeName: 'default',
        type: 'on-demand',
        allocatedStorageGb: 8,
        statistics: pointStatistics,
        replace,
      },
    });
    const observedAt = new Date(at);
    await landing.stage(offers);
    await landing.land({
      ...{ observedAt, startedAt: observedAt, coverage: complete('proved') },
      certificate: { ...blankCertificate('id'), rows: offers.length, accepted: offers.length },
    });
    await landing.close();
  }

  async function makeHistory(name: string, kind: 'live' | 'recorded'): Promise<number> {
    const { id: marketId } = await ensureMarket(sql, name, kind);
    const scopeId = await ensureScope(sql, marketId, 'default');
    for (const [place, observedAt] of moments.entries()) {
      const offers = Array.from({ length: 3 + place }, (_, index) => makeOffer(index + 1));
      await landAt(scopeId, observedAt.toISOString(), offers);
    }
    return scopeId;
  }

  async function pointsOf(scopeId: number, bucket: Bucket): Promise<unknown> {
    return await readPoints(
      sql,
      { scopeId, type: 'on-demand', gpuName: null, ...range },
      { bucket, metric: 'usdPerGpuHour', profile: defaultProfile, filter: noFilter },
    );
  }

  async function computedOf(scopeId: number, bucket: Bucket): Promise<unknown> {
    return await computedPoints(
      sql,
      { scopeId, type: 'on-demand', gpuName: null, ...range },
      { bucket, metric: 'usdPerGpuHour', profile: defaultProfile, filter: noFilter },
    );
  }

  async function monthsOf(table: string): Promise<string[]> {
    const rows = await sql<{ name: string }[]>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass order by 1`;
    return rows.map(({ name }) => name.slice(table.length + 1));
  }

  async function rowsOf(table: string, scopeId: number): Promise<number> {
    const [row] = await sql<{ count: number }[]>`
      select count(*) from ${sql(table)} p join point_cell c on c.id = p.cell_id where c.scope_id = ${scopeId}`;
    return row?.count ?? 0;
  }

  async function oldest(table: string, scopeId: number): Promise<Date | null> {
    const [row] = await sql<{ at: Date | null }[]>`
      select min(p.t) as at from ${sql(table)} p join point_cell c on c.id = p.cell_id
      where c.scope_id = ${scopeId}`;
    return row?.at ?? null;
  }
});
