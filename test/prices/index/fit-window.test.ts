import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDayObservations, type DayObservations } from '../../../src/prices/index/day-observations.ts';
import { fitWindow } from '../../../src/prices/index/fit-window.ts';
import { describeDay } from '../../../src/prices/index/index-day.ts';
import { joinDays, windowDays } from '../../../src/prices/index/index-window.ts';
import { type ListingDay, solveDenseIndex } from '../../support/dense-index.ts';
import { holdsFor } from '../../support/property-runs.ts';

const last = windowDays - 1;

/** A listing: its host, and by day, counted from the window's first, its price. */
interface Made {
  host: number;
  prices: Map<number, number>;
}

/** The days of a window from listings, each on a machine of its own. */
function daysFrom(listings: readonly Made[]): (DayObservations | null)[] {
  return Array.from({ length: windowDays }, (_, place) => {
    const present = [...listings.entries()].filter(([, { prices }]) => prices.has(place));
    if (present.length === 0) return null;
    const day = createDayObservations(present.length);
    present.forEach(([machine, { host, prices }], at) => {
      day.machineIds[at] = machine + 1;
      day.numGpus[at] = 1;
      day.ordinals[at] = 1;
      day.hostIds[at] = host;
      day.logPrices[at] = Math.log(prices.get(place) ?? Number.NaN);
    });
    return day;
  });
}

const listingDays = (listings: readonly Made[]): ListingDay[] =>
  listings.flatMap(({ host, prices }, machine) =>
    [...prices].map(([day, price]) => ({
      ...{ listing: `${machine}`, machine, host, day },
      logPrice: Math.log(price),
    })),
  );

const price = fc.double({ min: 0.01, max: 100, noNaN: true });
const place = fc.nat({ max: last });
const anyListing = fc.record({
  host: fc.nat({ max: 5 }),
  prices: fc
    .uniqueArray(fc.tuple(place, price), { selector: ([day]) => day, minLength: 1, maxLength: 8 })
    .map((pairs) => new Map(pairs.sort(([a], [b]) => a - b))),
});
const anyListings = fc.array(anyListing, { minLength: 1, maxLength: 25 });

