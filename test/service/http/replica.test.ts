import { describe, expect, it } from 'vitest';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { createTestApp } from '../../support/test-app.ts';
import { createTestDatabase } from '../../support/test-database.ts';

describe('with a read replica', () => {
  it('reads prices and history there, and credentials and state from the primary', async () => {
    // The replica has one book more, which shows which of the two was read.
    const { sql: readSql } = await createTestDatabase();
    const { id } = await ensureMarket(readSql, 'test-market', 'recorded');
    await landOffers(readSql, id, '2026-07-30T00:00:00Z', [makeOffer(1, { gpuName: 'RTX 4090' })]);
    const { json } = await createTestApp({ readSql });
    for (const path of ['/api/offers', '/api/rankings']) {
      const { items } = await json<{ items: { gpuName: string }[] }>(path);
      expect(items.map(({ gpuName }) => gpuName)).toEqual(['RTX 4090']);
    }
    const { series } = await json<{ series: { points: unknown[] }[] }>(
      '/api/trends?bucket=book&from=2026-07-01&to=2026-08-01',
    );
    expect(series.map(({ points }) => points.length)).toEqual([1]);
    expect((await json<{ items: unknown[] }>('/api/crawls')).items).toEqual([]);
  });
});
