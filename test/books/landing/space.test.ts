import { expect, it } from 'vitest';
import { openLanding } from '../../../src/books/landing/land-book.sql.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { blankCertificate, complete } from '../../../src/core/coverage.ts';
import { readOfferRecord } from '../../../src/market/vast/offer-record.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { createTestDatabase } from '../../support/test-database.ts';

const hourMs = 3_600_000;

it('takes at most twice the space of its rows after many books', async () => {
  const { sql } = await createTestDatabase();
  const simulator = createSimulator({ offersPerType: 400 });
  const { id: marketId } = await ensureMarket(sql, 'simulator', 'simulated');
  for (let hour = 0; hour < 40; hour += 1) {
    const observedAt = new Date(Date.UTC(2026, 4, 4) + hour * hourMs);
    const answer = simulator.search({ type: 'on-demand', limit: 10_000 }, observedAt);
    if (answer.status !== 200) throw new Error('the simulator refused');
    const offers = answer.body.offers.flatMap((record) => {
      const reading = readOfferRecord(record, 'on-demand');
      return reading.ok ? [reading.offer] : [];
    });
    const landing = await openLanding(sql, {
      ...{
        marketId,
        scopeName: 'default',
        type: 'on-demand',
        allocatedStorageGb: 8,
        statistics: pointStatistics,
      },
    });
    await landing.stage(offers);
    await landing.land({
      ...{ observedAt, startedAt: observedAt, coverage: complete('declared') },
      certificate: { ...blankCertificate('none'), rows: offers.length, accepted: offers.length },
    });
    await landing.close();
  }
  const sizes = async (): Promise<Map<string, number>> => {
    const rows = await sql<{ name: string; bytes: number }[]>`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`;
    return new Map(rows.map(({ name, bytes }) => [name, bytes]));
  };
  const left = await sizes();
  for (const name of left.keys()) await sql.unsafe(`vacuum full ${name}`);
  const needed = await sizes();
  const sum = (all: Map<string, number>): number => [...all.values()].reduce((total, bytes) => total + bytes);
  expect(sum(left)).toBeLessThan(2 * sum(needed));
  // Of small tables the least that is given out, a page here and there, says nothing.
  const grown = [...left].filter(([name, bytes]) => bytes > 2.5 * (needed.get(name) ?? 0) + 256 * 1_024);
  expect(grown.map(([name, bytes]) => `${name}: ${bytes} bytes for ${needed.get(name)}`)).toEqual([]);
});
