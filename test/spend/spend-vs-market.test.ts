import { describe, expect, it } from 'vitest';
import { storeSnapshot } from '../../src/prices/catalogs/catalogs.sql.ts';
import { readCatalog } from '../../src/prices/catalogs/read-catalog.ts';
import type { FigureExplanationAnswer } from '../../src/prices/explain/explanation-schema.ts';
import { putOnBlocklist } from '../../src/prices/rankings/blocklist.sql.ts';
import { describeComparison, remarkOf } from '../../src/spend/market/comparison-words.ts';
import type { SpendVsMarketAnswer } from '../../src/spend/reconciliation/spend-checks.routes.ts';
import type { SpendAnswer } from '../../src/spend/spend.routes.ts';
import { card, makeCatalog } from '../prices/catalogs/made-catalog.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { landBills, makeCharge } from '../support/made-bills.ts';
import { createTestApp } from '../support/test-app.ts';
import { addInstance } from './made-instances.ts';

const offer = (machine: number, baseUsdPerHour: number, more: object = {}) =>
  makeOffer(machine, { machineId: machine, baseUsdPerHour, storageUsdPerGbMonth: 0, ...more });

const day = 'from=2026-03-05&to=2026-03-06';

describe('GET /api/spend/vs-market', () => {
  it('compares each charged hour with the median and minimum of that hour, and names what it cannot compare', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    const land = (at: string, ...offers: ReturnType<typeof offer>[]) =>
      landOffers(app.sql, app.market.id, `2026-03-05T${at}Z`, offers);
    // Too far below, but with a lower tier; the same at 12% less from 10:30 on.
    const worse = offer(50, 0.2, { verification: 'deverified' });
    await land('08:00:00', offer(10, 0.45), offer(30, 0.5));
    await land('10:30:00', offer(20, 0.3 + 0.1), offer(30, 0.5), worse);
    await land('11:30:00', offer(20, 0.4), offer(30, 0.5), offer(40, 0.7), offer(60, 0.8), worse);
    await addInstance(app, 1, []);
    const time = { start: '2026-03-05T10:00:00Z', end: '2026-03-05T12:00:00Z' };
    await landBills(app.sql, app.market.id, 'charge', '2026-03-05T13:00:00Z', [
      makeCharge(1, { ...time, amountUsd: '0.9' }),
      makeCharge(1, { ...time, amountUsd: '0.02', itemType: 'disk' }),
      makeCharge(1, { ...time, amountUsd: '7', itemType: 'bwd' }),
      makeCharge(2, { ...time, amountUsd: '1' }),
      // Its disk from 12:00 on, after its GPUs.
      makeCharge(1, { start: time.end, end: '2026-03-05T14:30:00Z', amountUsd: '0.25', itemType: 'disk' }),
      makeCharge(5, {
        ...{ ...time, amountUsd: '0.5', itemType: 'disk' },
        ...{ type: 'volume', source: 'volume-5', instanceId: null },
      }),
    ]);
    const compared = await app.json<SpendVsMarketAnswer>(`/api/spend/vs-market?${day}`);
    const { items, total, notCompared } = compared;
    const { totals } = await app.json<SpendAnswer>(`/api/spend?${day}`);
    const ofOne = { instanceId: 1, label: null };
    expect(notCompared).toEqual({
      consumptionUsd: '9.67',
      amountUsd: '8.75',
      parts: [
        { reason: 'unpriced', amountUsd: '1', instances: [{ instanceId: 2, label: null, amountUsd: '1' }] },
        { reason: 'disk', amountUsd: '0.25', instances: [{ ...ofOne, amountUsd: '0.25' }] },
        { reason: 'traffic', amountUsd: '7', instances: [{ ...ofOne, amountUsd: '7' }] },
        {
          ...{ reason: 'volume', amountUsd: '0.5' },
          instances: [{ instanceId: null, label: null, amountUsd: '0.5' }],
        },
      ],
    });
    expect(totals).toMatchObject([{ category: 'consumption', amountUsd: notCompared.consumptionUsd }]);
    const [one, two] = items;
    const sums = {
      paidUsd: '1.92',
      comparedUsd: '0.92',
      overMedianUsd: '0.02',
      overMinUsd: '0.52',
      overLowestUsd: '0.52',
      savedUsd: '0.09',
    };
    expect(total).toEqual(sums);
    expect(one?.hours).toEqual([
      {
        ...{ t: '2026-03-05T10:00:00.000Z', seconds: 3600, paidUsd: '0.46', paidUsdPerGpuHour: 0.46 },
        ...{ medianUsdPerGpuHour: 0.4, minUsdPerGpuHour: 0.2, overMedianUsd: '0.06', overMinUsd: '0.26' },
        ...{ lowestUsdPerGpuHour: 0.2, overLowestUsd: '0.26' },
        ...{ cloudUsdPerGpuHour: null, cloudUsd: null },
      },
      {
        ...{ t: '2026-03-05T11:00:00.000Z', seconds: 3600, paidUsd: '0.46', paidUsdPerGpuHour: 0.46 },
        ...{ medianUsdPerGpuHour: 0.5, minUsdPerGpuHour: 0.2, overMedianUsd: '-0.04', overMinUsd: '0.26' },
        ...{ lowestUsdPerGpuHour: 0.2, overLowestUsd: '0.26' },
        ...{ cloudUsdPerGpuHour: null, cloudUsd: null },
      },
    ]);
    expect(one).toMatchObject({
      ...{ instanceId: 1, gpuName: 'RTX 4090', storageGb: 8, paidUsd: '0.92', comparedUsd: '0.92' },
      ...{ overMedianUsd: '0.02', overMinUsd: '0.52', unattributable: null },
      // Half of the first hour and all of the second at $0.06 less.
      cheaperEqual: {
        ...{ machineId: 20, usdPerHour: 0.4, since: '2026-03-05T10:30:00.000Z', until: null },
        ...{ savedUsd: '0.09', offeredSeconds: 5400 },
      },
    });
    // The command says that it is a lower bound.
    expect(describeComparison(compared)).toMatch(
      /^You could have paid at least 0\.09 USD less .* Hours after its offer disappeared do not count\./,
    );
    expect(items.slice(0, 1).map(remarkOf)).toEqual([
      'equal machine 20 was seen on offer at $0.4/hour for 1.5 of its 2 h: at least 0.09 USD less',
    ]);
    // Nothing was compared: that is no sum of nothing.
    expect(two).toMatchObject({
      ...{ instanceId: 2, paidUsd: '1', cheaperEqual: null },
      ...{ comparedUsd: null, overMedianUsd: null, overMinUsd: null },
    });
    expect(two?.unattributable).toMatch(
      /^never seen in the account, so GPU model, number of GPUs and pricing type are unknown$/,
    );
    for (const item of items) {
      const answer = await app.json<FigureExplanationAnswer>(
        `/api/explain?of=vs-market&${day}&source=${item.source}`,
      );
      const { paidUsd, comparedUsd, overMedianUsd, overMinUsd, overLowestUsd } = item;
      const { cloudUsd, cloudComparedUsd } = item;
      const savedUsd = item.cheaperEqual?.savedUsd ?? null;
      const overs = { overMedianUsd, overMinUsd, overLowestUsd, savedUsd };
      expect(answer.value).toEqual({ paidUsd, comparedUsd, ...overs, cloudUsd, cloudComparedUsd });
      expect(answer.recomputed).toEqual(answer.value);
      expect(answer.taken + (answer.rejected[0]?.rows ?? 0)).toBe(item.hours.length);
    }
    const left = await app.json<FigureExplanationAnswer>(
      `/api/explain?of=vs-market&${day}&source=${two?.source}&rows=rejected`,
    );
    expect(left.items[0]?.rejected).toBe(two?.unattributable);
    // The same as a file.
    const file = await app.get(`/api/exports/spend-vs-market.csv?${day}`);
    const [heads, ...rows] = (await file.text()).trimEnd().split('\r\n');
    expect(heads).toMatch(
      /^instanceId,.*,overEqualMachineUsd,equalMachineId,equalUsdPerHour,offeredHours,chargedHours,/,
    );
    expect(rows).toEqual([
      '1,,RTX 4090,1,on-demand,0.92,0.92,0.09,20,0.4,1.5,2,0.02,0.52,',
      expect.stringMatching(/^2,,,,,1,,,,,,2,,,"?never seen in the account/),
    ]);
  });

  it('says why nothing is compared: no books of the pricing type, books that begin later, none in those hours', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    await landOffers(app.sql, app.market.id, '2026-03-05T07:00:00Z', [offer(10, 0.5)]);
    await landOffers(app.sql, app.market.id, '2026-03-05T14:30:00Z', [makeOffer(10, { gpuName: 'H100' })]);
    await addInstance(app, 1, []);
    await addInstance(app, 2, [], null, 'bid');
    const charge = async (instance: number, from: string, until: string) => {
      const time = { start: `2026-03-05T${from}Z`, end: `2026-03-05T${until}Z`, amountUsd: '1' };
      await landBills(app.sql, app.market.id, 'charge', '2026-03-05T20:00:00Z', [makeCharge(instance, time)]);
    };
    const reasons = async (range: string) =>
      (await app.json<SpendVsMarketAnswer>(`/api/spend/vs-market?${range}`)).items.map(
        ({ type, comparedUsd, unattributable }) => [type, comparedUsd, unattributable],
      );
    await charge(1, '06:00:00', '07:00:00');
    expect(await reasons('from=2026-03-05T05:00:00Z&to=2026-03-05T07:00:00Z')).toEqual([
      ['on-demand', null, 'books of on-demand offers begin on 2026-03-05 07:00 UTC, after those hours'],
    ]);
    await charge(1, '10:00:00', '12:00:00');
    expect(await reasons('from=2026-03-05T10:00:00Z&to=2026-03-05T13:00:00Z')).toEqual([
      ['on-demand', null, 'no complete books of on-demand offers were taken in those hours'],
    ]);
    await charge(1, '14:00:00', '15:00:00');
    await charge(2, '07:00:00', '08:00:00');
    // A bid is never compared with on-demand offers of the same hours.
    expect(await reasons('from=2026-03-05T07:00:00Z&to=2026-03-05T08:00:00Z')).toEqual([
      ['bid', null, 'there are no complete books of bids'],
    ]);
    expect(await reasons('from=2026-03-05T14:00:00Z&to=2026-03-05T15:00:00Z')).toEqual([
      ['on-demand', null, 'none of the complete books of on-demand offers of those hours has the GPU model'],
    ]);
  });

  it('divides a charge into its hours so that they add up to it', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    const time = { start: '2026-03-05T10:00:00Z', end: '2026-03-05T13:00:00Z' };
    await landBills(app.sql, app.market.id, 'charge', '2026-03-05T14:00:00Z', [
      makeCharge(1, { ...time, amountUsd: '1' }),
    ]);
    const hours = async (query: string) => {
      const { items } = await app.json<SpendVsMarketAnswer>(`/api/spend/vs-market?${query}`);
      return items.flatMap(({ paidUsd, hours: each }) => [paidUsd, ...each.map((hour) => hour.paidUsd)]);
    };
    expect(await hours(day)).toEqual(['1', '0.333333333333', '0.333333333334', '0.333333333333']);
    const cut = '2026-03-05T11:30:00Z';
    expect(await hours(`from=2026-03-05&to=${cut}`)).toEqual(['0.5', '0.333333333333', '0.166666666667']);
    expect(await hours(`from=${cut}&to=2026-03-06`)).toEqual(['0.5', '0.166666666667', '0.333333333333']);
  });

  it('leaves outliers out of the lowest price, and names no blocked or outlier machine as equivalent and cheaper', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    const usual = [31, 32, 33, 34].map((machine) => offer(machine, 0.5));
    const land = (at: string, ...offers: ReturnType<typeof offer>[]) =>
      landOffers(app.sql, app.market.id, `2026-03-05T${at}Z`, [...usual, ...offers]);
    await land('08:00:00', offer(10, 0.45));
    // Less than a quarter of the usual half dollar; blocked itself, and by its host.
    const wrong = [offer(50, 0.1), offer(60, 0.3), offer(70, 0.3, { hostId: 99 })];
    await land('10:15:00', ...wrong);
    await land('10:45:00', ...wrong, offer(80, 0.4));
    for (const target of [
      { machineId: 60, hostId: null } as const,
      { machineId: null, hostId: 99 } as const,
    ]) {
      const entry = { marketId: app.market.id, kind: 'block' as const, note: null, at: app.clock.now };
      await putOnBlocklist(app.sql, { ...entry, ...target });
    }
    await addInstance(app, 1, []);
    const time = { start: '2026-03-05T10:00:00Z', end: '2026-03-05T12:00:00Z', amountUsd: '1' };
    await landBills(app.sql, app.market.id, 'charge', '2026-03-05T13:00:00Z', [makeCharge(1, time)]);
    const { items } = await app.json<SpendVsMarketAnswer>(`/api/spend/vs-market?${day}`);
    // The minimum of the hour is the outlier at $0.10, the lowest price $0.30.
    expect(items).toMatchObject([{ comparedUsd: '0.5', overMinUsd: '0.4', overLowestUsd: '0.2' }]);
    expect(items[0]?.hours[0]).toMatchObject({ minUsdPerGpuHour: 0.1, lowestUsdPerGpuHour: 0.3 });
    const explained = await app.json<FigureExplanationAnswer>(
      `/api/explain?of=vs-market&${day}&source=instance-1`,
    );
    expect([explained.agrees, explained.recomputed.overLowestUsd]).toEqual([true, '0.2']);
    // What matters first is first: the page shows the rows in this order.
    expect(Object.keys(explained.items[0] ?? {}).slice(0, 5)).toEqual([
      ...['t', 'paidUsd', 'savedUsd', 'overMedianUsd', 'overLowestUsd'],
    ]);
    expect(explained.text[0]).toMatch(
      /^\d+ clock hours? with [\d.]+ h of charges compared with the on-demand prices of RTX 4090/,
    );
    expect(explained.text[0]).toContain('no price is carried over from another hour');
    expect(explained.text.join()).toContain(`machine 80, which cost $0.4/hour`);
    expect(explained.text.join()).toContain('was seen on offer: until the last book that showed it,');
    expect(explained.text.join()).toMatch(
      /Equal: the same GPU model, number of GPUs and pricing type;.* the one counts that would have saved the most by itself; .* do not count, so it is at least this: had you rented/,
    );
    expect(items.map(({ cheaperEqual }) => cheaperEqual)).toEqual([
      {
        ...{
          machineId: 80,
          listingId: expect.stringMatching(/^\d+$/),
          usdPerHour: 0.4,
          since: '2026-03-05T10:45:00.000Z',
          until: null,
        },
        ...{ savedUsd: '0.125', offeredSeconds: 4500 },
      },
    ]);
  });

  it('counts the equal machine that would have saved the most, though another one was cheaper for a short time', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    const land = (at: string, ...offers: ReturnType<typeof offer>[]) =>
      landOffers(app.sql, app.market.id, `2026-03-05T${at}Z`, offers);
    await land('08:00:00', offer(10, 0.45), offer(30, 0.5));
    await land('10:15:00', offer(20, 0.4), offer(30, 0.5), offer(70, 0.3));
    await land('10:30:00', offer(20, 0.4), offer(30, 0.5), offer(70, 0.3));
    await land('10:45:00', offer(20, 0.4), offer(30, 0.5));
    await addInstance(app, 1, []);
    const time = { start: '2026-03-05T10:00:00Z', end: '2026-03-05T12:00:00Z', amountUsd: '0.92' };
    await landBills(app.sql, app.market.id, 'charge', '2026-03-05T13:00:00Z', [makeCharge(1, time)]);
    const { items, total } = await app.json<SpendVsMarketAnswer>(`/api/spend/vs-market?${day}`);
    // $0.06 less for 1 3/4 h; machine 70 would have been $0.16 less for a quarter of an hour.
    expect(items[0]?.cheaperEqual).toMatchObject({ machineId: 20, savedUsd: '0.105', offeredSeconds: 6300 });
    expect(total.savedUsd).toBe('0.105');
  });
});

