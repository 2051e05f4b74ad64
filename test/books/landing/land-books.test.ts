import { expect, it } from 'vitest';
import { compareContents, readStoredContents } from '../../../prove/stored-contents.ts';
import { openLanding } from '../../../src/books/landing/land-book.sql.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { seedHistory } from '../../../src/books/seed-history.ts';
import { blankCertificate, complete } from '../../../src/core/coverage.ts';
import type { PricingType } from '../../../src/core/offer.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { readOfferRecord } from '../../../src/market/vast/offer-record.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { createTestDatabase } from '../../support/test-database.ts';

const simulator = createSimulator({ offersPerType: 60 });
// Around the end of a week and of a month, in two grains.
const moments = [0, 6, 12, 18, 24, 30, 36, 37, 38, 39, 60, 61, 62].map(
  (hour) => new Date(Date.UTC(2026, 4, 30, hour)),
);

const recordsAt = (type: PricingType, at: Date): readonly unknown[] => {
  const answer = simulator.search({ type, limit: 1_000 }, at);
  if (answer.status !== 200) throw new Error('the simulator refused');
  return answer.body.offers;
};

async function seed(sql: Sql, options: Partial<Parameters<typeof seedHistory>[1]> = {}): Promise<number> {
  const { id: marketId } = await ensureMarket(sql, 'simulator', 'simulated');
  return await seedHistory(sql, {
    ...{
      marketId,
      moments,
      recordsAt,
      allocatedStorageGb: 8,
      statistics: pointStatistics,
      now: () => new Date(),
    },
    ...{ newId: () => crypto.randomUUID(), onProgress: () => {} },
    ...options,
  });
}

async function landOneByOne(sql: Sql): Promise<void> {
  const { id: marketId } = await ensureMarket(sql, 'simulator', 'simulated');
  for (const type of ['on-demand', 'bid'] as const) {
    for (const observedAt of moments) {
      const records = recordsAt(type, observedAt);
      const offers = records.flatMap((record) => {
        const reading = readOfferRecord(record, type);
        return reading.ok ? [reading.offer] : [];
      });
      const landing = await openLanding(sql, {
        ...{ marketId, scopeName: 'default', type, allocatedStorageGb: 8, statistics: pointStatistics },
      });
      await landing.stage(offers);
      await landing.land({
        ...{ observedAt, startedAt: observedAt, coverage: complete('declared') },
        certificate: { ...blankCertificate('none'), rows: records.length, accepted: offers.length },
      });
      await landing.close();
    }
  }
}

it('stores several books together exactly as one by one', async () => {
  const [{ sql: together }, { sql: alone }] = [await createTestDatabase(), await createTestDatabase()];
  expect(await seed(together)).toBe(2 * moments.length);
  await landOneByOne(alone);
  expect(compareContents(await readStoredContents(alone), await readStoredContents(together))).toEqual([]);
});

it('stores the newest book of each type before any other', async () => {
  const { sql } = await createTestDatabase();
  const stopped = new AbortController();
  await seed(sql, {
    signal: stopped.signal,
    onProgress: (done) => {
      if (done > 0) stopped.abort();
    },
  });
  const rows = await sql<{ type: string; observedAt: Date }[]>`
    select type, observed_at as "observedAt" from book order by type::text`;
  const newest = moments.at(-1);
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { type: 'bid', observedAt: newest },
    { type: 'on-demand', observedAt: newest },
  ]);
});

it('stores nothing of a group that fails, and then continues to the same contents', async () => {
  const [{ sql }, { sql: whole }] = [await createTestDatabase(), await createTestDatabase()];
  let answers = 0;
  const failing = seed(sql, {
    recordsAt: (type, at) => {
      answers += 1;
      if (answers === 12) throw new Error('the power went');
      return recordsAt(type, at);
    },
  });
  await expect(failing).rejects.toThrow('the power went');
  const [left] = await sql`select count(*) from book b
    where not exists (select from crawl r where r.book_id = b.id and r.outcome = 'complete')`;
  expect(left?.count).toBe(0);
  await seed(sql);
  await seed(whole);
  expect(compareContents(await readStoredContents(whole), await readStoredContents(sql))).toEqual([]);
});
