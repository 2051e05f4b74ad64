import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MarketAnswer } from '../../src/prices/newest/market.routes.ts';
import { gradePercentile } from '../../src/prices/verdicts/price-grade.ts';
import type { LowestVerdictsAnswer } from '../../src/prices/verdicts/verdicts.routes.ts';
import { loadConfig } from '../../src/service/config.ts';
import type { FigureExplanation } from '../../web/core/api.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { databaseUrl } from '../support/test-database.ts';
import { landOffers, priced } from './made-offers.ts';

const unverified = { verification: 'unverified' } as const;
/** Machine k costs 0.1 k dollars; the cheapest two are not verified. */
const usual = [
  priced(1, 0.1, unverified),
  priced(2, 0.2, unverified),
  ...[3, 4, 5, 6].map((machine) => priced(machine, Number((0.1 * machine).toFixed(2)))),
  ...[11, 12, 13].map((machine) => priced(machine, 0.3, unverified)),
];
const newest = [
  ...usual,
  priced(7, 0.02, unverified),
  priced(8, 0.25),
  priced(9, 1, { gpuName: 'H100 SXM', numGpus: 8 }),
];
const day = (number: number): string => `2026-05-${String(number + 1).padStart(2, '0')}T12:00:00Z`;

describe('GET /api/verdicts', () => {
  let test: TestApp;
  const ask = async (query = '') => (await test.json<LowestVerdictsAnswer>(`/api/verdicts${query}`)).items;

  beforeAll(async () => {
    test = await createTestApp();
    const { sql, market } = test;
    for (let number = 0; number < 10; number += 1) await landOffers(sql, market.id, day(number), usual);
    await landOffers(sql, market.id, day(10), newest);
  });

  it('has the lowest price that is no outlier, that of the market, with its verdict and the lowest verified one', async () => {
    const [item, ...others] = await ask('?gpuName=RTX+4090');
    expect(others).toEqual([]);
    expect(item).toMatchObject({ gpuName: 'RTX 4090', type: 'on-demand', offers: 11, outliers: 1 });
    expect(item?.observedAt).toBe(new Date(day(10)).toISOString());
    expect(item?.lowest).toMatchObject({ machineId: 1, usdPerGpuHour: 0.1, verification: 'unverified' });
    // Of six days with five unverified machines each, only its own price is as low: half of six.
    expect(item?.lowest?.verdict?.windows[0]).toMatchObject({ samples: 30, machines: 5, percentile: 10 });
    expect(item?.lowestVerified).toMatchObject({ machineId: 8, usdPerGpuHour: 0.25 });
    const market = await test.json<MarketAnswer>('/api/market');
    expect(market.items.find(({ gpuName }) => gpuName === 'RTX 4090')?.lowest).toBe(
      item?.lowest?.usdPerGpuHour,
    );
  });

  it('has the percentile that its explanation computes', async () => {
    const [item] = await ask('?gpuName=RTX+4090');
    const listingId = item?.lowest?.listingId ?? '';
    const { value, agrees } = await test.json<FigureExplanation>(
      `/api/explain?of=verdict&days=7&listingId=${listingId}`,
    );
    expect(value).toMatchObject({ percentile7: item?.lowest?.verdict?.windows[0]?.percentile });
    expect(agrees).toBe(true);
  });

  it('has the days with a price, of a model that is no longer listed too', async () => {
    const { sql, market } = test;
    const days = async (gpuName: string) => {
      const [item] = await ask(`?gpuName=${gpuName}`);
      return [item?.pricedFrom, item?.pricedTo, item?.offers];
    };
    expect(await days('RTX+4090')).toEqual(['2026-05-01T00:00:00.000Z', '2026-05-12T00:00:00.000Z', 11]);
    await landOffers(sql, market.id, '2026-05-11T18:00:00Z', usual);
    expect(await days('H100+SXM')).toEqual(['2026-05-11T00:00:00.000Z', '2026-05-12T00:00:00.000Z', 0]);
    await landOffers(sql, market.id, '2026-05-11T19:00:00Z', newest);
  });

  it('judges the price that it shows, also of an offer that passes a filter by its live value alone', async () => {
    const app = await createTestApp();
    const { sql, market } = app;
    const book = (reliability: number) => [
      priced(1, 0.1, { reliability }),
      priced(2, 0.2, { reliability: 0.99 }),
    ];
    for (let hours = 0; hours < 168; hours += 4)
      await landOffers(
        sql,
        market.id,
        new Date(Date.parse('2026-05-01T01:00:00Z') + hours * 3_600_000).toISOString(),
        book(0.979),
      );
    // Less than the step that makes a new row of slow attributes.
    await landOffers(sql, market.id, '2026-05-08T00:00:00Z', book(0.982));
    const asked = 'gpuName=RTX+4090&minReliability=0.98';
    const [item] = (await app.json<LowestVerdictsAnswer>(`/api/verdicts?${asked}`)).items;
    expect(item).toMatchObject({
      lowest: { usdPerGpuHour: 0.1 },
      timing: { grade: 'very_low', higherPercent: 100, lowerPercent: 0, medianUsdPerGpuHour: 0.2 },
    });
    const { value, agrees } = await app.json<FigureExplanation>(`/api/explain?of=timing&${asked}&limit=200`);
    expect(value).toMatchObject({ lowest: 0.1, higherPercent: 100, median: 0.2 });
    expect(agrees).toBe(true);
  });

  it('says whether the lowest price is low now by those of the books before, as its explanation does', async () => {
    const app = await createTestApp();
    const { sql, market } = app;
    // Of 42 books in 7 days the cheapest costs 0.2 in the first 12 and 0.08 in the last 6; verified ones never change.
    for (let book = 0; book < 42; book += 1) {
      const cheapest = book < 12 ? 0.2 : book < 36 ? 0.1 : 0.08;
      const at = new Date(Date.parse('2026-05-01T01:00:00Z') + book * 4 * 3_600_000).toISOString();
      await landOffers(sql, market.id, at, [priced(1, cheapest, unverified), ...usual.slice(2)]);
    }
    const none = await app.json<LowestVerdictsAnswer>('/api/verdicts?verification=deverified');
    expect(none.items[0]).toMatchObject({ lowest: null, timing: null, verifiedTiming: null });
    await landOffers(sql, market.id, '2026-05-08T00:00:00Z', [priced(1, 0.1, unverified), ...usual.slice(2)]);
    const [item] = (await app.json<LowestVerdictsAnswer>('/api/verdicts')).items;
    // The newest book comes three hours after the one before.
    const percentile = (100 * (5 * 4 + 3 + (24 * 4) / 2)) / 167;
    expect(item?.lowest?.usdPerGpuHour).toBe(0.1);
    expect(item?.timing).toEqual({
      ...{
        grade: 'usual',
        days: 7,
        books: 42,
        percentile: expect.closeTo(percentile, 9),
        text: 'an ordinary time to rent',
      },
      lowerPercent: expect.closeTo((100 * 23) / 167, 9),
      higherPercent: expect.closeTo((100 * 48) / 167, 9),
      medianUsdPerGpuHour: 0.1,
      // The one just before, though most others were higher.
      last: { usdPerGpuHour: 0.08, since: '2026-05-07T01:00:00.000Z', until: '2026-05-08T00:00:00.000Z' },
      claim: 'the lowest price was higher in 29% of the last 7 days',
      sentence:
        'an ordinary time to rent: the lowest price was higher in 29% of the last 7 days (42 earlier books)',
    });
    expect(item?.verifiedTiming).toMatchObject({
      percentile: 50,
      claim: 'the lowest price was the same all of the last 7 days',
    });
    const explained = await app.json<FigureExplanation>('/api/explain?of=timing&gpuName=RTX+4090&limit=200');
    expect(explained).toMatchObject({
      agrees: true,
      taken: 42,
      value: { lowest: 0.1, percentile, median: 0.1, books: 42 },
    });
    expect(explained.text[0]).toContain('over the offers that matched the same filters in that book');
    // By what a time is called good, in the limits of the grades.
    for (const [percentile, percent] of [
      [10, 90],
      [25, 75],
    ] as const) {
      expect(gradePercentile(percentile + 0.01)).not.toBe(gradePercentile(percentile));
      expect(explained.text[0]).toContain(`${percent}%`);
    }
    expect(explained.rejected).toEqual([{ reason: 'the newest book', rows: 1 }]);
    const [filtered] = (
      await app.json<LowestVerdictsAnswer>('/api/verdicts?gpuName=RTX+4090&verification=verified')
    ).items;
    expect(filtered?.timing).toEqual(item?.verifiedTiming);
    const folder = await mkdtemp(join(tmpdir(), 'offerbook-timing-'));
    const config = loadConfig({ DATABASE_URL: databaseUrl(app.target), DATA_DIR: folder });
    const { stdout } = await runInProcess(['wait-or-rent', '--gpu-name', 'RTX 4090'], config);
    expect(stdout).toMatch(
      /Now is an ordinary time to rent: the lowest price is \$0\.1000\/GPU-hour; it was higher than now in 29% of the last 7 days, usually \$0\.1000, as now; it was \$0\.0800 from 2026-05-07 01:00 UTC \(\d+ d ago\) to 2026-05-08 00:00 UTC \(\d+ d ago\) \(42 earlier books\)\.\n/,
    );
    await landOffers(sql, market.id, '2026-05-08T01:00:00Z', [
      priced(1, 0.15, unverified),
      ...usual.slice(2),
    ]);
    const later = await runInProcess(['wait-or-rent', '--gpu-name', 'RTX 4090'], config);
    // One that held for an hour is passed over.
    expect(later.stdout).toContain(
      'of the last 7 days, usually $0.1000; it was $0.0800 from 2026-05-07 01:00 UTC (',
    );
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps to the filters, and has null where nothing matches', async () => {
    const [verified] = await ask('?gpuName=RTX+4090&verification=verified');
    expect(verified?.lowest).toMatchObject({ machineId: 8, usdPerGpuHour: 0.25 });
    const [none] = await ask('?gpuName=RTX+4090&minVramGb=900');
    expect(none).toMatchObject({ offers: 0, outliers: 0, lowest: null, lowestVerified: null });
  });

  it('is about the model with the most GPUs listed, if none is named', async () => {
    expect((await ask()).map(({ gpuName }) => gpuName)).toEqual(['RTX 4090']);
    const { sql, market } = test;
    await landOffers(sql, market.id, day(11), [...usual, priced(9, 1, { gpuName: 'H100 SXM', numGpus: 16 })]);
    expect((await ask()).map(({ gpuName }) => gpuName)).toEqual(['H100 SXM']);
  });

  it('is empty without a book, has no verdict in a partial one, and refuses an unknown model', async () => {
    const empty = await createTestApp();
    expect(await empty.json('/api/verdicts')).toEqual({ items: [], nextCursor: null });
    await landOffers(empty.sql, empty.market.id, day(0), usual, { verdict: 'partial' });
    const partial = await empty.json<LowestVerdictsAnswer>('/api/verdicts');
    expect(partial.items[0]).toMatchObject({ bookVerdict: 'partial', lowest: { verdict: null } });
    const refused = await empty.get('/api/verdicts?gpuName=RTX+4091');
    expect(refused.status).toBe(400);
  });
});
