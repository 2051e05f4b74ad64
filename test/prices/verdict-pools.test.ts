import { describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Offer } from '../../src/core/offer.ts';
import { createPastPools } from '../../src/prices/verdicts/past-pools.ts';
import { pooledPrice } from '../../src/prices/verdicts/pool-day.ts';
import { createVerdictPools } from '../../src/prices/verdicts/verdict-pools.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { landOffers, makeOffer } from './made-offers.ts';

interface MadeBook {
  at: Date;
  complete: boolean;
  offers: Offer[];
}

/** mulberry32. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.parse('2026-04-01T00:00:00Z');
const tiers = ['verified', 'unverified', null] as const;

/** Books every few hours of some days; machines come and go, change prices, and are of one tier or another. */
function drawBooks(draw: (below: number) => number, count: number): MadeBook[] {
  const books: MadeBook[] = [];
  for (let hours = 0, made = 0; made < count; made += 1) {
    hours += 3 + draw(14);
    const offers: Offer[] = [];
    for (let machineId = 1; machineId <= 6; machineId += 1) {
      for (const numGpus of [1, 2]) {
        if (draw(3) === 0) continue;
        const tier = tiers[(machineId + (draw(9) === 0 ? 1 : 0)) % 3] ?? null;
        offers.push(
          makeOffer(machineId * 10 + numGpus, {
            machineId,
            numGpus,
            hostId: machineId % 4 === 0 ? null : machineId % 3,
            gpuName: machineId === 6 ? 'H100 SXM' : 'RTX 4090',
            verification: tier,
            baseUsdPerHour: (1 + draw(4)) / 10,
            storageUsdPerGbMonth: draw(12) === 0 ? null : 0.09,
          }),
        );
      }
    }
    if (offers.length > 0)
      books.push({ at: new Date(start + hours * hourMs), complete: draw(5) > 0, offers });
  }
  return books;
}

/** The pool as the definition says it, from the books alone; attributes are those of the day's first complete book. */
function plainPool(
  books: readonly MadeBook[],
  at: Date,
  query: { gpuName: string; tier: string | null; days: number },
) {
  const { gpuName, tier, days } = query;
  const from = at.getTime() - days * dayMs;
  const complete = books.filter((book) => book.complete).sort((a, b) => a.at.getTime() - b.at.getTime());
  const attributes = new Map<string, Offer>();
  for (const book of complete) {
    for (const offer of book.offers) {
      const key = `${dayOf(book.at)}|${offer.offerId}`;
      if (!attributes.has(key)) attributes.set(key, offer);
    }
  }
  const lowest = new Map<string, number>();
  const machines = new Set<number>();
  const hosts = new Set<number>();
  const covered = new Set<number>();
  for (const book of complete) {
    if (book.at.getTime() <= from || book.at >= at) continue;
    covered.add(dayOf(book.at));
    for (const offer of book.offers) {
      const { verification = null, hostId = null } =
        attributes.get(`${dayOf(book.at)}|${offer.offerId}`) ?? {};
      if (offer.gpuName !== gpuName || offer.storageUsdPerGbMonth === null) continue;
      if (tier !== 'all' && verification !== tier) continue;
      const price = pooledPrice(
        (offer.baseUsdPerHour + (offer.storageUsdPerGbMonth * 8) / 720) / offer.numGpus,
      );
      const key = `${dayOf(book.at)}|${offer.machineId}`;
      lowest.set(key, Math.min(price, lowest.get(key) ?? price));
      machines.add(offer.machineId);
      if (hostId !== null) hosts.add(hostId);
    }
  }
  return {
    values: [...lowest.values()].sort((a, b) => a - b),
    machines: machines.size,
    hosts: hosts.size,
    coverage: Math.min(1, covered.size / days),
  };
}

const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs);

