import { describe, expect, it } from 'vitest';
import {
  allTiers,
  byListing,
  createMarket,
  hoursLater,
  listingKey,
  meanOf,
  measuredAt,
  offersOf,
  shareOf,
  wholeBook,
} from './simulated-books.ts';

const markets = [
  [1, 1500],
  [29, 1500],
  [1, 5000],
  [7, 5000],
] as const;

describe.each(markets)('the market of seed %d with %d offers per type', (seed, offersPerType) => {
  const market = createMarket(seed, offersPerType);
  const book = wholeBook(market, measuredAt);
  const days = Array.from({ length: 12 }, (_, day) => wholeBook(market, hoursLater(24 * day)));
  const numbers = (field: string) => book.map((offer) => offer[field] as number);

  it('has the requested size over a week, day and night', () => {
    const sizes = Array.from(
      { length: 28 },
      (_, quarter) => wholeBook(market, hoursLater(6 * quarter)).length,
    );
    expect(meanOf(sizes) / offersPerType).toBeGreaterThan(0.9);
    expect(meanOf(sizes) / offersPerType).toBeLessThan(1.1);
  });

  it('has over 30 GPU models, hosts with several machines, and ids that are unique', () => {
    expect(new Set(book.map((offer) => offer.gpu_name)).size).toBeGreaterThan(30);
    const machines = new Set(book.map((offer) => offer.machine_id)).size;
    expect(machines / new Set(book.map((offer) => offer.host_id)).size).toBeGreaterThan(1.2);
    expect(new Set(book.map((offer) => offer.id)).size).toBe(book.length);
  });

  it('stays within the observed ranges', () => {
    const within = (values: number[], low: number, high: number) => {
      expect(Math.min(...values)).toBeGreaterThanOrEqual(low);
      expect(Math.max(...values)).toBeLessThanOrEqual(high);
    };
    within(numbers('dph_total'), 0.0196, 40);
    within(
      book.map((offer) => offer.dph_total / offer.num_gpus),
      0.0057,
      40,
    );
    within(numbers('reliability'), 0.6, 0.9997);
    within(numbers('num_gpus'), 1, 16);
    within(numbers('storage_cost'), 0.002, 1);
    within(numbers('inet_down'), 0, 55_430);
    within(numbers('duration'), 9489, 700e6);
  });

  it('has the verification tiers in shares of 52 / 20 / 28%', () => {
    const tier = (name: string) => shareOf(book, (offer) => offer.verification === name);
    expect(Math.abs(tier('verified') - 0.52)).toBeLessThan(0.05);
    expect(Math.abs(tier('unverified') - 0.2)).toBeLessThan(0.05);
    expect(Math.abs(tier('deverified') - 0.28)).toBeLessThan(0.05);
  });

  it('omits some fields as often as the marketplace does', () => {
    const nulls = (field: string) => shareOf(days.flat(), (offer) => offer[field] === null);
    for (const field of ['external', 'hostname', 'webpage', 'nw_disk_min_bw']) expect(nulls(field)).toBe(1);
    expect(nulls('bundled_results')).toBeGreaterThan(0.98);
    expect(nulls('cluster_id')).toBeGreaterThan(0.95);
    expect(Math.abs(nulls('discount_rate') - 0.45)).toBeLessThan(0.06);
    expect(Math.abs(nulls('start_date') - 0.058)).toBeLessThan(0.03);
    expect(Math.abs(nulls('mobo_name') - 0.049)).toBeLessThan(0.03);
    for (const field of ['cpu_name', 'driver_version', 'cuda_max_good']) {
      expect(nulls(field)).toBeGreaterThan(0);
      expect(nulls(field)).toBeLessThan(0.04);
    }
    expect(shareOf(book, (offer) => offer.geolocation === ', US')).toBeGreaterThan(0.04);
    expect(shareOf(book, (offer) => offer.geolocation === ', US')).toBeLessThan(0.13);
  });

  it('lists 8 to 15% of a book under a key shared with another offer, some at another price', () => {
    const shares = days.map((offers) => {
      const listings = byListing(offers);
      return shareOf(offers, (offer) => (listings.get(listingKey(offer))?.length ?? 0) > 1);
    });
    expect(Math.min(...shares)).toBeGreaterThan(0.08);
    expect(Math.max(...shares)).toBeLessThan(0.15);
    const twins = [...byListing(book).values()].filter((offers) => offers.length > 1);
    const apart = shareOf(twins, (offers) => new Set(offers.map((offer) => offer.dph_base)).size > 1);
    expect(apart).toBeGreaterThan(0.2);
    expect(apart).toBeLessThan(0.6);
  });

  it('keeps about a quarter of its ids until the next day, and most return later', () => {
    const kept = pairs(days).map(([before, after]) => {
      const ids = new Set(after.map((offer) => offer.id));
      return shareOf(before, (offer) => ids.has(offer.id));
    });
    expect(Math.abs(meanOf(kept) - 0.26)).toBeLessThan(0.04);
    const seenOn = Map.groupBy(
      days.flatMap((offers, day) => offers.map((offer) => ({ id: offer.id, day }))),
      ({ id }) => id,
    );
    const several = [...seenOn.values()].filter((seen) => seen.length > 1);
    const returned = shareOf(several, (seen) => (seen.at(-1)?.day ?? 0) - (seen[0]?.day ?? 0) >= seen.length);
    expect(returned).toBeGreaterThan(0.5);
  });

  it('changes the price of 5 to 18% of kept ids in a day, of both types', () => {
    for (const type of ['on-demand', 'bid']) {
      const books = [0, 24, 48, 72].map((hours) => wholeBook(market, hoursLater(hours), { type }));
      for (const [before, after] of pairs(books)) {
        const earlier = new Map(before.map((offer) => [offer.id, offer.dph_base]));
        const kept = after.filter((offer) => earlier.has(offer.id));
        const changed = shareOf(kept, (offer) => earlier.get(offer.id) !== offer.dph_base);
        expect(changed).toBeGreaterThan(0.05);
        expect(changed).toBeLessThan(0.18);
      }
    }
  });

  it('answers the same short search with another mix a little later: about a quarter changes', () => {
    const changes = Array.from({ length: 12 }, (_, index) => {
      const ask = (seconds: number) => offersOf(market, allTiers, hoursLater(index + seconds / 3600));
      const later = new Set(ask(20).map((offer) => offer.id));
      return shareOf(ask(0), (offer) => !later.has(offer.id));
    });
    expect(Math.abs(meanOf(changes) - 0.25)).toBeLessThan(0.08);
  });

  it('loses some rows of a whole book within minutes and keeps most', () => {
    const later = new Set(wholeBook(market, hoursLater(1 / 6)).map((offer) => offer.id));
    const lost = shareOf(book, (offer) => !later.has(offer.id));
    expect(lost).toBeGreaterThan(0.03);
    expect(lost).toBeLessThan(0.15);
  });

  it('has raw minimum bids above the price in about 5%, and some of 0', () => {
    expect(Math.abs(shareOf(book, (offer) => offer.min_bid > offer.dph_base) - 0.056)).toBeLessThan(0.03);
    expect(shareOf(days.flat(), (offer) => offer.min_bid === 0)).toBeGreaterThan(0);
  });

  it('has a few outlier prices: several times or a fraction of the usual price', () => {
    const medians = new Map<string, number>();
    for (const [name, offers] of Map.groupBy(book, (offer) => offer.gpu_name)) {
      const prices = offers.map((offer) => offer.dph_base / offer.num_gpus).sort((a, b) => a - b);
      medians.set(name, prices[Math.floor(prices.length / 2)] ?? Number.NaN);
    }
    const outliers = shareOf(book, (offer) => {
      const ratio = offer.dph_base / offer.num_gpus / (medians.get(offer.gpu_name) ?? Number.NaN);
      return ratio > 4 || ratio < 0.25;
    });
    expect(outliers).toBeGreaterThan(0);
    expect(outliers).toBeLessThan(0.03);
  });
});

const pairs = <T>(items: readonly T[]): [T, T][] =>
  items.slice(1).map((item, index) => [items[index] as T, item]);
