import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Offer } from '../../src/core/offer.ts';
import type { OffersAnswer } from '../../src/prices/newest/offers.routes.ts';
import { putOnBlocklist, removeFromBlocklist } from '../../src/prices/rankings/blocklist.sql.ts';
import type { RankingGroupsAnswer } from '../../src/prices/rankings/ranking-groups.routes.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import { fullOfferFiles, hasRecordedData } from '../support/recorded-data.ts';
import { createTestApp, landFiles, type TestApp } from '../support/test-app.ts';
import { landOffers, makeOffer } from './made-offers.ts';

interface FullRecord {
  id: number;
  num_gpus: number;
  gpu_name: string;
  dph_base: number;
  dph_total: number;
  storage_cost: number;
  inet_down_cost: number;
  inet_up_cost: number;
  dlperf: number;
  total_flops: number;
  gpu_ram: number;
  reliability2: number;
  cpu_cores: number | null;
  cpu_ram: number | null;
  verification: string;
}

describe.skipIf(!hasRecordedData)('GET /api/rankings over full recorded offers', () => {
  let test: TestApp;
  let records: FullRecord[];

  beforeAll(async () => {
    test = await createTestApp();
    await landFiles(test, fullOfferFiles, { coverage: 'complete' });
    const newest = fullOfferFiles.at(-1) ?? '';
    const { offers } = JSON.parse(gunzipSync(readFileSync(newest)).toString('utf8')) as {
      offers: FullRecord[];
    };
    records = offers;
  });

  const perDlperf = (record: FullRecord) => record.dph_total / record.dlperf;

  it('ranks by price per DLPerf by default, like a plain recomputation', async () => {
    const { items, by, bookVerdict, unranked, nextCursor } =
      await test.json<RankingsAnswer>('/api/rankings?limit=1000');
    expect([by, bookVerdict, nextCursor]).toEqual(['usdPerDlperfHour', 'complete', null]);
    const ranked = records.filter((record) => record.dlperf > 0);
    expect(items).toHaveLength(ranked.length);
    expect(unranked.reduce((sum, { offers }) => sum + offers, 0)).toBe(records.length - ranked.length);
    expect(items.map(({ rank }) => rank)).toEqual(items.map((_, index) => index + 1));
    const byId = new Map(ranked.map((record) => [record.id, record]));
    for (const [index, item] of items.entries()) {
      const record = byId.get(item.offerId);
      if (record === undefined) throw new Error(`${item.offerId} is no offer of the book`);
      expect(item.value).toBeCloseTo(perDlperf(record), 12);
      expect(item.unit).toBe('USD/DLPerf/hour');
      expect(item.usdPerHour).toBeCloseTo(record.dph_total, 12);
      expect(item.usdPerGpuHour).toBeCloseTo(record.dph_total / record.num_gpus, 12);
      expect(item).toMatchObject({
        gpuName: record.gpu_name,
        numGpus: record.num_gpus,
        verification: record.verification,
        verdict: {
          comparableNow: { offers: expect.any(Number) },
          windows: [{ days: 7 }, { days: 30 }, { days: 90 }],
        },
      });
      const next = items[index + 1];
      if (next !== undefined) expect(item.value).toBeLessThanOrEqual(next.value);
    }
  });

  it.each<[string, (record: FullRecord) => number, string]>([
    ['usdPerGpuHour', (record) => record.dph_total / record.num_gpus, 'USD/GPU/hour'],
    [
      'usdPerGbVramHour',
      (record) => record.dph_total / ((record.gpu_ram / 1000) * record.num_gpus),
      'USD/GB/hour',
    ],
    ['usdPerTflopHour', (record) => record.dph_total / record.total_flops, 'USD/TFLOPS/hour'],
  ])('ranks by %s', async (by, value, unit) => {
    const { items } = await test.json<RankingsAnswer>(`/api/rankings?limit=1000&by=${by}`);
    const wanted = records.map(value).sort((a, b) => a - b);
    expect(items).toHaveLength(wanted.length);
    for (const [index, item] of items.entries()) expect(item.value).toBeCloseTo(wanted[index] ?? -1, 12);
    expect(new Set(items.map((item) => item.unit))).toEqual(new Set([unit]));
  });

  it('ranks by the all-in price of a profile', async () => {
    const profile = 'storageGb=100&downGb=500&upGb=50&runningHours=100&stoppedHours=20';
    const { items } = await test.json<RankingsAnswer>(
      `/api/rankings?limit=1000&by=allInUsdPerHour&${profile}`,
    );
    const allIn = (record: FullRecord) =>
      (record.dph_base * 100 +
        ((record.storage_cost * 100) / 720) * 120 +
        record.inet_down_cost * 500 +
        record.inet_up_cost * 50) /
      100;
    const wanted = records.map(allIn).sort((a, b) => a - b);
    for (const [index, item] of items.entries()) {
      expect(item.value).toBeCloseTo(wanted[index] ?? -1, 10);
      expect(item.allInUsdPerHour).toBe(item.value);
    }
  });

  it('returns every offer once, whatever the page size', async () => {
    const { items: whole } = await test.json<RankingsAnswer>('/api/rankings?limit=1000');
    const paged = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: RankingsAnswer = await test.json(
        `/api/rankings?limit=37${cursor && `&cursor=${cursor}`}`,
      );
      paged.push(...answer.items);
      cursor = answer.nextCursor;
    }
    expect(paged).toEqual(whole);
  });

  it('applies filters', async () => {
    const filter = 'gpuName=RTX+4090&verification=verified&minVramGb=24&minReliability=0.99';
    const { items, unranked } = await test.json<RankingsAnswer>(`/api/rankings?limit=1000&${filter}`);
    const own = records.filter(
      (record) =>
        record.gpu_name === 'RTX 4090' && record.verification === 'verified' && record.reliability2 >= 0.99,
    );
    expect(items.map(({ offerId }) => offerId).sort()).toEqual(own.map(({ id }) => id).sort());
    expect(items.length).toBeGreaterThan(3);
    expect(unranked).toEqual([]);
  });

  it.each([
    'type=on-demand&numGpus=1&numGpus=2',
    'country=US&country=CA',
    'datacenter=true',
    'staticIp=false&minCuda=12.4',
    'minDiskGb=500&minInetDown=800',
    'minInetUp=200.5&minReliability=0.995',
    'maxUsdPerHour=0.3&storageGb=100',
    'minVramGb=40',
    'verification=unverified&verification=deverified',
  ])('includes the offers that /api/offers has with %s', async (filter) => {
    const ranked = await test.json<RankingsAnswer>(`/api/rankings?limit=1000&by=usdPerGpuHour&${filter}`);
    const listed = await test.json<OffersAnswer>(`/api/offers?limit=1000&${filter}`);
    const ids = (items: { offerId: number }[]) => items.map(({ offerId }) => offerId).sort((a, b) => a - b);
    expect(ids(ranked.items)).toEqual(ids(listed.items));
    expect(ranked.items.length).toBeGreaterThan(0);
    expect(ranked.items.length).toBeLessThan(records.length);
  });
});

