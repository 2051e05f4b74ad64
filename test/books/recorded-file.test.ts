import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openRecordedFile } from '../../src/books/import/recorded-file.ts';
import { UserError } from '../../src/core/errors.ts';
import type { RecordedBook } from '../../src/core/recorded-book.ts';

/** The books of a file that is read in pieces of some bytes. */
async function read(
  content: string | Buffer,
  { observedAt, piece = 1_000 }: { observedAt?: Date; piece?: number } = {},
): Promise<RecordedBook[]> {
  const bytes = Buffer.from(content as string);
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };
  const { books, close } = await openRecordedFile('x.json', chunks(), { observedAt });
  try {
    const whole: RecordedBook[] = [];
    for (const { records, ...book } of books) {
      const all: RecordedBook['records'] = [];
      for await (const some of records()) all.push(...some);
      whole.push({ ...book, records: all });
    }
    return whole;
  } finally {
    await close();
  }
}

const line = (fields: object): string =>
  JSON.stringify({ id: 1, rental_type: 'on-demand', scraped_at: '2026-07-20T05:19:05+00:00', ...fields });
const moment = '2026-07-20T05:19:05Z';
const whole = 100_000;

describe('a recorded book', () => {
  it.each([1, 7, 64, whole])(
    'is read from JSON lines by moment and pricing type, oldest first, in chunks of %i bytes',
    async (piece) => {
      const text = [
        line({ id: 1, scraped_at: '2026-07-21T05:00:00Z' }),
        line({ id: 2, rental_type: 'bid', note: 'é "offers": [' }),
        line({ id: 3 }),
        '',
        // Another zone, the same moment; another spelling, the same type.
        line({ id: 4, scraped_at: '2026-07-20T07:19:05+02:00', rental_type: 'ondemand' }),
      ].join('\n');
      for (const content of [text, `${text}\n`, gzipSync(text)]) {
        const books = await read(content, { piece });
        expect(
          books.map((book) => [book.observedAt.toISOString(), book.type, book.records.map(({ id }) => id)]),
        ).toEqual([
          ['2026-07-20T05:19:05.000Z', 'bid', [2]],
          ['2026-07-20T05:19:05.000Z', 'on-demand', [3, 4]],
          ['2026-07-21T05:00:00.000Z', 'on-demand', [1]],
        ]);
        expect(new Set(books.map(({ format }) => format))).toEqual(new Set(['lines']));
      }
    },
  );

  it.each([1, 7, whole])(
    'is read from a search response, with its own or the given moment, in chunks of %i bytes',
    async (piece) => {
      const offers = [{ id: 1 }, { id: 2, is_bid: true }];
      const carried = { collected_utc: '2026-02-27T15:22:46.407407+00:00' };
      const observedAt = new Date('2026-01-01');
      for (const answer of [
        { ...carried, offers },
        { found: { offers: 2 }, offers, ...carried },
      ]) {
        for (const content of [JSON.stringify(answer), JSON.stringify(answer, null, 2)]) {
          const books = await read(content, { piece, observedAt });
          expect(books.map(({ type, format, records }) => [type, format, records])).toEqual([
            ['on-demand', 'search', [{ id: 1 }]],
            ['bid', 'search', [{ id: 2, is_bid: true }]],
          ]);
          expect(books[0]?.observedAt.toISOString()).toBe('2026-02-27T15:22:46.407Z');
        }
      }
      const [book] = await read(JSON.stringify({ offers }), { piece, observedAt });
      expect(book?.observedAt).toEqual(observedAt);
    },
  );

  it.each([1, 7, 64, whole])(
    'is read from a response with its offers by model, as a map or a list, in chunks of %i bytes',
    async (piece) => {
      const carried = {
        archive_date: '2026-02-28',
        collected_utc: moment,
        models_queried: ['A ] {', 'offers'],
      };
      const first = [
        { id: 1, note: 'a ],[ " \\' },
        { id: 2, is_bid: true, gpu_ids: [[1], []] },
      ];
      const byModel = { 'A ], [{': first, none: [], offers_by_model: [{ id: 3 }], last: [] };
      for (const models of [byModel, Object.values(byModel)]) {
        for (const answer of [
          { ...carried, offers_by_model: models },
          { nested: { offers_by_model: [1] }, offers_by_model: models, ...carried },
        ]) {
          for (const content of [JSON.stringify(answer), gzipSync(JSON.stringify(answer, null, 2))]) {
            const books = await read(content, { piece });
            expect(books.map(({ type, format, records }) => [type, format, records])).toEqual([
              ['on-demand', 'search', [first[0], { id: 3 }]],
              ['bid', 'search', [first[1]]],
            ]);
            expect(books[0]?.observedAt.toISOString()).toBe('2026-07-20T05:19:05.000Z');
          }
        }
      }
    },
  );

  it('is read from a response whose `offers` is a single object, gzipped or with a byte order mark', async () => {
    const text = JSON.stringify({ offers: { id: 7 }, collected_utc: moment }, null, 2);
    for (const stored of [text, gzipSync(text), `\uFEFF${text}`]) {
      expect(await read(stored)).toMatchObject([{ type: 'on-demand', records: [{ id: 7 }] }]);
    }
  });

  it('of more records than fit in memory is read back from its temporary file unchanged', async () => {
    const padding = 'x'.repeat(9_000);
    const lines = Array.from({ length: 8_000 }, (_, id) =>
      line({ id, padding, rental_type: id % 3 === 0 ? 'bid' : 'on-demand' }),
    );
    const books = await read(lines.join('\n'), { piece: whole });
    expect(books.map(({ type }) => type).sort()).toEqual(['bid', 'on-demand']);
    for (const { type, records } of books) {
      const ids = lines.flatMap((_, id) => ((id % 3 === 0) === (type === 'bid') ? [id] : []));
      expect(records.map(({ id }) => id)).toEqual(ids);
      expect(records.every((record) => record.padding === padding)).toBe(true);
    }
  });

  const search = JSON.stringify({ offers: [{ id: 1 }], collected_utc: moment });
  it.each<[what: string, content: string | Buffer, reason: RegExp]>([
    ['nothing', '', /the file is empty/],
    ['blanks', ' \n', /the file is empty/],
    ['a list', '[]', /line 1 is not a JSON object/],
    ['null', 'null', /line 1 is not a JSON object/],
    ['no record', '{"offers":[1]}', /`offers` contains something that is not a record/],
    ['another object', '{}', /line 1 lacks/],
    [
      'no offers of any model',
      `{"offers_by_model":{"A":[]},"collected_utc":"${moment}"}`,
      /it holds no offers/,
    ],
    ['a model without a list', `{"offers_by_model":{"A":{"id":1}}}`, /contains something that is not a list/],
    [
      'a model of no records',
      `{"offers_by_model":{"A":[1]}}`,
      /`offers_by_model` contains something that is not a record/,
    ],
    ['offers by model, cut', '{"offers_by_model":{"A":[{"id":1}]', /its JSON is broken or cut short/],
    ['no offers', `{"offers":[],"collected_utc":"${moment}"}`, /it holds no offers/],
    ['text in place of offers', `{"offers":"x","collected_utc":"${moment}"}`, /`offers` contains something/],
    ['a cut search response', search.slice(0, -40), /its JSON is broken or cut short/],
    ['cut within its list', search.slice(0, 15), /its JSON is broken or cut short/],
    ['a cut line', `${line({})}\n${line({}).slice(0, -3)}`, /line 2 is not a JSON object/],
    [
      'two lists',
      `{"offers":[{"id":1}],"offers":[{"id":2}],"collected_utc":"${moment}"}`,
      /more than one list/,
    ],
    [
      'bytes that are no text',
      Buffer.from(line({}).replace('id', 'i\xff'), 'latin1'),
      /it is not UTF-8 text/,
    ],
    [
      'a record that is no text',
      Buffer.from(search.replace('id', 'i\xff'), 'latin1'),
      /it is not UTF-8 text/,
    ],
    ['gzip that is cut', gzipSync(search).subarray(0, -9), /its gzip data is corrupt or cut short/],
    ['gzip that is damaged', gzipSync(search).fill(0xff, 12, 20), /its gzip data is corrupt or cut short/],
    ['gzip within gzip', gzipSync(gzipSync(search)), /it was gzipped twice/],
    ['one endless text', `{"offers":[{"id":"${'x'.repeat(5_000_000)}`, /has more than 4 MB/],
    ['one endless line', `{"id":"${'x'.repeat(5_000_000)}`, /has more than 4 MB/],
    ['an endless second line', `${line({})}\n{"id":"${'x'.repeat(5_000_000)}`, /line 2 has more than 4 MB/],
    ['much beside its records', `{"offers":[],"x":"${'x'.repeat(5_000_000)}"}`, /has more than 4 MB/],
    ['deep nesting', `{"offers":[${'['.repeat(6_000_000)}`, /has more than 4 MB/],
    ['blanks without end', ' '.repeat(5_000_000), /has more than 4 MB/],
  ])('is refused with its name and a reason if it is %s', async (_, content, reason) => {
    const error = await read(content, { piece: whole }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UserError);
    expect((error as Error).message).toMatch(/^x\.json is not a recorded book: \S/);
    expect((error as Error).message).toMatch(reason);
  });
});
