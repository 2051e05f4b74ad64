import { expect, it } from 'vitest';
import type { Offer } from '../../../src/core/offer.ts';
import type { MarketAnswer } from '../../../src/prices/newest/market.routes.ts';
import type { RankingsAnswer } from '../../../src/prices/rankings/rankings.routes.ts';
import type { TrendsAnswer } from '../../../src/prices/trends/trends.routes.ts';
import { gradePercentile } from '../../../src/prices/verdicts/price-grade.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { readSamples, type Sample } from '../../support/scraped-metrics.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

const scrape = async ({ app }: TestApp): Promise<Sample[]> =>
  readSamples(await (await app.request('/metrics')).text());

/** The figures of the market from a scrape that has some with this age. */
async function scrapeMarket(test: TestApp, ageSeconds: number): Promise<Sample[]> {
  let samples: Sample[] = [];
  await expect
    .poll(async () => {
      samples = (await scrape(test)).filter(({ name }) => name.startsWith('offerbook_market_'));
      return samples.filter(({ name }) => name === 'offerbook_market_book_age_seconds').map((s) => s.value);
    })
    .toContain(ageSeconds);
  return samples;
}

const valuesOf = (samples: readonly Sample[], name: string, of: Record<string, string>): number[] =>
  samples
    .filter((each) => each.name === `offerbook_market_${name}`)
    .filter(({ labels }) => Object.entries(of).every(([label, text]) => labels[label] === text))
    .map(({ value }) => value);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Offers at many prices: of several models and tiers, overlapping, with an outlier and without a price. */
function makeBook(shift: number): Offer[] {
  const names = ['RTX 4090', 'H100 SXM', 'RTX 3060'];
  const tiers = ['verified', 'verified', 'unverified', 'deverified', null] as const;
  const offers = Array.from({ length: 60 }, (_, index) =>
    makeOffer(index + 1, {
      gpuName: names[index % 7 < 4 ? 0 : index % 7 < 6 ? 1 : 2] ?? '',
      machineId: Math.floor(index / 2),
      hostId: index % 11,
      numGpus: 1 + (index % 3),
      verification: tiers[Math.floor(index / 2) % tiers.length] ?? null,
      baseUsdPerHour: Number((0.3 + ((index * 37) % 60) / 100 + shift).toFixed(2)),
      gpuIds: index % 5 === 0 ? null : [index, index + 1, index + 2].slice(0, 1 + (index % 3)),
    }),
  );
  return [
    ...offers,
    makeOffer(90, { baseUsdPerHour: 0.001, storageUsdPerGbMonth: 0 }),
    makeOffer(91, { storageUsdPerGbMonth: null }),
  ];
}

async function fill(test: TestApp): Promise<void> {
  const { sql, market } = test;
  for (let day = 4; day < 30; day += 1) {
    const date = `2026-07-${String(day).padStart(2, '0')}`;
    await landOffers(sql, market.id, `${date}T12:00:00Z`, makeBook(day / 100));
  }
  await landOffers(sql, market.id, '2026-07-31T01:00:00Z', makeBook(0.2));
  await landOffers(sql, market.id, '2026-07-31T01:10:00Z', makeBook(0.05), { type: 'bid' });
}

const openLive = async (): Promise<TestApp> => await createTestApp({ openMetrics: true }, 'live');
const quantiles = { min: '0', p10: '0.1', p25: '0.25', median: '0.5', p75: '0.75', p90: '0.9' } as const;

