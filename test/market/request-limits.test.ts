import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../src/market/vast/dialect.ts';
import { requestLimits } from '../../src/market/vast/request-limits.ts';

describe('the limits of a market', () => {
  it('are the searches per minute and the minimum intervals, both if a dialect gives searches one', () => {
    const limits = requestLimits({ searchesPerMinute: 7 }, defaultDialect);
    expect(Object.keys(limits)).toEqual(Object.keys(defaultDialect.minIntervalSeconds));
    expect(limits).toMatchObject({
      searchOffers: [{ count: 7, windowMs: 60_000 }],
      createInstance: [{ count: 1, windowMs: 4_500 }],
      changeInstance: [],
    });
    const minIntervalSeconds = { ...defaultDialect.minIntervalSeconds, searchOffers: 2 };
    expect(requestLimits({ searchesPerMinute: 7 }, { minIntervalSeconds }).searchOffers).toEqual([
      { count: 1, windowMs: 2_000 },
      { count: 7, windowMs: 60_000 },
    ]);
  });
});
