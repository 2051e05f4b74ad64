import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RankingMetric, rankingMetrics, type UsageProfile } from '../../../src/core/metric.ts';
import { unstatedFields } from '../../../src/core/offer-fields.ts';
import { noFilter, type OfferFilter } from '../../../src/core/offer-filter.ts';
import { createMismatch } from '../../../src/core/offer-match.ts';
import { metricValue } from '../../../src/core/price.ts';
import { createOfferTable } from '../../../src/watches/rules/offer-table.ts';
import type { RuleOffer } from '../../../src/watches/rules/rule-offers.sql.ts';
import { createWatchReader } from '../../../src/watches/rules/watch-readings.ts';
import { typesOfWatch, type WatchFilters } from '../../../src/watches/watch.ts';

const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null, freq: 8 });
const size = (max: number) => fc.integer({ min: 0, max }).map((each) => each / 10);
const tiers = ['verified', 'unverified', 'deverified'] as const;
const offer = fc.record({
  ...{ machineId: fc.integer({ min: 1, max: 60 }), hostId: maybe(fc.integer({ min: 1, max: 20 })) },
  ...{ gpuName: fc.constantFrom('A', 'B', 'C'), numGpus: fc.constantFrom(1, 2, 4, 8) },
  ...{
    type: fc.constantFrom('on-demand' as const, 'bid' as const),
    verification: maybe(fc.constantFrom(...tiers)),
  },
  ...{
    country: maybe(fc.constantFrom('DE', 'US', 'SE')),
    datacenter: maybe(fc.boolean()),
    staticIp: maybe(fc.boolean()),
  },
  ...{
    reliability: maybe(size(10)),
    gpuRamMb: maybe(fc.constantFrom(0, 8_000, 24_564, 81_559)),
    cudaMaxGood: maybe(size(130)),
  },
  ...{ diskSpaceGb: maybe(size(9_000)), inetDown: maybe(size(9_000)), inetUp: maybe(size(9_000)) },
  ...{ dlperf: maybe(size(2_000)), totalTflops: maybe(size(1_500)), baseUsdPerHour: size(40) },
  ...{
    storageUsdPerGbMonth: maybe(size(3)),
    inetDownUsdPerGb: maybe(size(1)),
    inetUpUsdPerGb: maybe(size(1)),
  },
  missing: fc.boolean(),
});
const some = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 });
const listOf = <T>(...values: T[]) => some(fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 }));
const filters = fc
  .record({
    ...{
      gpuName: listOf('A', 'B', 'C'),
      type: listOf('on-demand' as const, 'bid' as const),
      numGpus: listOf(1, 2, 4),
    },
    ...{
      verification: listOf(...tiers),
      country: listOf('DE', 'US'),
      datacenter: some(fc.boolean()),
      staticIp: some(fc.boolean()),
    },
    ...{
      minReliability: some(size(10)),
      minVramGb: some(size(800)),
      minCuda: some(size(130)),
      minDiskGb: some(size(5_000)),
    },
    ...{ minInetDown: some(size(5_000)), minInetUp: some(size(5_000)), maxUsdPerHour: some(size(40)) },
    ...{
      machineId: listOf(1, 2, 3, 4),
      hostId: listOf(1, 2, 3),
      excludeMachineId: listOf(5, 6),
      excludeHostId: listOf(7, 8),
    },
  })
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as WatchFilters,
  );
const profile = fc.record({
  ...{ storageGb: size(2_000), downGb: size(100), upGb: size(100) },
  ...{ runningHours: fc.integer({ min: 1, max: 720 }), stoppedHours: fc.integer({ min: 0, max: 100 }) },
});
const nobody = { machineIds: new Set<number>(), hostIds: new Set<number>() };

