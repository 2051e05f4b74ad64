import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bucket, bucketStart, chooseBucket, wholeBuckets } from '../../src/core/bucket.ts';

const at = (text: string) => new Date(text);

describe('bucketStart', () => {
  it.each<[Bucket, string, string]>([
    ['book', '2026-07-22T12:34:56.789Z', '2026-07-22T12:34:56.789Z'],
    ['1h', '2026-07-22T12:34:56.789Z', '2026-07-22T12:00:00.000Z'],
    ['1d', '2026-07-22T12:34:56.789Z', '2026-07-22T00:00:00.000Z'],
    ['1w', '2026-07-22T12:34:56.789Z', '2026-07-20T00:00:00.000Z'],
    ['1w', '2026-07-20T00:00:00.000Z', '2026-07-20T00:00:00.000Z'],
    ['1w', '2026-07-19T23:59:59.999Z', '2026-07-13T00:00:00.000Z'],
    ['1w', '1970-01-01T00:00:00.000Z', '1969-12-29T00:00:00.000Z'],
  ])('%s of %s is %s', (bucket, moment, start) => {
    expect(bucketStart(bucket, at(moment)).toISOString()).toBe(start);
  });
});

describe('wholeBuckets', () => {
  it('widens a range to the buckets that it overlaps, and keeps whole ones', () => {
    const range = { from: at('2026-07-20T00:00:00Z'), to: at('2026-07-27T00:00:00Z') };
    expect(wholeBuckets('1w', range)).toEqual(range);
    expect(wholeBuckets('1w', { from: at('2026-07-21T05:00:00Z'), to: at('2026-07-26T23:00:00Z') })).toEqual(
      range,
    );
    const over = wholeBuckets('1d', { from: range.from, to: at('2026-07-20T00:00:00.001Z') });
    expect(over.to).toEqual(at('2026-07-21T00:00:00Z'));
  });

  it('contains the range and starts and ends at bucket limits', () => {
    const moment = fc.date({ min: at('1960-01-01'), max: at('2040-01-01'), noInvalidDate: true });
    const buckets = fc.constantFrom<Bucket>('1h', '1d', '1w');
    fc.assert(
      fc.property(moment, moment, buckets, (a, b, bucket) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const whole = wholeBuckets(bucket, { from, to });
        expect(whole.from <= from && whole.to >= to).toBe(true);
        for (const edge of [whole.from, whole.to]) expect(bucketStart(bucket, edge)).toEqual(edge);
        expect(bucketStart(bucket, from)).toEqual(whole.from);
      }),
    );
  });
});

describe('chooseBucket', () => {
  it.each([
    [400, '2026-01-01', '2026-12-31', 'book'],
    [401, '2026-07-01', '2026-07-18', '1h'],
    [720, '2026-07-01', '2026-07-31', '1d'],
    [9000, '2025-01-01', '2026-12-31', '1d'],
    [9000, '2022-01-01', '2026-12-31', '1w'],
  ] as const)('%i books from %s to %s: %s', (books, first, last, bucket) => {
    expect(chooseBucket({ books, first: at(first), last: at(last) })).toBe(bucket);
  });

  it('is `book` without any book', () => {
    expect(chooseBucket({ books: 0, first: null, last: null })).toBe('book');
  });
});
