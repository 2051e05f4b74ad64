import { beforeAll, describe, expect, it } from 'vitest';
import { sortByKey } from '../../src/prices/rankings/ranking-order.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { landOffers, priced } from './made-offers.ts';

describe('sorting by a key', () => {
  const items = [
    { name: 'a', key: 2 },
    { name: 'b', key: null },
    { name: 'c', key: 1 },
    { name: 'd', key: 2 },
    { name: 'e', key: 3 },
  ];
  const sorted = (order: 'asc' | 'desc', last = '') =>
    sortByKey(items, { keyOf: ({ key }) => key, isLast: ({ name }) => name === last, order })
      .map(({ name }) => name)
      .join('');

  it('keeps equal items as they were, and unknown ones last in both directions', () => {
    expect([sorted('asc'), sorted('desc')]).toEqual(['cadeb', 'eadcb']);
  });

  it('puts what is to be last behind what is unknown', () => {
    expect([sorted('asc', 'c'), sorted('desc', 'e')]).toEqual(['adebc', 'adcbe']);
  });

  it('compares the numbers in names as numbers', () => {
    const names = ['RTX 5090', 'A100', 'RTX 590'];
    expect(sortByKey(names, { keyOf: (name) => name, isLast: () => false, order: 'asc' })).toEqual([
      'A100',
      'RTX 590',
      'RTX 5090',
    ]);
  });
});

describe('the order of GET /api/rankings', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
    await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', [
      priced(1, 0.1, { verification: 'deverified', reliability: 0.999, maxDurationHours: 24 }),
      priced(2, 0.2, { verification: 'verified', reliability: 0.9, gpuRamMb: 80_000, cpuName: null }),
      priced(3, 0.3, { verification: 'unverified', reliability: null, maxDurationHours: null }),
      priced(4, 0.4, { verification: null, reliability: 0.98, inetDownUsdPerGb: 0.001 }),
      priced(5, 0.5, { verification: 'verified', reliability: 0.98, gpuName: 'A100', cpuName: 'Xeon' }),
      priced(6, 0.6, { verification: 'deverified', dlperf: null, gpuName: 'RTX 3090' }),
    ]);
  });

  const listed = async (query: string) => {
    const answer = await test.json<RankingsAnswer>(`/api/rankings?by=usdPerGpuHour&${query}`);
    return { ...answer, ids: answer.items.map(({ offerId }) => offerId).join('') };
  };

  it.each([
    ['', '123456'],
    ['order=desc', '654321'],
    ['deverifiedLast=true', '234516'],
    ['deverifiedLast=false', '123456'],
    // An offer whose end is not stated lasts.
    ['endingLast=true&runningHours=25', '234561'],
    ['endingLast=true&runningHours=24', '123456'],
    // 6 has 0.99, as all that state nothing else here.
    ['sort=reliability&order=desc', '164523'],
    ['sort=reliability', '245613'],
    ['sort=reliability&order=desc&deverifiedLast=true', '452316'],
    ['sort=verification', '253164'],
    ['sort=gpuRamMb&order=desc', '213456'],
    ['sort=gpuName', '561234'],
    ['sort=maxDurationHours', '124563'],
    ['sort=inetDownUsdPerGb', '412356'],
    ['sort=cpuName', '134652'],
    ['sort=usdPerGpuHour&order=desc', '654321'],
    ['sort=machineId&order=desc', '654321'],
  ])('of %j is %s', async (query, expected) => {
    expect((await listed(query)).ids).toBe(expected);
  });

  it('is by price where no verdict has enough history', async () => {
    const { ids, items } = await listed('sort=verdict&order=desc');
    expect(ids).toBe('123456');
    expect(items[0]?.verdict?.windows[0]?.percentile).toBeNull();
  });

  it('continues over pages, with the ranks and the total of the whole ranking', async () => {
    const query = 'sort=reliability&order=desc&deverifiedLast=true&limit=2';
    const pages: RankingsAnswer['items'] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: RankingsAnswer = await listed(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.total).toBe(6);
      pages.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(pages.map(({ offerId }) => offerId).join('')).toBe('452316');
    expect(pages.map(({ rank }) => rank)).toEqual([4, 5, 2, 3, 1, 6]);
    const wholeList = await listed(query.replace('limit=2', 'limit=100'));
    expect(pages).toEqual(wholeList.items);
  });

  it('counts only what matches and can be ranked', async () => {
    expect((await listed('verification=verified')).total).toBe(2);
    const byDlperf = await test.json<RankingsAnswer>('/api/rankings?limit=1');
    expect([byDlperf.total, byDlperf.items.length]).toEqual([5, 1]);
  });

  it('has the machine beside the prices', async () => {
    const { items } = await listed('limit=1');
    expect(items[0]).toMatchObject({
      ...{ gpuRamMb: 24_564, cpuName: 'AMD EPYC 7543 32-Core Processor', cpuCores: 16, cpuRamMb: 64_000 },
      ...{ diskSpaceGb: 200, inetDown: 500, inetUp: 400, maxDurationHours: 24 },
      ...{ inetDownUsdPerGb: 0.01, inetUpUsdPerGb: 0.02 },
    });
  });

  it('can list outlier prices last', async () => {
    const own = await createTestApp();
    const usual = [1, 2, 3, 4, 5].map((id) => priced(id, 0.3 + id / 100));
    await landOffers(own.sql, own.market.id, '2026-07-29T00:00:00Z', usual);
    await landOffers(own.sql, own.market.id, '2026-07-30T00:00:00Z', [
      ...usual,
      priced(6, 0.02),
      priced(7, 3),
    ]);
    const idsOf = async (query: string) => {
      const { items } = await own.json<RankingsAnswer>(`/api/rankings?by=usdPerGpuHour&${query}`);
      return items.map(({ offerId, isOutlier }) => `${offerId}${isOutlier === true ? '!' : ''}`).join('');
    };
    expect(await idsOf('outliersLast=false')).toBe('6!123457!');
    expect(await idsOf('outliersLast=true')).toBe('123456!7!');
    expect(await idsOf('outliersLast=true&order=desc&limit=3')).toBe('543');
  });

  it('refuses an unknown column or order by name', async () => {
    const { errors } = await test.problem('/api/rankings?sort=price&order=up&deverifiedLast=yes', 400);
    expect(errors.map(({ name }) => name).sort()).toEqual(['deverifiedLast', 'order', 'sort']);
  });
});
