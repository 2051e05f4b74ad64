import { expect, it } from 'vitest';
import type { ListingHistory } from '../../web/core/api.ts';
import { isNew, listedOf, pricedSpans } from '../../web/prices/listing/priced-spans.ts';

const at = (hour: number): string =>
  new Date(Date.parse('2026-06-30T00:00:00Z') + hour * 3_600_000).toISOString();
const stay = (from: number, to: number) => ({ from: at(from), to: at(to), open: false });

it('says where a book lacks a listing that is not gone, and does not take that for its end', () => {
  const common = { rented: null, clearingUsdPerGpuHour: null };
  const price = { from: at(0), to: null, usdPerGpuHour: 1 } as ListingHistory['priceIntervals'][number];
  const episode = { ...common, lastAskUsdPerGpuHour: 1, listedForSeconds: 0 };
  const spans = pricedSpans({
    ...{ from: at(0), to: at(12), presence: [stay(0, 2), stay(4, 6), stay(10, 12)] },
    episodes: [
      { ...episode, startedAt: at(0), lastSeenAt: at(6), endedAt: at(7), endedBy: 'gone' },
      { ...episode, startedAt: at(10), lastSeenAt: at(12), endedAt: null, endedBy: null },
    ],
    priceIntervals: [price],
  });
  const hour = (time: number): number => (time - Date.parse(at(0))) / 3_600_000;
  expect(spans.map(({ from, to, present, missed }) => [hour(from), hour(to), present, missed])).toEqual([
    [0, 2, true, false],
    [2, 4, true, true],
    [4, 7, true, false],
    [7, 10, false, false],
    [10, 12, true, false],
  ]);
  expect(listedOf(spans).listed).toBe(9 * 3_600_000);
});

it('tells a price that only the newest book has, at which a range ends, from one that lasted', () => {
  const newest = at(12);
  const to = new Date(Date.parse(newest) + 1).toISOString();
  const price = { from: at(0), to: null, usdPerGpuHour: 1 } as ListingHistory['priceIntervals'][number];
  const common = { rented: null, clearingUsdPerGpuHour: null, lastAskUsdPerGpuHour: 1, listedForSeconds: 0 };
  const spans = pricedSpans({
    ...{ from: at(0), to, presence: [stay(0, 2), stay(12, 12)], priceIntervals: [price] },
    episodes: [
      { ...common, startedAt: at(0), lastSeenAt: at(2), endedAt: at(3), endedBy: 'gone' },
      { ...common, startedAt: newest, lastSeenAt: newest, endedAt: null, endedBy: null },
    ],
  });
  expect(spans.map((span) => [span.present, isNew(span)])).toEqual([
    [true, false],
    [false, false],
    [true, true],
  ]);
});