describe('the same hours at the cheapest cloud', () => {
  it('is the cost of the GPU-hours at the lowest list price as each hour began; hours without one are counted', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    const store = async (at: string, provider: string, rows: Parameters<typeof makeCatalog>[0]) => {
      const asOf = new Date(`2026-03-05T${at}Z`);
      const catalog = readCatalog('vms.csv', makeCatalog(rows));
      await storeSnapshot(app.sql, { provider, asOf, importedAt: asOf, catalog, replace: false });
    };
    // Before 11:00 there is no list price; no instance is a spot one, and the H100's form is not stated.
    await store('10:30:00', 'a', [
      card({ Price: '0.6', SpotPrice: '0.01' }),
      card({ AcceleratorName: 'H100' }),
    ]);
    await store('11:30:00', 'b', [card({ Price: '1', AcceleratorCount: 3 })]);
    await addInstance(app, 1, []);
    const time = { start: '2026-03-05T10:00:00Z', end: '2026-03-05T12:30:00Z' };
    await landBills(app.sql, app.market.id, 'charge', '2026-03-05T13:00:00Z', [
      makeCharge(1, { ...time, amountUsd: '1' }),
      makeCharge(2, { ...time, amountUsd: '0.7' }),
    ]);
    const { items, cloud, total } = await app.json<SpendVsMarketAnswer>(`/api/spend/vs-market?${day}`);
    const [one, two] = items;
    expect(one?.hours.map(({ cloudUsdPerGpuHour, cloudUsd }) => [cloudUsdPerGpuHour, cloudUsd])).toEqual([
      [null, null],
      [0.6, '0.6'],
      [expect.closeTo(1 / 3, 12), '0.166666666667'],
    ]);
    expect(one).toMatchObject({ paidUsd: '1', cloudUsd: '0.766666666667', cloudComparedUsd: '0.6' });
    expect(two).toMatchObject({ paidUsd: '0.7', cloudUsd: null, cloudComparedUsd: null });
    expect(cloud).toEqual({
      ...{ cloudUsd: '0.766666666667', cloudComparedUsd: '0.6' },
      ...{ notComparedUsd: '1.1', notComparedInstances: 1 },
    });
    const query = `of=vs-market&${day}&source=${one?.source}`;
    const { value, recomputed, agrees } = await app.json<FigureExplanationAnswer>(`/api/explain?${query}`);
    expect(value).toMatchObject({ cloudUsd: '0.766666666667', cloudComparedUsd: '0.6' });
    expect([recomputed, agrees]).toEqual([value, true]);
    const { cloudUsd, cloudComparedUsd, notComparedUsd } = cloud;
    const all = await app.json<FigureExplanationAnswer>(`/api/explain?of=vs-market&${day}`);
    expect(Object.keys({ ...all.items[0] }).slice(0, 5)).toEqual([
      ...['source', 'comparedUsd', 'savedUsd', 'equalMachine', 'paidUsd'],
    ]);
    expect(all.value).toEqual({ ...total, cloudUsd, cloudComparedUsd, notComparedUsd });
    expect([all.recomputed, all.agrees, all.taken]).toEqual([all.value, true, 1]);
    expect(all.rejected).toEqual([{ reason: 'the market has no books, and no list price', rows: 1 }]);
  });
});