it("equals the market table, the newest points of trends and the rankings' verdicts", async () => {
  const test = await openLive();
  await fill(test);
  const samples = await scrapeMarket(test, 3_600);
  let compared = 0;
  for (const type of ['on-demand', 'bid']) {
    const { items } = await test.json<MarketAnswer>(`/api/market?type=${type}`);
    expect(items).toHaveLength(3);
    for (const row of items) {
      const of = { market: 'test-market', type, gpu_name: row.gpuName };
      for (const name of ['offers', 'gpus', 'machines'] as const)
        expect([name, sum(valuesOf(samples, name, of))]).toEqual([name, row[name]]);
      expect(valuesOf(samples, 'physical_gpus', of)).toEqual([row.physicalGpus]);
      expect(valuesOf(samples, 'lowest_price_usd_per_gpu_hour', of)).toEqual([row.lowest]);
      const prices = { ...of, verification: 'all', quantile: '0.5' };
      expect(valuesOf(samples, 'price_usd_per_gpu_hour', prices)).toEqual([row.median]);
      for (const verification of ['all', 'verified', 'unverified', 'deverified']) {
        const filter = verification === 'all' ? '' : `&verification=${verification}`;
        const { series } = await test.json<TrendsAnswer>(
          `/api/trends?bucket=book&from=2026-07-31&to=2026-08-01&type=${type}&gpuName=${encodeURIComponent(row.gpuName)}${filter}`,
        );
        const point = series[0]?.points.at(-1);
        if (point === undefined) throw new Error(`${row.gpuName} has no point`);
        for (const [field, quantile] of Object.entries(quantiles)) {
          const [value = null] = valuesOf(samples, 'price_usd_per_gpu_hour', {
            ...{ ...of, verification, quantile },
          });
          const expected = point[field as keyof typeof quantiles];
          expect(value).toEqual(expected === null ? null : expect.closeTo(expected, 9));
          compared += 1;
        }
        if (verification === 'all') continue;
        for (const name of ['offers', 'gpus', 'machines'] as const)
          expect(valuesOf(samples, name, { ...of, verification })).toEqual(
            point.offers === 0 ? [] : [point[name]],
          );
      }
    }
  }
  expect(compared).toBe(2 * 3 * 4 * 6);
  const { items } = await test.json<RankingsAnswer>('/api/rankings?by=usdPerGpuHour&limit=500');
  const counted = new Map<string, number>();
  for (const { gpuName, verdict } of items) {
    const percentile = verdict?.windows.find(({ days }) => days === 30)?.percentile ?? null;
    const key = `${gpuName} ${percentile === null ? 'insufficient' : gradePercentile(percentile)}`;
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  expect(counted.size).toBeGreaterThan(3);
  const verdicts = samples
    .filter(({ name, labels }) => name.endsWith('_verdict_offers') && labels.type === 'on-demand')
    .filter(({ value }) => value > 0)
    .map(({ labels, value }) => [`${labels.gpu_name} ${labels.verdict}`, value] as const);
  expect(new Map(verdicts)).toEqual(counted);
});

it('has 30 models at most, all others as one without prices, and no machine, host or offer', async () => {
  const test = await openLive();
  const offers = Array.from({ length: 45 }, (_, model) =>
    Array.from({ length: model < 32 ? 2 : 1 }, (_, copy) =>
      makeOffer(2 * model + copy, { gpuName: `GPU ${String(model).padStart(2, '0')}` }),
    ),
  ).flat();
  await landOffers(test.sql, test.market.id, '2026-07-31T01:00:00Z', offers);
  const samples = await scrapeMarket(test, 3_600);
  const names = new Set(samples.flatMap(({ labels }) => labels.gpu_name ?? []));
  const expected = Array.from({ length: 30 }, (_, model) => `GPU ${String(model).padStart(2, '0')}`);
  expect([...names].sort()).toEqual([...expected, 'other']);
  expect(valuesOf(samples, 'offers', { gpu_name: 'other' })).toEqual([2 * 2 + 13]);
  expect(sum(valuesOf(samples, 'physical_gpus', {}))).toBe(offers.length);
  expect(valuesOf(samples, 'price_usd_per_gpu_hour', { gpu_name: 'other' })).toEqual([]);
  expect([...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))].sort()).toEqual(
    ['gpu_name', 'market', 'quantile', 'type', 'verdict', 'verification'].sort(),
  );
});

it('states the age of the book that figures come from, and changes them with the next complete one', async () => {
  const test = await openLive();
  const median = (samples: readonly Sample[]): number[] =>
    valuesOf(samples, 'price_usd_per_gpu_hour', { verification: 'all', quantile: '0.5' });
  const land = async (at: string, baseUsdPerHour: number, verdict: 'complete' | 'partial'): Promise<void> => {
    const offer = makeOffer(1, { baseUsdPerHour, storageUsdPerGbMonth: 0 });
    await landOffers(test.sql, test.market.id, at, [offer], { verdict });
  };
  await land('2026-07-31T01:00:00Z', 0.5, 'complete');
  expect(median(await scrapeMarket(test, 3_600))).toEqual([0.5]);
  test.clock.now = new Date('2026-07-31T09:00:00Z');
  await land('2026-07-31T08:50:00Z', 0.9, 'partial');
  expect(median(await scrapeMarket(test, 8 * 3_600))).toEqual([0.5]);
  await land('2026-07-31T08:55:00Z', 0.7, 'complete');
  expect(median(await scrapeMarket(test, 300))).toEqual([0.7]);
});