/** Listings whose prices are constant and days enough that all of them are connected. */
const constantListings = fc
  .array(fc.record({ host: fc.nat({ max: 5 }), price, days: fc.uniqueArray(place, { minLength: 1 }) }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((listings): Made[] => [
    { host: 9, prices: new Map(Array.from({ length: windowDays }, (_, day) => [day, 0.5])) },
    ...listings.map(({ host, price: constant, days }) => ({
      host,
      prices: new Map(days.sort((a, b) => a - b).map((day) => [day, constant])),
    })),
  ]);

const fitOf = (listings: readonly Made[]) => fitWindow(joinDays(daysFrom(listings)));

describe('the regression of a window', () => {
  it("equals a plain dense solution in levels, errors with each host's part, and connected days", async () => {
    await holdsFor(anyListings, 150, async (listings) => {
      const fit = fitOf(listings);
      const oracle = solveDenseIndex(listingDays(listings), last);
      if (oracle === null || fit === null) {
        expect([fit, oracle]).toEqual([null, null]);
        return;
      }
      expect([fit.days, fit.observations]).toEqual([oracle.days, oracle.observations]);
      for (const day of oracle.days) {
        expect(Math.abs((fit.changes[day] ?? Number.NaN) - (oracle.changes.get(day) ?? 0))).toBeLessThan(
          1e-9,
        );
      }
      for (const [day, error] of oracle.errors) {
        const own = fit.errorOf(day);
        if (own === null || error === null) expect([own, error]).toEqual([null, null]);
        else expect(Math.abs(own - error)).toBeLessThan(1e-9 * Math.max(1, error));
        for (const [host, influence] of oracle.influences.get(day) ?? []) {
          const ofHost = fit.influencesOn(day)?.get(host) ?? 0;
          expect(Math.abs(ofHost - influence)).toBeLessThan(1e-9 * Math.max(1, error ?? 0));
        }
      }
    });
  });

  it('gives 0 while listings with constant prices come and go', async () => {
    await holdsFor(constantListings, 100, async (listings) => {
      const fit = fitOf(listings);
      expect([...(fit?.changes ?? [])]).toEqual(new Array(windowDays).fill(0));
      for (const error of fit?.days.slice(0, -1).map((day) => fit.errorOf(day)) ?? []) {
        expect(error === null || error === 0).toBe(true);
      }
    });
  });

  it('gives exactly the factor by which all prices change from a day on', async () => {
    const drawn = fc.tuple(
      constantListings,
      fc.integer({ min: 1, max: last }),
      fc.double({ min: 0.1, max: 10, noNaN: true }),
    );
    await holdsFor(drawn, 100, async ([listings, from, factor]) => {
      const moved = listings.map(({ host, prices }) => ({
        host,
        prices: new Map([...prices].map(([day, own]) => [day, day >= from ? own * factor : own])),
      }));
      const fit = fitOf(moved);
      for (const [day, change] of fit?.changes.entries() ?? []) {
        expect(Math.abs(change - (day < from ? Math.log(factor) : 0))).toBeLessThan(2e-12);
      }
    });
  });

  it('is never moved by a listing that is seen on one day only', async () => {
    const oneDay = fc.record({
      host: fc.nat({ max: 9 }),
      prices: fc.tuple(place, price).map((pair) => new Map([pair])),
    });
    await holdsFor(
      fc.tuple(anyListings, fc.array(oneDay, { minLength: 1, maxLength: 9 })),
      100,
      async ([listings, added]) => {
        const before = fitOf(listings);
        const after = fitOf([...listings, ...added]);
        if (before === null) return;
        expect([after?.days, after?.changes, after?.listings]).toEqual([
          before.days,
          before.changes,
          before.listings,
        ]);
      },
    );
  });

  it('returns nothing for a day without observations, and restarts on a day that is not connected', () => {
    expect(fitOf([{ host: 1, prices: new Map([[3, 1]]) }])).toBeNull();
    const alone = describeDay(joinDays(daysFrom([{ host: 1, prices: new Map([[last, 1]]) }])));
    expect(alone).toMatchObject({ movement: null, week: null, month: null, listings: 0, observations: 1 });
  });

  it('compares with the day a week and 27 days before, or with its neighbor', () => {
    const seenOn = (...days: number[]) =>
      describeDay(joinDays(daysFrom([{ host: 1, prices: new Map(days.map((day) => [day, 1])) }])));
    expect(seenOn(0, 19, 20, 21, last)).toMatchObject({
      movement: { daysBefore: 6 },
      week: { daysBefore: 7 },
      month: { daysBefore: 27 },
    });
    expect(seenOn(1, 19, 21, last)).toMatchObject({ week: { daysBefore: 8 }, month: { daysBefore: 26 } });
    expect(seenOn(2, 18, 21, last)).toMatchObject({ week: { daysBefore: 6 }, month: null });
  });
});

describe('the listings in a window', () => {
  it('that differ only in their ordinal are left out if one book had them at different prices', () => {
    const days = daysFrom([
      {
        host: 1,
        prices: new Map([
          [26, 1],
          [27, 2],
        ]),
      },
      {
        host: 2,
        prices: new Map([
          [25, 3],
          [27, 4],
        ]),
      },
      {
        host: 3,
        prices: new Map([
          [26, 5],
          [27, 6],
        ]),
      },
    ]);
    for (const day of days) {
      // The first two are of one machine.
      day?.machineIds.forEach((machine, at) => {
        if (machine !== 2) return;
        day.machineIds[at] = 1;
        day.ordinals[at] = 2;
      });
    }
    expect(joinDays(days)).toMatchObject({ masks: [3 << 26, 5 << 25, 3 << 26], listingsLeftOut: 0 });
    days[25]?.differs.fill(1);
    expect(joinDays(days)).toMatchObject({
      ...{ machineIds: [3], hostIds: [3], masks: [3 << 26], starts: [0], listingsLeftOut: 2 },
      values: [Math.log(5), Math.log(6)],
    });
  });

  it('have the host of their last day, and no observation on a day without a price', () => {
    const days = daysFrom([
      {
        host: 1,
        prices: new Map([
          [20, 1],
          [26, Number.NaN],
          [27, 2],
        ]),
      },
    ]);
    days[27]?.hostIds.fill(4);
    expect(joinDays(days)).toMatchObject({
      hostIds: [4],
      masks: [(1 << 20) | (1 << 27)],
      values: [0, Math.log(2)],
    });
  });
});
