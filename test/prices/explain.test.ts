import { beforeAll, describe, expect, it } from 'vitest';
import type { ExplanationAnswer } from '../../src/prices/explain/explanation-schema.ts';
import { putOnBlocklist } from '../../src/prices/rankings/blocklist.sql.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import type { TrendsAnswer } from '../../src/prices/trends/trends.routes.ts';
import { hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { createTestApp, landFiles, type TestApp } from '../support/test-app.ts';
import { landOffers, makeOffer } from './made-offers.ts';

const explain = async (test: TestApp, query: string) =>
  await test.json<ExplanationAnswer>(`/api/explain?${query}`);
const isRejected = ({ rejected }: ExplanationAnswer) =>
  Object.fromEntries(rejected.map(({ reason, rows }) => [reason, rows]));

describe.skipIf(!hasRecordedData)('GET /api/explain over recorded books', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
    await landFiles(test, marketBookFiles.slice(0, 1));
  }, 120_000);

  it.each([
    'gpuName=RTX+4090',
    '',
    'gpuName=RTX+4090&metric=usdPerHour&storageGb=100',
    'gpuName=RTX+4090&metric=usdPerDlperfHour&numGpus=1&numGpus=2',
    'metric=allInUsdPerHour&downGb=100&upGb=10&runningHours=24',
  ])('recomputes the points of the trend (%s)', async (query) => {
    const { series } = await test.json<TrendsAnswer>(
      `/api/trends?bucket=book&from=2000-01-01&to=2100-01-01&${query}`,
    );
    const points = (series[0]?.points ?? []).slice(-3);
    expect(points.length).toBeGreaterThan(0);
    for (const point of points) {
      const { recomputed, taken } = await explain(test, `of=book&at=${point.t}&${query}`);
      expect(taken).toBe(point.observations);
      for (const name of ['observations', 'offers', 'gpus', 'machines'] as const) {
        expect(recomputed[name]).toBe(point[name]);
      }
      for (const name of ['min', 'p10', 'p25', 'median', 'p75', 'p90', 'max'] as const) {
        const wanted = point[name];
        if (wanted === null) expect(recomputed[name]).toBeNull();
        else expect(recomputed[name]).toBeCloseTo(wanted, 9);
      }
    }
  });
});

