import { describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { createPriceCache } from '../../src/prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from '../../src/prices/verdicts/segment-medians.ts';
import { warmUp } from '../../src/service/cache-warming.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('warmUp', () => {
  it('computes past days and reads each newest book once, until another one lands', async () => {
    const { sql } = await createTestDatabase();
    const market = await ensureMarket(sql, 'warm', 'recorded');
    const shared = createPriceCache();
    const read: number[] = [];
    const pooled: string[] = [];
    const priceCache = {
      ...shared,
      outlierTests: createOutlierTests(sql),
      currentOffers: async (...[db, book]: Parameters<typeof shared.currentOffers>) => {
        read.push(book.id);
        return await shared.currentOffers(db, book);
      },
      poolsAt: async (...asked: Parameters<typeof shared.poolsAt>) => {
        const pools = await shared.poolsAt(...asked);
        const window: typeof pools.window = (segment, days) => {
          pooled.push(`${segment.gpuName} ${segment.verification} ${days}`);
          return pools.window(segment, days);
        };
        return { ...pools, window };
      },
    };
    const deps = { sql, log: silentLog, defaultMarket: async () => market, priceCache };
    const empty = await warmUp(deps, '');
    expect(read).toEqual([]);
    await landOffers(sql, market.id, '2026-07-01T10:00:00Z', [makeOffer(1)]);
    await landOffers(sql, market.id, '2026-07-02T10:00:00Z', [makeOffer(1)]);
    const first = await warmUp(deps, empty);
    expect(await warmUp(deps, first)).toBe(first);
    expect(read).toHaveLength(1);
    // Of one segment, which has too little history of its own, so that all tiers are looked at too.
    const windows = [7, 30, 90];
    expect([...new Set(pooled)]).toEqual(
      ['verified', 'all'].flatMap((tier) => windows.map((days) => `RTX 4090 ${tier} ${days}`)),
    );
    expect(await sql`select to_char(day, 'YYYY-MM-DD') as day from pool_day`).toEqual([
      { day: '2026-07-01' },
    ]);
    await landOffers(sql, market.id, '2026-07-03T10:00:00Z', [makeOffer(1), makeOffer(2)]);
    expect(await warmUp(deps, first)).not.toBe(first);
    expect(read).toHaveLength(2);
    expect(await sql`select from pool_day`).toHaveLength(2);
  });
});