/** The best offer by looking at each: the same words that rankings use. */
function bruteForce(
  offers: readonly RuleOffer[],
  wanted: WatchFilters,
  by: RankingMetric,
  usage: UsageProfile,
) {
  const { gpuName = [], type: _, ...rest } = wanted;
  const mismatch = createMismatch({ ...noFilter, ...rest } as OfferFilter, usage.storageGb);
  const types = typesOfWatch(wanted);
  const found = offers.filter(
    (each) =>
      types.includes(each.type) &&
      (gpuName.length === 0 || gpuName.includes(each.gpuName)) &&
      mismatch(each) === null,
  );
  const values = found
    .filter(({ missing }) => !missing)
    .flatMap((each) => {
      const figure = metricValue(each, by, usage);
      return 'value' in figure ? [figure.value] : [];
    });
  return {
    ids: found.map(({ listingId }) => listingId),
    best: values.length === 0 ? null : Math.min(...values),
    supply: { value: found.filter(({ missing }) => !missing).length, held: found.length },
  };
}

const noSources = { percentileAt: () => null, indexChangeOf: () => null };

describe('200 random watches', () => {
  it('find the same offers, supply and best value as brute force over every offer', () => {
    const [rows] = fc.sample(fc.array(offer, { minLength: 400, maxLength: 400 }), {
      numRuns: 1,
      seed: 20260720,
    });
    const offers = (rows ?? []).map(
      (row, index): RuleOffer => ({ ...unstatedFields, ...row, listingId: index + 1, offerId: index + 1 }),
    );
    const watches = fc.sample(fc.tuple(filters, profile, fc.constantFrom(...rankingMetrics)), {
      numRuns: 200,
      seed: 7,
    });
    const missing = Uint8Array.from(offers, (offer) => (offer.missing ? 1 : 0));
    const marks = { missing, isOutlier: new Uint8Array(offers.length) };
    const table = createOfferTable(offers, marks, { block: nobody, prefer: nobody });
    let matched = 0;
    for (const [wanted, usage, by] of watches) {
      const expected = bruteForce(offers, wanted, by, usage);
      const ids = [...table.match(wanted, usage.storageGb)].map((at) => offers[at]?.listingId);
      expect(ids).toEqual(expected.ids);
      const read = createWatchReader(table, { filters: wanted, profile: usage }, noSources);
      expect(read('priceBelow', { metric: by }).readings.get('best')?.value).toEqual(expected.best);
      expect(read('supplyBelow', {}).readings.get('best')).toEqual(expected.supply);
      matched += ids.length;
    }
    expect(matched).toBeGreaterThan(300);
  });

  it('leave out blocked machines and outliers, and have no value per DLPerf if no offer has a score', () => {
    const [row] = fc.sample(offer, { numRuns: 1, seed: 3 });
    const base = {
      ...row,
      type: 'on-demand',
      missing: false,
      storageUsdPerGbMonth: 0,
      dlperf: null,
      numGpus: 2,
    };
    const offers = [1, 2, 3].map(
      (id) => ({ ...base, listingId: id, offerId: id, machineId: id, baseUsdPerHour: id }) as RuleOffer,
    );
    const block = { machineIds: new Set([1]), hostIds: new Set<number>() };
    const marks = { missing: new Uint8Array(3), isOutlier: Uint8Array.of(0, 1, 0) };
    const table = createOfferTable(offers, marks, { block, prefer: nobody });
    const usage = { storageGb: 8, downGb: 0, upGb: 0, runningHours: 720, stoppedHours: 0 };
    const read = createWatchReader(table, { filters: {}, profile: usage }, noSources);
    const best = (metric?: string) => read('priceBelow', { metric }).readings.get('best')?.value;
    expect(best()).toBe(1.5);
    expect(best('usdPerHour')).toBe(3);
    // A price of another unit would be no answer.
    expect(best('usdPerDlperfHour')).toBeNull();
    expect(read('supplyBelow', { offers: 1 }).readings.get('best')?.value).toBe(2);
    expect(table.figures('usdPerDlperfHour', usage).values[2]).toBeNaN();
  });
});
