import { describe, expect, it } from 'vitest';
import { readRecordedBooks } from '../../src/books/import/recorded-books.ts';
import type { RecordedBook } from '../../src/core/recorded-book.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { fullOfferFiles, hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { allTiers, offersOf } from './simulated-books.ts';

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 6, day, hour));
const row = (id: number, more: object = {}) => ({
  id,
  machine_id: id * 10,
  gpu_name: 'L4',
  dph_total: id / 8,
  ...more,
});
const book = (day: number, type: RecordedBook['type'], records: object[]): RecordedBook => ({
  observedAt: at(day),
  type,
  format: 'lines',
  records: records as Record<string, unknown>[],
});

const books = [
  book(22, 'on-demand', [row(3), row(1)]),
  book(20, 'on-demand', [row(2, { rental_type: 'ondemand', scraped_at: '2026-07-20T00:00:00Z' })]),
  book(20, 'bid', [row(2)]),
];
const ids = (simulator: ReturnType<typeof createSimulator>, body: object = {}, moment = simulator.now()) =>
  offersOf(simulator, body, moment).map(({ id }) => id);

describe('a replay', () => {
  it('starts at the first recorded moment and follows the clock at the requested speed', () => {
    let realMs = 5_000;
    const simulator = createSimulator({ replay: books, speed: 3600, now: () => new Date(realMs) });
    expect(simulator.recordedAt).toEqual([at(20), at(22)]);
    expect(simulator.now()).toEqual(at(20));
    expect(ids(simulator)).toEqual([2]);
    realMs += 47_999;
    expect(ids(simulator)).toEqual([2]);
    realMs += 1;
    expect(simulator.now()).toEqual(at(22));
    expect(ids(simulator)).toEqual([3, 1]);
  });

  it('serves the newest book of the type, the first one before it, and none of a type never recorded', () => {
    const simulator = createSimulator({ replay: books });
    expect(ids(simulator, {}, at(1))).toEqual([2]);
    expect(ids(simulator, {}, at(21, 23))).toEqual([2]);
    expect(ids(simulator, {}, at(31))).toEqual([3, 1]);
    expect(ids(simulator, { type: 'bid' }, at(31))).toEqual([2]);
    expect(ids(simulator, { type: 'reserved' }, at(31))).toEqual([]);
  });

  it('adds nothing to a row and removes only what recording had added', () => {
    const simulator = createSimulator({ replay: books });
    expect(offersOf(simulator, { allocated_storage: 500 }, at(20))).toEqual([row(2)]);
  });

  it('ignores filters on fields that no row has; if some rows have it, it is unknown for the others', () => {
    const records = [row(1, { static_ip: true }), row(2), row(3, { static_ip: false })];
    const simulator = createSimulator({ replay: [book(20, 'on-demand', records)] });
    expect(ids(simulator, { dlperf: { gt: 5 }, rentable: { eq: true } })).toEqual([1, 2, 3]);
    expect(ids(simulator, { static_ip: { neq: true } })).toEqual([3]);
    expect(ids(simulator, { static_ip: { eq: null } })).toEqual([2]);
    expect(ids(simulator, { order: [['static_ip', 'desc']] })).toEqual([1, 3, 2]);
  });
});

describe.skipIf(!hasRecordedData)('the recorded real books, where ../shared/data is present', () => {
  const read = async (files: readonly string[]) => (await Promise.all(files.map(readRecordedBooks))).flat();

  it.each([
    ['daily books', marketBookFiles, 16_253],
    ['complete records', fullOfferFiles, 1180],
  ])('%s are served unchanged, each by a crawl with pages by id at its moment', async (_, files, count) => {
    const recorded = await read(files);
    const simulator = createSimulator({ replay: recorded });
    let served = 0;
    for (const { type, observedAt, records } of recorded) {
      const paged: object[] = [];
      for (let after = 0; ; after = Number((paged.at(-1) as { id: number }).id)) {
        const page = { ...allTiers, type, order: [['id', 'asc']], id: { gt: after }, limit: 300 };
        const offers = offersOf(simulator, page, observedAt);
        paged.push(...offers);
        if (offers.length < 300) break;
      }
      const verbatim = records
        .map(({ rental_type: _type, scraped_at: _at, ...fields }) => fields)
        .sort((a, b) => Number(a.id) - Number(b.id));
      expect(paged).toEqual(verbatim);
      served += paged.length;
    }
    expect(served).toBe(count);
  });
});