describe('GET /api/rankings', () => {
  const at = '2026-07-30T00:00:00Z';

  async function rank(offers: readonly Offer[], query = ''): Promise<RankingsAnswer> {
    const test = await createTestApp();
    await landOffers(test.sql, test.market.id, at, offers);
    return await test.json<RankingsAnswer>(`/api/rankings${query}`);
  }
  const ids = ({ items }: RankingsAnswer) => items.map(({ offerId }) => offerId);

  it('is empty for a market without books', async () => {
    const test = await createTestApp();
    expect(await test.json('/api/rankings')).toEqual({
      observedAt: null,
      bookVerdict: null,
      by: 'usdPerDlperfHour',
      items: [],
      total: 0,
      unranked: [],
      nextCursor: null,
    });
  });

  it('breaks ties by reliability, then CPU cores, then RAM, unknown values last', async () => {
    const answer = await rank([
      makeOffer(1, { reliability: null }),
      makeOffer(2, { cpuCores: 8 }),
      makeOffer(3, { cpuCores: 32, cpuRamMb: 1000 }),
      makeOffer(4, { cpuCores: 32, cpuRamMb: 2000 }),
      makeOffer(5, { reliability: 0.999, cpuCores: null }),
      makeOffer(6, { cpuCores: null }),
    ]);
    expect(ids(answer)).toEqual([5, 4, 3, 2, 6, 1]);
  });

  it('counts offers without a value by the reason', async () => {
    const offers = [
      makeOffer(1),
      makeOffer(2, { dlperf: 0 }),
      makeOffer(3, { dlperf: null }),
      makeOffer(4, { storageUsdPerGbMonth: null, dlperf: null }),
      makeOffer(5, { inetDownUsdPerGb: null, inetUpUsdPerGb: null }),
    ];
    const test = await createTestApp();
    await landOffers(test.sql, test.market.id, at, offers);
    const dlperf = await test.json<RankingsAnswer>('/api/rankings');
    expect(ids(dlperf)).toEqual([1, 5]);
    expect(dlperf.unranked).toEqual([
      { reason: 'no DLPerf score', offers: 2 },
      { reason: 'no storage price', offers: 1 },
    ]);
    const allIn = await test.json<RankingsAnswer>('/api/rankings?by=allInUsdPerHour');
    expect(ids(allIn)).toEqual([1, 2, 3]);
    expect(allIn.unranked).toEqual([
      { reason: 'no download price', offers: 1 },
      { reason: 'no storage price', offers: 1 },
    ]);
  });

  it('ranks by price per GPU, and says so, if no offer has a DLPerf score', async () => {
    const offers = [makeOffer(1, { dlperf: null }), makeOffer(2, { dlperf: 0, baseUsdPerHour: 0.1 })];
    const answer = await rank(offers, '?by=usdPerDlperfHour');
    expect([answer.by, ids(answer), answer.unranked]).toEqual(['usdPerGpuHour', [2, 1], []]);
  });

  it('keeps ranking by DLPerf when a filter leaves only offers without one', async () => {
    const offers = [makeOffer(1, { dlperf: null }), makeOffer(2, { country: 'US' })];
    const answer = await rank(offers, '?country=DE');
    expect([answer.by, ids(answer)]).toEqual(['usdPerDlperfHour', []]);
    expect(answer.unranked).toEqual([{ reason: 'no DLPerf score', offers: 1 }]);
  });

  it("flags prices far from their segment's, and no others, and groups name the lowest of the others", async () => {
    const usual = [1, 2, 3, 4, 5].map((id) => makeOffer(id));
    const test = await createTestApp();
    await landOffers(test.sql, test.market.id, at, [
      ...usual,
      makeOffer(10, { baseUsdPerHour: 40 }),
      makeOffer(11, { baseUsdPerHour: 0.05 }),
      makeOffer(12, { baseUsdPerHour: 1.59 }),
      makeOffer(13, { baseUsdPerHour: 40, gpuName: 'H100 SXM' }),
      makeOffer(14, { baseUsdPerHour: 40, verification: 'deverified' }),
    ]);
    const answer = await test.json<RankingsAnswer>('/api/rankings');
    const { groups } = await test.json<RankingGroupsAnswer>(
      '/api/rankings/groups?by=usdPerGpuHour&groupBy=gpuName',
    );
    const price = (id: number) => answer.items.find(({ offerId }) => offerId === id)?.usdPerGpuHour;
    expect([groups[0]?.min, groups[0]?.lowest]).toEqual([price(11), price(1)]);
    const outliers = answer.items.filter(({ isOutlier }) => isOutlier).map(({ offerId }) => offerId);
    expect(outliers.sort()).toEqual([10, 11]);
    expect(answer.items.every(({ isOutlier }) => isOutlier !== null)).toBe(true);
  });

  it('can be grouped by model and country, with count and range', async () => {
    const test = await createTestApp();
    const offers = [
      makeOffer(1, { baseUsdPerHour: 0.5 }),
      makeOffer(2, { baseUsdPerHour: 0.3, machineId: 10, numGpus: 2 }),
      makeOffer(3, { baseUsdPerHour: 0.9 }),
      makeOffer(4, { baseUsdPerHour: 0.2, country: 'US' }),
      makeOffer(5, { baseUsdPerHour: 4, gpuName: 'H100 SXM', country: null }),
      makeOffer(6, { dlperf: null }),
    ];
    await landOffers(test.sql, test.market.id, at, offers);
    const answer = await test.json<RankingGroupsAnswer>('/api/rankings/groups');
    expect(answer.groups.map(({ gpuName, country, offers: count }) => [gpuName, country, count])).toEqual([
      ['RTX 4090', 'US', 1],
      ['RTX 4090', 'DE', 3],
      ['H100 SXM', null, 1],
    ]);
    const dollar = (base: number) => expect.closeTo((base + 0.001) / 100, 12);
    const { items } = await test.json<RankingsAnswer>('/api/rankings');
    expect(answer.groups[1]).toEqual({
      gpuName: 'RTX 4090',
      country: 'DE',
      offers: 3,
      gpus: 4,
      machines: 2,
      min: dollar(0.3),
      lowest: dollar(0.3),
      median: dollar(0.5),
      max: dollar(0.9),
      best: { rank: 2, offerId: 2, listingId: items[1]?.listingId },
    });
    expect([answer.by, answer.unranked]).toEqual([
      'usdPerDlperfHour',
      [{ reason: 'no DLPerf score', offers: 1 }],
    ]);
    const byCountry = await test.json<RankingGroupsAnswer>(
      '/api/rankings/groups?groupBy=country&by=usdPerGpuHour',
    );
    expect(byCountry.groups.map(({ gpuName, country }) => [gpuName, country])).toEqual([
      [null, 'DE'],
      [null, 'US'],
      [null, null],
    ]);
    const { errors } = await test.problem('/api/rankings/groups?groupBy=host', 400);
    expect(errors.map(({ name }) => name)).toEqual(['groupBy']);
  });

  it('leaves out and counts blocked offers, and marks preferred ones', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    const offers = [
      makeOffer(1),
      makeOffer(2, { hostId: 8 }),
      makeOffer(3, { hostId: 9, dlperf: null }),
      makeOffer(4, { hostId: null }),
    ];
    await landOffers(sql, market.id, at, offers);
    const entry = { marketId: market.id, note: null, at: new Date(at) };
    await putOnBlocklist(sql, { ...entry, kind: 'block', machineId: 10, hostId: null });
    const blocked = await putOnBlocklist(sql, { ...entry, kind: 'block', machineId: null, hostId: 9 });
    await putOnBlocklist(sql, { ...entry, kind: 'prefer', machineId: null, hostId: 8 });
    const answer = await test.json<RankingsAnswer>('/api/rankings');
    expect(answer.items.map(({ offerId, preferred }) => [offerId, preferred])).toEqual([
      [2, true],
      [4, false],
    ]);
    expect(answer.unranked).toEqual([{ reason: 'blocked', offers: 2 }]);
    await removeFromBlocklist(sql, blocked.id);
    const { unranked } = await test.json<RankingsAnswer>('/api/rankings');
    expect(unranked).toEqual([
      { reason: 'blocked', offers: 1 },
      { reason: 'no DLPerf score', offers: 1 },
    ]);
  });

  it('uses the newest complete book even if a partial one is newer', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, at, [makeOffer(1), makeOffer(2)]);
    await landOffers(
      sql,
      market.id,
      '2026-07-30T01:00:00Z',
      [makeOffer(1, { baseUsdPerHour: 9 }), makeOffer(3)],
      {
        verdict: 'partial',
      },
    );
    const answer = await test.json<RankingsAnswer>('/api/rankings');
    expect(answer).toMatchObject({ observedAt: '2026-07-30T00:00:00.000Z', bookVerdict: 'complete' });
    expect(ids(answer)).toEqual([1, 2]);
  });

  it('labels a partial book if there is no complete one, and marks no outliers in it', async () => {
    const test = await createTestApp();
    await landOffers(test.sql, test.market.id, at, [makeOffer(1)], { verdict: 'partial' });
    const answer = await test.json<RankingsAnswer>('/api/rankings');
    expect(answer.bookVerdict).toBe('partial');
    expect(answer.items).toEqual([expect.objectContaining({ offerId: 1, isOutlier: null })]);
  });

  it('leaves out what the newest book no longer contains', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, at, [makeOffer(1), makeOffer(2)]);
    await landOffers(sql, market.id, '2026-07-30T01:00:00Z', [makeOffer(2)]);
    expect(ids(await test.json<RankingsAnswer>('/api/rankings'))).toEqual([2]);
  });

  it('ranks several types together, each from its newest book', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, '2026-07-30T02:00:00Z', [makeOffer(1)]);
    await landOffers(sql, market.id, at, [makeOffer(1, { baseUsdPerHour: 0.2 })], { type: 'bid' });
    const answer = await test.json<RankingsAnswer>('/api/rankings?type=bid&type=on-demand');
    expect(answer.items.map(({ type, offerId }) => [type, offerId])).toEqual([
      ['bid', 1],
      ['on-demand', 1],
    ]);
    expect(answer.observedAt).toBe('2026-07-30T00:00:00.000Z');
  });

  it('refuses a cursor of another book or other parameters, and a malformed one', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, at, [makeOffer(1), makeOffer(2)]);
    const { nextCursor } = await test.json<RankingsAnswer>('/api/rankings?limit=1');
    const other = await test.problem(`/api/rankings?limit=1&by=usdPerGpuHour&cursor=${nextCursor}`, 400);
    expect(other.errors.map(({ name }) => name)).toEqual(['cursor']);
    await test.problem(`/api/offers?cursor=${nextCursor}`, 400);
    for (const broken of ['x', '%00', 'bnVsbA', Buffer.from('[-1,[],"x"]').toString('base64url')]) {
      await test.problem(`/api/rankings?cursor=${broken}`, 400);
    }
    await landOffers(sql, market.id, '2026-07-30T01:00:00Z', [makeOffer(1), makeOffer(2)]);
    const { type } = await test.problem(`/api/rankings?limit=1&cursor=${nextCursor}`, 409);
    expect(type).toContain('book-changed');
  });

  it.each(['limit=0', 'limit=1001', 'limit=1.5', 'limit=ten', 'by=price', 'bucket=1d'])(
    'refuses %s',
    async (query) => {
      const test = await createTestApp();
      const { errors } = await test.problem(`/api/rankings?${query}`, 400);
      expect(errors.map(({ name }) => name)).toEqual([query.split('=')[0]]);
    },
  );
});
