import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankingMetrics } from '../../src/core/metric.ts';
import { type ComparedOffer, toColumns } from '../../src/core/offer-columns.ts';
import { unstatedFields } from '../../src/core/offer-fields.ts';
import { noFilter, type OfferFilter } from '../../src/core/offer-filter.ts';
import { createMismatch, matchingPlaces } from '../../src/core/offer-match.ts';
import { metricValue } from '../../src/core/price.ts';
import { metricValuesOf } from '../../src/core/price-columns.ts';

const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null, freq: 5 });
const tenths = (max: number) => fc.integer({ min: 0, max: max * 10 }).map((each) => each / 10);
const tiers = ['verified', 'unverified', 'deverified'] as const;

const known = fc.record({
  ...{ machineId: fc.integer({ min: 1, max: 9 }), hostId: maybe(fc.integer({ min: 1, max: 5 })) },
  ...{ numGpus: fc.constantFrom(1, 2, 4), verification: maybe(fc.constantFrom(...tiers)) },
  ...{
    country: maybe(fc.constantFrom('DE', 'US')),
    datacenter: maybe(fc.boolean()),
    staticIp: maybe(fc.boolean()),
  },
  ...{
    reliability: maybe(tenths(1)),
    gpuRamMb: maybe(fc.constantFrom(0, 8_000, 24_564)),
    cudaMaxGood: maybe(tenths(13)),
  },
  ...{ diskSpaceGb: maybe(tenths(50)), inetDown: maybe(tenths(90)), inetUp: maybe(tenths(90)) },
  ...{
    baseUsdPerHour: tenths(3),
    storageUsdPerGbMonth: maybe(tenths(1)),
    inetDownUsdPerGb: maybe(tenths(1)),
  },
  ...{ inetUpUsdPerGb: maybe(tenths(1)), dlperf: maybe(tenths(9)), totalTflops: maybe(tenths(9)) },
});

const offer = known.map((values): ComparedOffer => ({ ...unstatedFields, ...values }));

const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 2 });
const filter = fc.record({
  ...{ numGpus: some(fc.constantFrom(1, 2, 4)), verification: some(fc.constantFrom(...tiers)) },
  ...{
    country: some(fc.constantFrom('DE', 'US')),
    datacenter: maybe(fc.boolean()),
    staticIp: maybe(fc.boolean()),
  },
  ...{
    minReliability: maybe(tenths(1)),
    minVramGb: maybe(fc.constantFrom(8, 24)),
    minCuda: maybe(tenths(13)),
  },
  ...{ minDiskGb: maybe(tenths(50)), minInetDown: maybe(tenths(90)), minInetUp: maybe(tenths(90)) },
  ...{ maxUsdPerHour: maybe(tenths(3)), machineId: some(fc.integer({ min: 1, max: 9 })) },
  ...{ hostId: some(fc.integer({ min: 1, max: 5 })), excludeMachineId: some(fc.integer({ min: 1, max: 9 })) },
  excludeHostId: some(fc.integer({ min: 1, max: 5 })),
});
// Most random filters take nothing: of each some conditions are left.
const sparse = fc
  .tuple(filter, fc.subarray(Object.keys(noFilter) as (keyof typeof noFilter)[], { maxLength: 3 }))
  .map(([whole, names]) => ({
    ...noFilter,
    ...Object.fromEntries(names.map((name) => [name, (whole as Partial<OfferFilter>)[name]])),
  }));

const profile = fc.record({
  ...{ storageGb: tenths(200), downGb: tenths(9), upGb: tenths(9) },
  ...{ runningHours: fc.integer({ min: 1, max: 720 }), stoppedHours: fc.integer({ min: 0, max: 99 }) },
});
const offers = fc.array(offer, { minLength: 1, maxLength: 40 });
const placesOf = (all: readonly unknown[]) => Int32Array.from(all, (_, place) => place);

describe('columns of offers', () => {
  it('select the same offers as the filter does one by one', () => {
    let [taken, left] = [0, 0];
    fc.assert(
      fc.property(offers, sparse, profile, (all, wanted, { storageGb }) => {
        const mismatch = createMismatch(wanted, storageGb);
        const expected = [...all.keys()].filter((place) => mismatch(all[place] as ComparedOffer) === null);
        expect([...matchingPlaces(toColumns(all), placesOf(all), wanted, storageGb)]).toEqual(expected);
        taken += expected.length;
        left += all.length - expected.length;
      }),
      { seed: 20260721, numRuns: 500 },
    );
    expect(Math.min(taken, left)).toBeGreaterThan(500);
  });

  it.each(rankingMetrics)('have the same %s, to the last digit', (by) => {
    fc.assert(
      fc.property(offers, profile, (all, usage) => {
        const expected = all.map((each) => {
          const figure = metricValue(each, by, usage);
          return 'value' in figure ? figure.value : Number.NaN;
        });
        expect([...metricValuesOf(toColumns(all), placesOf(all), by, usage)]).toEqual(expected);
      }),
      { seed: 20260722, numRuns: 200 },
    );
  });
});
