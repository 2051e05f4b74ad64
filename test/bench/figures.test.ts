import { describe, expect, it } from 'vitest';
import type { Measurement } from '../../bench/figure.ts';
import { judgeFigure } from '../../bench/judge.ts';
import { mergeResults } from '../../bench/results-table.ts';

const measured = (values: Partial<Measurement>): Measurement => ({
  ...{ name: 'rankings-p95', value: 49, unit: 'ms', yardstick: null, details: [] },
  sizes: [{ what: 'offers', count: 25_000, atLeast: 25_000 }],
  ...values,
});

describe('judgeFigure', () => {
  it('passes what is within its limit at the stated size, and nothing else', () => {
    expect(judgeFigure(measured({}), false)).toMatchObject({ ok: true, limit: 50, ratio: null });
    expect(judgeFigure(measured({ value: 51 }), false).ok).toBe(false);
    const small = [{ what: 'offers', count: 24_999, atLeast: 25_000 }];
    expect(judgeFigure(measured({ sizes: small }), false).ok).toBe(false);
    expect(judgeFigure(measured({ sizes: [] }), false).ok).toBe(false);
    expect(judgeFigure(measured({ value: Number.NaN }), false).ok).toBe(false);
  });

  it('judges a ratio to the yardstick, with what is allowed beside it', () => {
    const ingest = { name: 'ingest-next-book', yardstick: 1_000 };
    expect(judgeFigure(measured({ ...ingest, value: 2_000 }), false)).toMatchObject({ ok: true, ratio: 2 });
    expect(judgeFigure(measured({ ...ingest, value: 2_001 }), false).ok).toBe(false);
    // 5 times the body of 10 MB and 64 MB.
    const memory = { name: 'ingest-memory', unit: 'MB', yardstick: 10 };
    expect(judgeFigure(measured({ ...memory, value: 114 }), false)).toMatchObject({ ok: true, limit: 11.4 });
    expect(judgeFigure(measured({ ...memory, value: 115 }), false).ok).toBe(false);
    expect(() => judgeFigure(measured({ name: 'ingest-memory' }), false)).toThrow('no yardstick');
  });

  it('decides nothing by information, nor in a quick run by what holds at full size only', () => {
    const information = { name: 'database-bytes-recorded-rates', value: 1e9 };
    expect(judgeFigure(measured(information), false)).toMatchObject({ ok: null, limit: null });
    expect(judgeFigure(measured({ ...information, sizes: [] }), false).ok).toBe(false);
    const slow = measured({ value: 51, onlyAtFullSize: true });
    expect([judgeFigure(slow, true).ok, judgeFigure(slow, false).ok]).toEqual([null, false]);
    expect(() => judgeFigure(measured({ name: 'unheard-of' }), false)).toThrow('no limit for unheard-of');
  });
});

describe('mergeResults', () => {
  const figure = (values: Partial<Measurement>) => {
    const made = measured(values);
    return { judged: judgeFigure(made, false), measured: made };
  };
  const rowsOf = (page: string) => page.split('\n').filter((line) => /^\| (?!figure)/.test(line));

  it('puts new figures in the place of old ones and keeps the others of the same machine alone', () => {
    const first = mergeResults(
      '',
      'a laptop',
      [figure({}), figure({ name: 'watches', value: 1_234 })],
      '2026-01-01',
    );
    const second = mergeResults(first, 'a laptop', [figure({ value: 51 })], '2026-01-02');
    expect(rowsOf(second)).toEqual([
      '| rankings-p95 | 51 ms |  |  | 50 | beyond | 25,000 offers | 2026-01-02 |',
      '| watches | 1234 ms |  |  | 5000 | within | 25,000 offers | 2026-01-01 |',
    ]);
    expect(rowsOf(mergeResults(second, 'a server', [figure({})], '2026-01-03'))).toHaveLength(1);
  });
});
