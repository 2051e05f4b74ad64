import { describe, expect, it } from 'vitest';
import {
  createMarket,
  hoursLater,
  measuredAt,
  type Offer,
  offersOf,
  shareOf,
  wholeBook,
} from './simulated-books.ts';

const book = (seed: number, at: Date, body = {}) => wholeBook(createMarket(seed), at, body);

describe('the generated market', () => {
  it.each(['on-demand', 'bid', 'reserved'])(
    'is the same in another process at the same moment: %s',
    (type) => {
      const traveled = createMarket(11);
      for (const hours of [9000, -5, -20_000, 3]) wholeBook(traveled, hoursLater(hours), { type });
      expect(wholeBook(traveled, measuredAt, { type })).toEqual(book(11, measuredAt, { type }));
    },
  );

  it('is the same at a moment whichever moments were requested before it', () => {
    const market = createMarket(11);
    for (const seconds of [1, 4]) wholeBook(market, hoursLater(seconds / 3600));
    expect(wholeBook(market, hoursLater(7 / 3600))).toEqual(book(11, hoursLater(7 / 3600)));
  });

  it('returns the same rows for a short search without an order at the same moment', () => {
    const ask = () => offersOf(createMarket(11), {}, measuredAt);
    expect(ask()).toEqual(ask());
  });

  it('differs with another seed', () => {
    const ids = new Set(book(12, measuredAt).map((offer) => `${offer.id} ${offer.machine_id}`));
    expect(shareOf(book(11, measuredAt), (offer) => ids.has(`${offer.id} ${offer.machine_id}`))).toBeLessThan(
      0.01,
    );
  });

  it('works years back and ahead', () => {
    for (const year of [2021, 2024, 2031]) {
      const offers = book(11, new Date(`${year}-03-01T05:00:00Z`));
      expect(offers.length).toBeGreaterThan(1000);
      expect(offers.every((offer) => offer.dph_total > 0 && Number(offer.duration) > 0)).toBe(true);
    }
  });

  it('never gives an id to another machine or size, and gives listings new ids at an unchanged price', () => {
    const market = createMarket(3, 400);
    const owners = new Map<number, string>();
    const idsAndPrices = new Map<string, { ids: Set<number>; prices: Set<number> }>();
    for (let day = 0; day < 400; day += 5) {
      for (const offer of wholeBook(market, hoursLater(24 * day))) {
        const gpus = `${offer.machine_id} ${offer.gpu_ids.join(',')}`;
        expect(owners.get(offer.id) ?? gpus).toBe(gpus);
        owners.set(offer.id, gpus);
        if (day > 10) continue;
        const seen = idsAndPrices.get(gpus) ?? { ids: new Set(), prices: new Set() };
        seen.ids.add(offer.id);
        seen.prices.add(offer.dph_base);
        idsAndPrices.set(gpus, seen);
      }
    }
    const renewed = [...idsAndPrices.values()].filter(({ ids, prices }) => ids.size > 1 && prices.size === 1);
    expect(renewed.length).toBeGreaterThan(20);
  });

  it('lists machines as overlapping chunks: of two that share a GPU, the bigger one contains the smaller one', () => {
    const machines = Map.groupBy(book(4, measuredAt), (offer) => offer.machine_id);
    let nested = 0;
    for (const offers of machines.values()) {
      for (const [a, b] of allPairs(offers)) {
        const [small, big] = a.num_gpus <= b.num_gpus ? [a, b] : [b, a];
        if (!small.gpu_ids.some((gpu) => big.gpu_ids.includes(gpu))) continue;
        expect(small.gpu_ids.every((gpu) => big.gpu_ids.includes(gpu))).toBe(true);
        expect(small.num_gpus).toBeLessThan(big.num_gpus);
        nested += 1;
      }
    }
    expect(nested).toBeGreaterThan(100);
    expect([...machines.values()].some((offers) => offers.some((offer) => offer.num_gpus === 8))).toBe(true);
  });

  it('has rented machines: listed only if offers that cannot be rented are requested', () => {
    const market = createMarket(4);
    const free = new Set(wholeBook(market, measuredAt).map((offer) => offer.id));
    const taken = wholeBook(market, measuredAt, { rentable: { eq: false } });
    expect(taken.length).toBeGreaterThan(300);
    expect(taken.every((offer) => offer.rentable === false && !free.has(offer.id))).toBe(true);
    const both = wholeBook(market, measuredAt, { rentable: { in: [true, false] } });
    expect(both.length).toBe(free.size + taken.length);
  });

  it('has fewer offers at busy hours than at night, and prices that move over two weeks', () => {
    const market = createMarket(1);
    const days = [0, 1, 2, 3, 4, 5, 6];
    const supply = (hour: number) =>
      days.reduce((sum, day) => sum + wholeBook(market, hoursLater(24 * day + hour - 12)).length, 0);
    expect(supply(16) / supply(4)).toBeLessThan(0.85);
    const median = (hours: number) => {
      const offers = wholeBook(market, hoursLater(hours), { gpu_name: { eq: 'RTX 4090' } });
      const prices = offers.map((offer) => offer.dph_total / offer.num_gpus).sort((a, b) => a - b);
      return prices[Math.floor(prices.length / 2)] ?? Number.NaN;
    };
    const medians = days.map((day) => median(48 * day));
    expect(new Set(medians).size).toBeGreaterThan(3);
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.6);
  });
});

function* allPairs(offers: readonly Offer[]): Generator<[Offer, Offer]> {
  for (const [index, a] of offers.entries()) {
    for (const b of offers.slice(index + 1)) yield [a, b];
  }
}