describe('verdict pools', () => {
  it.each([11, 12])(
    'follow from the books, in whatever order these landed and whenever pools were read (seed %i)',
    { timeout: 120_000 },
    async (seed) => {
      const draw = createDraw(seed);
      const books = drawBooks(draw, 24);
      const order = books.map((_, index) => index).sort((a, b) => ((a * 7919) % 23) - ((b * 7919) % 23));
      const { sql } = await createTestDatabase();
      const { id: marketId } = await ensureMarket(sql, 'drawn', 'recorded');
      const longLived = createVerdictPools();
      const landed: MadeBook[] = [];
      let checks = 0;
      for (const [step, index] of order.entries()) {
        const book = books[index];
        if (book === undefined) continue;
        const verdict = book.complete ? 'complete' : 'partial';
        await landOffers(sql, marketId, book.at.toISOString(), book.offers, { verdict });
        landed.push(book);
        if (step % 6 !== 5 && step !== order.length - 1) continue;
        const [row] = await sql<{ id: number; scopeId: number; observedAt: Date }[]>`
          select id, scope_id as "scopeId", observed_at as "observedAt" from book where verdict = 'complete'
          order by observed_at desc limit 1`;
        if (row === undefined) continue;
        const series = { marketId, scopeId: row.scopeId, type: 'on-demand' as const };
        // One that has seen every state of the history, and one that finds what was stored.
        for (const poolsAt of [longLived, createVerdictPools()]) {
          const pools = await poolsAt(sql, series, row);
          for (const gpuName of ['RTX 4090', 'H100 SXM']) {
            for (const tier of [...tiers, 'all']) {
              for (const days of [1, 7, 30]) {
                const { values, ...rest } = pools.window({ gpuName, verification: tier }, days);
                const wanted = plainPool(landed, row.observedAt, { gpuName, tier, days });
                expect({ values: [...values], ...rest }, `${gpuName} ${tier} ${days}`).toEqual(wanted);
                checks += wanted.values.length;
              }
            }
          }
        }
      }
      expect(checks).toBeGreaterThan(300);
      // Read at once for all books of a past, they are those of each book.
      const stored = await sql<{ id: number; scopeId: number; observedAt: Date }[]>`
        select id, scope_id as "scopeId", observed_at as "observedAt" from book order by observed_at`;
      const [first, last] = [stored[0]?.observedAt ?? new Date(0), stored.at(-1)?.observedAt ?? new Date(0)];
      const range = { from: first, to: new Date(last.getTime() + 1) };
      const ofAll = createPastPools(range, null);
      const ofOne = createPastPools(range, ['RTX 4090']);
      let pooled = 0;
      for (const book of stored) {
        const series = { marketId, scopeId: book.scopeId, type: 'on-demand' as const };
        const wanted = await createVerdictPools()(sql, series, book);
        for (const [pools, gpuNames] of [
          [await ofAll(sql, series, book), ['RTX 4090', 'H100 SXM']],
          [await ofOne(sql, series, book), ['RTX 4090']],
        ] as const) {
          for (const gpuName of gpuNames) {
            for (const verification of [...tiers, 'all'] as const) {
              for (const days of [1, 7, 30]) {
                const segment = { gpuName, verification };
                const window = wanted.window(segment, days);
                expect(pools.window(segment, days), `${book.observedAt.toISOString()} ${days}`).toEqual(
                  window,
                );
                pooled += window.values.length;
              }
            }
          }
        }
      }
      expect(pooled).toBeGreaterThan(300);
    },
  );

  it('are computed on a connection that cannot write', async () => {
    const { sql } = await createTestDatabase();
    const { id: marketId } = await ensureMarket(sql, 'read only', 'recorded');
    for (const at of ['2026-04-01T12:00:00Z', '2026-04-03T12:00:00Z']) {
      await landOffers(sql, marketId, at, [makeOffer(1), makeOffer(2)]);
    }
    const [book] = await sql<{ id: number; scopeId: number; observedAt: Date }[]>`
      select id, scope_id as "scopeId", observed_at as "observedAt" from book order by observed_at desc limit 1`;
    if (book === undefined) throw new Error('no book landed');
    const reader = await sql.reserve();
    try {
      await reader`set default_transaction_read_only = on`;
      const series = { marketId, scopeId: book.scopeId, type: 'on-demand' as const };
      const pools = await createVerdictPools()(reader, series, book);
      expect(pools.window({ gpuName: 'RTX 4090', verification: 'verified' }, 7)).toMatchObject({
        machines: 2,
        coverage: 1 / 7,
      });
    } finally {
      await reader`set default_transaction_read_only = off`;
      reader.release();
    }
    expect(await sql`select from pool_day`).toHaveLength(0);
  });
});
