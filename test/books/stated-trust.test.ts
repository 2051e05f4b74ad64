import { expect, it } from 'vitest';
import type { MarketsAnswer } from '../../src/books/markets.routes.ts';
import type { StatusAnswer } from '../../src/service/http/status.routes.ts';
import { landOffers, priced } from '../prices/made-offers.ts';
import { createTestApp } from '../support/test-app.ts';

it('a market states what any offer of its newest books has, and nothing before the first', async () => {
  const test = await createTestApp();
  const trust = async () => {
    const { items } = await test.json<MarketsAnswer>('/api/markets');
    const status = await test.json<StatusAnswer>('/api/status');
    expect(items[0]?.trust).toEqual(status.trust);
    return status.trust;
  };
  const unknown = { verification: null, reliability: null };
  expect(await trust()).toEqual([]);
  await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', [
    priced(1, 0.1),
    priced(2, 0.2, unknown),
  ]);
  expect(await trust()).toEqual(['verification', 'reliability']);
  await landOffers(test.sql, test.market.id, '2026-07-30T01:00:00Z', [
    priced(1, 0.1, { verification: null }),
    priced(2, 0.2, unknown),
  ]);
  expect(await trust()).toEqual(['reliability']);
  await landOffers(test.sql, test.market.id, '2026-07-30T02:00:00Z', [priced(1, 0.1, unknown)]);
  expect(await trust()).toEqual([]);
});
