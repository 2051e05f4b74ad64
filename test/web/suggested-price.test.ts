import { describe, expect, it } from 'vitest';
import type { Backtest } from '../../web/core/api.ts';
import { nextBook } from '../../web/watches/next-book.ts';
import { priceOf, suggestedPrice } from '../../web/watches/suggested-price.ts';
import { isBelow } from '../../web/watches/would-fire.tsx';

describe('the suggested price of an alert', () => {
  it.each([
    [2.32, '2.20'],
    [0.305, '0.28'],
    [0.0123, '0.011'],
    [0.00031, '0.00029'],
    [14, '13.00'],
    [250, '230.00'],
    [null, ''],
    [0, ''],
  ])('is round and a little under the value now: %s gives %s', (value, text) => {
    expect(suggestedPrice(value)).toBe(text);
    if (value !== null && value > 0) expect(Number(text)).toBeLessThan(value);
  });

  it.each([
    ['2.00', 2],
    [' $1.5 ', 1.5],
    ['', null],
    ['0', null],
    ['-1', null],
    ['two', null],
  ])('is read from what the reader types: %s', (text, price) => {
    expect(priceOf(text)).toBe(price);
  });
});

describe('an alert whose price is above the value now', () => {
  it('is known to fire before it has been tested', () => {
    const now = (value: number | null) => ({ now: { value } }) as Backtest;
    expect([
      isBelow(now(1.42), 2),
      isBelow(now(1.42), 1.42),
      isBelow(now(null), 2),
      isBelow(null, 2),
    ]).toEqual([true, false, false, false]);
  });

  it('says when the next book comes that it looks at', () => {
    const entry = (scope: string, nextAt: string | null, type: 'on-demand' | 'bid' = 'on-demand') => ({
      ...{ kind: 'offers' as const, scope, nextAt, type },
    });
    const schedule = [
      entry('default', '2026-07-01T04:07:00Z'),
      entry('default', '2026-07-01T04:00:00Z', 'bid'),
      entry('models:B200|H100 SXM', '2026-07-01T03:30:00Z'),
    ];
    const status = { market: { name: 'own' }, schedule };
    const next = (query: string, known: typeof status | null = status) =>
      nextBook(known, new URLSearchParams(query));
    expect(next('gpuName=H100+SXM&gpuName=B200')).toEqual({ at: '2026-07-01T03:30:00Z' });
    expect(next('country=NO')).toEqual({ at: '2026-07-01T04:07:00Z' });
    expect(next('type=bid&type=on-demand')).toEqual({ at: '2026-07-01T04:00:00Z' });
    // Its own books begin with the alert.
    expect(next('gpuName=H100+SXM')).toEqual({ withinMinutes: 10 });
    expect(next('gpuName=B200&gpuName=H100+SXM&type=bid')).toEqual({ withinMinutes: 10 });
    expect(next('country=NO', null)).toBeNull();
    // Only the schedule of the page's own market is known, whether the offers name it or not.
    expect(next('market=own&gpuName=H100+SXM&gpuName=B200')).toEqual({ at: '2026-07-01T03:30:00Z' });
    expect(next('market=other&gpuName=H100+SXM&gpuName=B200')).toEqual({ withinMinutes: 10 });
    expect(next('market=other&country=NO')).toBeNull();
  });
});
