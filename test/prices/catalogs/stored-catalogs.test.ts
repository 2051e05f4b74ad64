import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogPricesAnswer, CatalogsAnswer } from '../../../src/prices/catalogs/catalogs.routes.ts';
import { storeSnapshot } from '../../../src/prices/catalogs/catalogs.sql.ts';
import { readCatalog } from '../../../src/prices/catalogs/read-catalog.ts';
import type { MarketAnswer } from '../../../src/prices/newest/market.routes.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { landOffers, makeOffer } from '../made-offers.ts';
import { card, type MadeRow, makeCatalog } from './made-catalog.ts';

type Sql = TestApp['sql'];

const day = (number: number): Date => new Date(Date.UTC(2026, 6, number));

async function store(sql: Sql, provider: string, asOf: Date, rows: readonly MadeRow[], replace = false) {
  const catalog = readCatalog('vms.csv', makeCatalog(rows));
  return await storeSnapshot(sql, { provider, asOf, importedAt: asOf, catalog, replace });
}

const held = async (sql: Sql) => [
  ...(await sql<object[]>`
    select provider, name, region, num_gpus, type::text, valid_from::text, valid_to::text, usd_per_hour::text
    from catalog_price order by provider, name, region, num_gpus, type, valid_from`),
];

describe('stored list prices', () => {
  it('write nothing while nothing changes, and end with the first snapshot without them', async () => {
    const { sql } = await createTestDatabase();
    const both = [card(), card({ Region: 'there', Price: 1 })];
    expect(await store(sql, 'a', day(1), both)).toEqual({ outcome: 'stored', changedPrices: 2 });
    const first = await held(sql);
    expect(await store(sql, 'a', day(2), both)).toEqual({ outcome: 'stored', changedPrices: 0 });
    expect(await store(sql, 'a', day(2), both)).toEqual({ outcome: 'unchanged', changedPrices: 0 });
    expect(await held(sql)).toEqual(first);
    expect(await store(sql, 'a', day(3), [card()])).toEqual({ outcome: 'stored', changedPrices: 1 });
    expect(await held(sql)).toMatchObject([
      { region: 'here', valid_from: '2026-07-01 00:00:00+00', valid_to: 'infinity', usd_per_hour: '0.5' },
      { region: 'there', valid_from: '2026-07-01 00:00:00+00', valid_to: '2026-07-03 00:00:00+00' },
    ]);
    await expect(store(sql, 'a', day(3), both)).rejects.toThrow('--replace');
    await store(sql, 'a', day(3), both, true);
    expect(await held(sql)).toEqual(first);
  });

  it('are the same after snapshots in any order as in a plain recomputation', async () => {
    const { sql } = await createTestDatabase();
    const snapshot = fc.record({
      day: fc.integer({ min: 1, max: 7 }),
      here: fc.constantFrom(null, 1, 2),
      there: fc.constantFrom(1, 3),
    });
    const snapshots = fc
      .uniqueArray(snapshot, { selector: ({ day: at }) => at, minLength: 1, maxLength: 6 })
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }));
    await fc.assert(
      fc.asyncProperty(snapshots, async (all) => {
        await sql`truncate catalog_price, catalog_snapshot`;
        for (const { day: at, here, there } of all) {
          const rows = here === null ? [] : [card({ Price: here })];
          await store(sql, 'a', day(at), [...rows, card({ Region: 'there', Price: there })]);
        }
        const inOrder = all.toSorted((a, b) => a.day - b.day);
        const expected = (['here', 'there'] as const).flatMap((region) => {
          const runs: { region: string; from: number; to: number | null; usd: number }[] = [];
          for (const [index, snap] of inOrder.entries()) {
            const usd = snap[region];
            const to = inOrder[index + 1]?.day ?? null;
            const last = runs.at(-1);
            if (last !== undefined && last.to === snap.day && last.usd === usd) last.to = to;
            else if (usd !== null) runs.push({ region, from: snap.day, to, usd });
          }
          return runs;
        });
        const stored = await sql<{ region: string; from: Date; to: Date | null; usd: number }[]>`
          select region, valid_from as "from", nullif(valid_to, 'infinity') as "to", usd_per_hour::float8 as usd
          from catalog_price order by region, valid_from`;
        expect(
          stored.map(({ from, to, ...rest }) => ({
            ...rest,
            from: from.getUTCDate(),
            to: to?.getUTCDate() ?? null,
          })),
        ).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});

describe('GET /api/catalogs', () => {
  it('lists sellers with what was left out, and every name with its possible models', async () => {
    const test = await createTestApp();
    expect(await test.json('/api/catalogs')).toEqual({ providers: [], gpus: [] });
    const listed = [
      makeOffer(1),
      makeOffer(2, { gpuName: 'H100 SXM' }),
      makeOffer(3, { gpuName: 'H100 PCIE' }),
    ];
    await landOffers(test.sql, test.market.id, '2026-07-30T12:00:00Z', listed);
    const rows = [card(), card({ AcceleratorName: 'H100' }), card({ AcceleratorName: 'H100-SXM' })];
    await store(test.sql, 'b', day(2), [...rows, card({ AcceleratorName: 'tpu-v4' })]);
    await store(test.sql, 'a', day(1), rows);
    await store(test.sql, 'a', day(3), [card(), card({ Price: '' })]);
    const { providers, gpus } = await test.json<CatalogsAnswer>('/api/catalogs');
    expect(providers).toEqual([
      {
        ...{ provider: 'a', snapshots: 2, firstAsOf: day(1).toISOString(), asOf: day(3).toISOString() },
        ...{ importedAt: day(3).toISOString(), rows: 2, leftOut: { 'no price': 1 }, prices: 1 },
      },
      expect.objectContaining({ provider: 'b', prices: 4, leftOut: {} }),
    ]);
    const both = ['a', 'b'];
    expect(gpus).toEqual([
      ...[
        {
          name: 'H100',
          form: null,
          providers: both,
          status: 'ambiguous',
          gpuNames: ['H100 SXM', 'H100 PCIE'],
        },
      ],
      ...[{ name: 'H100-SXM', form: 'SXM', providers: both, status: 'known', gpuNames: ['H100 SXM'] }],
      ...[{ name: 'RTX4090', form: null, providers: both, status: 'known', gpuNames: ['RTX 4090'] }],
      ...[{ name: 'tpu-v4', form: null, providers: ['b'], status: 'unknown', gpuNames: [] }],
    ]);
    const remove = async (role: 'operator' | 'admin') => {
      const headers = { authorization: `Bearer ${test.tokens[role]}` };
      return (await test.app.request('/api/catalogs/b', { method: 'DELETE', headers })).status;
    };
    expect([await remove('operator'), await remove('admin'), await remove('admin')]).toEqual([403, 204, 404]);
    const left = await test.json<CatalogsAnswer>('/api/catalogs');
    expect(left.providers.map(({ provider }) => provider)).toEqual(['a']);
  });

  it('returns the cheapest price of a GPU over time, across sellers, regions and numbers of GPUs', async () => {
    const test = await createTestApp();
    const listed = [makeOffer(1), makeOffer(2, { gpuName: 'H100 SXM' })];
    await landOffers(test.sql, test.market.id, '2026-07-30T12:00:00Z', listed);
    await store(test.sql, 'a', day(10), [
      card({ Price: 0.5, SpotPrice: 0.2 }),
      card({ Price: 0.8, Region: 'there' }),
    ]);
    await store(test.sql, 'b', day(12), [card({ Price: 0.9, AcceleratorCount: 2 })]);
    await store(test.sql, 'a', day(14), [card({ Price: 0.4 })]);
    await store(test.sql, 'b', day(16), [card({ Price: 0.7, AcceleratorCount: 2, Region: 'c' })]);
    // Neither form is said, so that it is no price of the H100 SXM.
    await store(test.sql, 'c', day(10), [card({ AcceleratorName: 'H100', Price: 0.01 })]);
    const steps = async (query: string) => {
      const { series } = await test.json<CatalogPricesAnswer>(`/api/catalogs/prices?${query}`);
      return series.map(({ key, steps: all }) => [
        key,
        ...all.map(({ t, price }) => [t.slice(8, 10), price?.provider ?? null, price?.usdPerGpuHour ?? null]),
      ]);
    };
    const range = 'from=2026-07-08&to=2026-07-20';
    const onDemand = [
      ...[
        ['08', null, null],
        ['10', 'a', 0.5],
        ['12', 'b', 0.45],
      ],
      ...[
        ['14', 'a', 0.4],
        ['16', 'b', 0.35],
      ],
    ];
    expect(await steps(`gpuName=RTX+4090&${range}`)).toEqual([['RTX 4090', ...onDemand]]);
    expect(await steps('gpuName=RTX+4090&from=2026-07-13&to=2026-07-15')).toEqual([
      ['RTX 4090', ['13', 'b', 0.45], ['14', 'a', 0.4]],
    ]);
    const spot = [
      ['08', null, null],
      ['10', 'a', 0.2],
      ['14', null, null],
    ];
    expect(await steps(`gpuName=RTX+4090&gpuName=H100+SXM&type=bid&type=reserved&${range}`)).toEqual([
      ['bid|RTX 4090', ...spot],
      ...['bid|H100 SXM', 'reserved|RTX 4090', 'reserved|H100 SXM'].map((key) => [key, ['08', null, null]]),
    ]);
    const { series } = await test.json<CatalogPricesAnswer>(`/api/catalogs/prices?gpuName=RTX+4090&${range}`);
    expect(series[0]?.steps.at(-1)?.price).toEqual({
      ...{ provider: 'b', region: 'c', numGpus: 2, usdPerHour: '0.7', usdPerGpuHour: 0.35 },
    });
  });
});

describe('GET /api/market', () => {
  it('contains the cheapest list price of each model and how far it is above the median, at its time for recorded markets', async () => {
    for (const kind of ['recorded', 'live'] as const) {
      const test = await createTestApp({}, kind);
      const at = { storageUsdPerGbMonth: 0, baseUsdPerHour: 0.4 };
      const listed = [makeOffer(1, at), makeOffer(2, { ...at, gpuName: 'H100 SXM', numGpus: 2 })];
      await landOffers(test.sql, test.market.id, '2026-07-15T12:00:00Z', listed);
      await store(test.sql, 'a', day(10), [
        card({ Price: 0.5, SpotPrice: 0.1 }),
        card({ AcceleratorName: 'H100' }),
      ]);
      await store(test.sql, 'b', day(14), [card({ Price: 0.6, AcceleratorCount: 2 })]);
      await store(test.sql, 'b', day(20), [card({ Price: 0.9 })]);
      const { items } = await test.json<MarketAnswer>('/api/market');
      const cloud =
        kind === 'recorded'
          ? { provider: 'b', numGpus: 2, usdPerHour: '0.6', usdPerGpuHour: 0.3, abovePercent: -25 }
          : { provider: 'a', numGpus: 1, usdPerHour: '0.5', usdPerGpuHour: 0.5, abovePercent: 25 };
      expect(items.map(({ gpuName, cheapestCloud }) => [gpuName, cheapestCloud])).toEqual([
        ['H100 SXM', null],
        ['RTX 4090', { region: 'here', ...cloud, abovePercent: expect.closeTo(cloud.abovePercent, 9) }],
      ]);
    }
  });
});
