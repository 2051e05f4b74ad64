import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/domain/errors.ts';
import { readRecordedBooks } from '../../src/domain/recorded-book.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const line = (fields: object): string =>
  JSON.stringify({ id: 1, rental_type: 'on-demand', scraped_at: '2026-07-20T05:19:05+00:00', ...fields });

describe('a recorded book', () => {
  it('is read from JSON lines by moment and pricing type, oldest first, whatever the order of the lines', () => {
    const text = [
      line({ id: 1, scraped_at: '2026-07-21T05:00:00Z' }),
      line({ id: 2, rental_type: 'bid' }),
      line({ id: 3 }),
      '',
      // Another zone, the same moment; another spelling, the same type.
      line({ id: 4, scraped_at: '2026-07-20T07:19:05+02:00', rental_type: 'ondemand' }),
    ].join('\n');
    const books = readRecordedBooks('x', bytes(text));
    expect(
      books.map((book) => [book.observedAt.toISOString(), book.type, book.records.map(({ id }) => id)]),
    ).toEqual([
      ['2026-07-20T05:19:05.000Z', 'bid', [2]],
      ['2026-07-20T05:19:05.000Z', 'on-demand', [3, 4]],
      ['2026-07-21T05:00:00.000Z', 'on-demand', [1]],
    ]);
    expect(new Set(books.map(({ format }) => format))).toEqual(new Set(['lines']));
  });

  it('is read from a search response, with the moment that it carries or that is given', () => {
    const offers = [{ id: 1 }, { id: 2, is_bid: true }];
    const text = JSON.stringify({ collected_utc: '2026-02-27T15:22:46.407407+00:00', offers });
    const books = readRecordedBooks('x', bytes(text));
    expect(books.map(({ type, format, observedAt }) => [type, format, observedAt.toISOString()])).toEqual([
      ['on-demand', 'search', '2026-02-27T15:22:46.407Z'],
      ['bid', 'search', '2026-02-27T15:22:46.407Z'],
    ]);
    const observedAt = new Date('2026-01-01');
    expect(readRecordedBooks('x', bytes(JSON.stringify({ offers })), { observedAt })[0]?.observedAt).toEqual(
      observedAt,
    );
    const [carried] = readRecordedBooks('x', bytes(text), { observedAt });
    expect(carried?.observedAt.toISOString()).toBe('2026-02-27T15:22:46.407Z');
  });

  it('is read from an answer whose `offers` is one object, gzipped or with a byte order mark', () => {
    const text = JSON.stringify({ offers: { id: 7 }, collected_utc: '2026-07-20T05:19:05Z' }, null, 2);
    for (const stored of [bytes(text), gzipSync(text), bytes(`\uFEFF${text}`)]) {
      expect(readRecordedBooks('x', stored)).toMatchObject([{ type: 'on-demand', records: [{ id: 7 }] }]);
    }
  });

  it.each([
    '',
    ' \n',
    '[]',
    '{"offers":[1]}',
    '{}',
    'null',
    '{"offers":[],"collected_utc":"2026-07-20T05:19:05Z"}',
  ])('is not %j: refused by name with a reason', (text) => {
    expect(() => readRecordedBooks('x.json', bytes(text))).toThrow(UserError);
    expect(() => readRecordedBooks('x.json', bytes(text))).toThrow(/^x\.json is not a recorded book: \S/);
  });
});