describe('GET /api/explain', () => {
  const at = '2026-07-30T10:00:00.000Z';
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, '2026-07-30T09:00:00Z', [makeOffer(1), makeOffer(2)]);
    await landOffers(sql, market.id, '2026-07-30T09:30:00Z', [makeOffer(1)], { verdict: 'partial' });
    await landOffers(sql, market.id, at, [
      makeOffer(1, { baseUsdPerHour: 0.4 }),
      makeOffer(2, { baseUsdPerHour: 0.5, reliability: 0.995 }),
      makeOffer(3, { baseUsdPerHour: 0.6, country: 'US' }),
      makeOffer(4, { baseUsdPerHour: 0.7, dlperf: null }),
      makeOffer(5, { baseUsdPerHour: 0.8, storageUsdPerGbMonth: null }),
      makeOffer(6, { baseUsdPerHour: 0.9, machineId: 66 }),
      makeOffer(7, { gpuName: 'H100 SXM' }),
    ]);
    await putOnBlocklist(sql, {
      ...{ marketId: market.id, kind: 'block', machineId: 66, hostId: null, note: null, at: new Date(at) },
    });
  });

  it('lists the rows of a point with their prices, and the rejected ones with a reason', async () => {
    const query = `of=book&at=${at}&gpuName=RTX+4090&metric=usdPerDlperfHour&country=DE`;
    const answer = await explain(test, query);
    expect(answer).toMatchObject({
      of: 'book',
      from: at,
      to: null,
      bookVerdict: 'complete',
      figure: 'usdPerDlperfHour',
      unit: 'USD/DLPerf/hour',
      formula: '(baseUsdPerHour + storageUsdPerGbMonth × 8 / 720) / dlperf',
      taken: 3,
    });
    expect(isRejected(answer)).toEqual({ 'filter country': 1, 'no DLPerf score': 1, 'no storage price': 1 });
    expect(answer.text.join(' ')).toContain(
      '3 left out: filter “Countries” not met (1), no DLPerf score (1)',
    );
    expect(answer.items.map(({ value }) => value)).toEqual(
      [0.4, 0.5, 0.9].map((base) => expect.closeTo((base + 0.001) / 100, 12)),
    );
    expect(answer.recomputed).toMatchObject({ observations: 3, offers: 5, books: 1 });
    const rejected = await explain(test, `${query}&rows=rejected&limit=2`);
    expect(rejected.items.map(({ value, rejected: reason }) => [value, reason])).toEqual([
      [null, 'filter country'],
      [null, 'no DLPerf score'],
    ]);
    const next = await explain(test, `${query}&rows=rejected&limit=2&cursor=${rejected.nextCursor}`);
    expect([next.items.map(({ rejected: reason }) => reason), next.nextCursor]).toEqual([
      ['no storage price'],
      null,
    ]);
  });

  it('lists the rows of a ranking in its order', async () => {
    const answer = await explain(test, 'of=ranking&maxUsdPerHour=0.95');
    const ranked = await test.json<RankingsAnswer>('/api/rankings?maxUsdPerHour=0.95');
    expect(answer.items.map(({ listingId, value }) => [listingId, value])).toEqual(
      ranked.items.map(({ listingId, value }) => [listingId, value]),
    );
    const ends = (hours: number | null) =>
      hours === null ? null : new Date(Date.parse(at) + hours * 3_600_000).toISOString();
    expect(
      answer.items.map(({ verification, reliability, endsAt }) => [verification, reliability, endsAt]),
    ).toEqual(ranked.items.map((item) => [item.verification, item.reliability, ends(item.maxDurationHours)]));
    expect(ranked.items.length).toBeGreaterThan(2);
    // Without a price of storage no price is known to be low enough.
    expect(isRejected(answer)).toEqual({ blocked: 1, 'no DLPerf score': 1, 'filter maxUsdPerHour': 1 });
    const { unranked } = ranked;
    expect(unranked).toEqual([
      { reason: 'blocked', offers: 1 },
      { reason: 'no DLPerf score', offers: 1 },
    ]);
    const allIn = await explain(
      test,
      'of=ranking&by=allInUsdPerHour&downGb=10&runningHours=100&stoppedHours=20',
    );
    expect(allIn.formula).toBe(
      '(baseUsdPerHour × 100 + storageUsdPerGbMonth × 8 / 720 × 120 + inetDownUsdPerGb × 10 + inetUpUsdPerGb × 0) / 100',
    );
  });

  it('lists the books of a bucket with their points, and which of them count', async () => {
    const answer = await explain(test, `of=bucket&bucket=1d&at=${at}&gpuName=RTX+4090`);
    expect(answer).toMatchObject({ from: '2026-07-30T00:00:00.000Z', to: '2026-07-31T00:00:00.000Z' });
    expect(
      answer.books.map(({ observedAt, covers, reason, point }) => [
        observedAt,
        covers,
        reason,
        point?.offers ?? null,
      ]),
    ).toEqual([
      ['2026-07-30T09:00:00.000Z', true, null, 2],
      ['2026-07-30T09:30:00.000Z', false, 'as the test says', null],
      [at, true, null, 6],
    ]);
    const { series } = await test.json<TrendsAnswer>(
      '/api/trends?bucket=1d&gpuName=RTX+4090&from=2026-07-30&to=2026-07-31',
    );
    const [point] = series[0]?.points ?? [];
    const { books, observations, offers, gpus, machines, min, max } = answer.recomputed;
    expect({ books, observations, offers, gpus, machines, min, max }).toEqual({
      ...{ books: point?.books, observations: point?.observations, offers: point?.offers, gpus: point?.gpus },
      ...{ machines: point?.machines, min: point?.min, max: point?.max },
    });
    expect(books).toBe(2);
  });

  it('explains the newest book where no moment is given, each GPU counted once', async () => {
    const answer = await explain(test, 'of=book&gpuName=RTX+4090');
    expect([answer.from, answer.agrees]).toEqual([at, true]);
    expect(answer.value).toMatchObject({ gpus: 6, physicalGpus: 6, physicalGpusIsLowerBound: false });
    expect(answer.recomputed).toMatchObject({ physicalGpus: 6, physicalGpusIsLowerBound: false });
  });

  it('refuses missing and unknown parameters', async () => {
    const named = async (query: string) =>
      (await test.problem(`/api/explain?${query}`, 400)).errors.map(({ name }) => name);
    expect(await named('of=bucket&bucket=1d')).toEqual(['at']);
    expect(await named('of=book&market=test-market&market=other')).toEqual(['market']);
    expect(await named('of=lowest')).toEqual(['gpuName']);
    expect(await named('of=lowest&gpuName=RTX+4090&hour=1')).toEqual(['hour']);
    expect(await named('of=week&gpuName=RTX+4090&hour=1')).toEqual(['hour']);
    expect(await named(`of=ranking&at=${at}`)).toEqual(['at']);
    expect(await named(`of=bucket&at=${at}`)).toEqual(['bucket']);
    expect(await named(`of=book&at=${at}&type=bid&type=on-demand`)).toEqual(['type']);
    await test.problem('/api/explain?of=book&at=2026-07-30T10:00:01Z', 404);
  });
});

it("the newest book's offers have the tier that it states, not the first one of its day", async () => {
  const test = await createTestApp();
  const { sql, market } = test;
  const offers = (verification: 'verified' | 'unverified') =>
    [0.4, 0.5, 0.6].map((baseUsdPerHour, index) =>
      makeOffer(index + 1, { baseUsdPerHour, verification: index === 2 ? 'unverified' : verification }),
    );
  await landOffers(sql, market.id, '2026-07-30T09:00:00Z', offers('unverified'));
  await landOffers(sql, market.id, '2026-07-30T10:00:00Z', offers('verified'));
  const { items } = await test.json<RankingsAnswer>('/api/rankings?by=usdPerGpuHour');
  expect(items.map(({ verdict }) => verdict?.comparableNow.offers)).toEqual([2, 2, 1]);
  for (const { listingId, verdict } of items) {
    const answer = await explain(test, `of=verdict&listingId=${listingId}`);
    expect(answer.agrees).toBe(true);
    expect(answer.recomputed).toMatchObject({ percentileNow: verdict?.comparableNow.percentile });
  }
  const lowest = await explain(test, 'of=lowest&gpuName=RTX+4090');
  expect(lowest.agrees).toBe(true);
});
