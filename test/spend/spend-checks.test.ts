import { describe, expect, it } from 'vitest';
import { storeSnapshot } from '../../src/prices/catalogs/catalogs.sql.ts';
import { readCatalog } from '../../src/prices/catalogs/read-catalog.ts';
import type { FigureExplanationAnswer } from '../../src/prices/explain/explanation-schema.ts';
import { putOnBlocklist } from '../../src/prices/rankings/blocklist.sql.ts';
import { noteInstanceFacts } from '../../src/rentals/instances/instance-facts.sql.ts';
import { budgetGuard } from '../../src/rentals/rent/guards.ts';
import { setBalance } from '../../src/spend/balances.sql.ts';
import { findBlockingBudget } from '../../src/spend/budgets/budget-states.ts';
import type { BudgetAnswer, BudgetsAnswer } from '../../src/spend/budgets/budgets.routes.ts';
import type {
  SpendReconciliationAnswer,
  SpendVsMarketAnswer,
} from '../../src/spend/reconciliation/spend-checks.routes.ts';
import { card, makeCatalog } from '../prices/catalogs/made-catalog.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { landBills, makeCharge, makeInvoice } from '../support/made-bills.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const offer = (machine: number, baseUsdPerHour: number, more: object = {}) =>
  makeOffer(machine, { machineId: machine, baseUsdPerHour, storageUsdPerGbMonth: 0, ...more });

async function addInstance(
  { sql, market }: TestApp,
  id: number,
  rates: readonly (readonly [
    from: string,
    computing: boolean,
    base: string | null,
    storage: string | null,
  ])[],
  label: string | null = null,
): Promise<void> {
  await sql`insert into instance (market_id, instance_id, first_seen_at, last_seen_at, machine_id, gpu_name, num_gpus, type,
      disk_space_gb, label, raw)
    values (${market.id}, ${id}, '2026-03-05T00:00:00Z', '2026-03-06T00:00:00Z', 10, 'RTX 4090', 1, 'on-demand', 8,
      ${label}, '{}')`;
  for (const [from, computing, base, storage] of rates) {
    await sql`insert into instance_rate (market_id, instance_id, from_at, computing, base_usd_per_hour,
        storage_usd_per_hour, seen_at)
      values (${market.id}, ${id}, ${from}, ${computing}, ${base}, ${storage}, ${from})`;
  }
  await noteInstanceFacts(sql, { marketId: market.id, seenAt: new Date('2026-03-05T00:00:00Z') }, [id]);
}

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
    ]);
    const { items, total } = await app.json<SpendVsMarketAnswer>(`/api/spend/vs-market?${day}`);
    const [one, two] = items;
    const sums = { paidUsd: '1.92', comparedUsd: '0.92', overMedianUsd: '0.02', overMinUsd: '0.52' };
    expect(total).toEqual(sums);
    expect(one?.hours).toEqual([
      {
        ...{ t: '2026-03-05T10:00:00.000Z', seconds: 3600, paidUsd: '0.46', paidUsdPerGpuHour: 0.46 },
        ...{ medianUsdPerGpuHour: 0.4, minUsdPerGpuHour: 0.2, overMedianUsd: '0.06', overMinUsd: '0.26' },
        ...{ cloudUsdPerGpuHour: null, cloudUsd: null },
      },
      {
        ...{ t: '2026-03-05T11:00:00.000Z', seconds: 3600, paidUsd: '0.46', paidUsdPerGpuHour: 0.46 },
        ...{ medianUsdPerGpuHour: 0.5, minUsdPerGpuHour: 0.2, overMedianUsd: '-0.04', overMinUsd: '0.26' },
        ...{ cloudUsdPerGpuHour: null, cloudUsd: null },
      },
    ]);
    expect(one).toMatchObject({
      ...{ instanceId: 1, gpuName: 'RTX 4090', storageGb: 8, paidUsd: '0.92', comparedUsd: '0.92' },
      ...{ overMedianUsd: '0.02', overMinUsd: '0.52', unattributable: null },
      cheaperEqual: { machineId: 20, usdPerHour: 0.4, since: '2026-03-05T10:30:00.000Z', until: null },
    });
    // Nothing was compared: that is no sum of nothing.
    expect(two).toMatchObject({
      ...{ instanceId: 2, paidUsd: '1', cheaperEqual: null },
      ...{ comparedUsd: null, overMedianUsd: null, overMinUsd: null },
    });
    expect(two?.unattributable).toMatch(/no list of instances said its GPU model/);
    for (const item of items) {
      const answer = await app.json<FigureExplanationAnswer>(
        `/api/explain?of=vs-market&${day}&source=${item.source}`,
      );
      const { paidUsd, comparedUsd, overMedianUsd, overMinUsd, cloudUsd, cloudComparedUsd } = item;
      const overs = { overMedianUsd, overMinUsd };
      expect(answer.value).toEqual({ paidUsd, comparedUsd, ...overs, cloudUsd, cloudComparedUsd });
      expect(answer.recomputed).toEqual(answer.value);
      expect(answer.taken + (answer.rejected[0]?.rows ?? 0)).toBe(item.hours.length);
    }
    const left = await app.json<FigureExplanationAnswer>(
      `/api/explain?of=vs-market&${day}&source=${two?.source}&rows=rejected`,
    );
    expect(left.items[0]?.rejected).toBe(two?.unattributable);
  });

  it('reports as unknown, with the reason, what no complete book of its hours covers', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    await landOffers(app.sql, app.market.id, '2026-03-04T08:00:00Z', [offer(10, 0.5)]);
    await addInstance(app, 1, []);
    const time = { start: '2026-03-05T10:00:00Z', end: '2026-03-05T12:00:00Z', amountUsd: '1' };
    await landBills(app.sql, app.market.id, 'charge', '2026-03-05T13:00:00Z', [makeCharge(1, time)]);
    const { items } = await app.json<SpendVsMarketAnswer>(`/api/spend/vs-market?${day}`);
    expect(items).toMatchObject([
      {
        ...{ gpuName: 'RTX 4090', paidUsd: '1', comparedUsd: null, overMedianUsd: null, overMinUsd: null },
        unattributable: 'no complete book of its hours held its model',
      },
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

  it('names no blocked machine, and none at an outlier price, as equivalent and cheaper', async () => {
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
    expect(items.map(({ cheaperEqual }) => cheaperEqual)).toEqual([
      { machineId: 80, usdPerHour: 0.4, since: '2026-03-05T10:45:00.000Z', until: null },
    ]);
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
    expect(all.value).toEqual({ ...total, cloudUsd, cloudComparedUsd, notComparedUsd });
    expect([all.recomputed, all.agrees, all.taken]).toEqual([all.value, true, 1]);
    expect(all.rejected).toEqual([{ reason: 'the market has no books, and no list price', rows: 1 }]);
  });
});

describe('GET /api/spend/reconciliation', () => {
  it('gives every difference a reason or calls it unexplained, and is empty if everything agrees', async () => {
    const app = await createTestApp({}, 'live');
    const { sql, market } = app;
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    const time = { start: '2026-03-05T00:00:00Z', end: '2026-03-05T10:00:00Z' };
    // 10 hours at 0.5 and 0.01 of disk: what was charged; the second is charged half an hour too much.
    await addInstance(app, 1, [
      [time.start, true, '0.5', '0.01'],
      [time.end, false, '0', '0'],
    ]);
    await addInstance(app, 2, [
      [time.start, true, '1', '0'],
      [time.end, false, '0', '0'],
    ]);
    await landBills(sql, market.id, 'charge', '2026-03-05T20:00:00Z', [
      makeCharge(1, { ...time, amountUsd: '5', chargeUsd: '5.1' }),
      makeCharge(1, { ...time, amountUsd: '0.1', chargeUsd: '5.1', itemType: 'disk' }),
      makeCharge(2, { ...time, amountUsd: '10.5', chargeUsd: '10.5' }),
      makeCharge(3, { ...time, amountUsd: '2', chargeUsd: '2.25' }),
    ]);
    await landBills(sql, market.id, 'invoice', '2026-03-05T20:00:00Z', [
      makeInvoice(1, { start: '2026-03-05T01:00:00Z', amountUsd: '-20' }),
    ]);
    const balance = (id: number, at: string, amountUsd: string) =>
      setBalance(sql, market.id, {
        ...{ id: `0199c0de-0000-7000-8000-00000000000${id}`, at: new Date(at), amountUsd },
        ...{ enteredAt: new Date(at), enteredBy: 'test' },
      });
    const read = async () =>
      (await app.json<SpendReconciliationAnswer>(`/api/spend/reconciliation?${day}`)).items.map((item) => [
        ...[item.kind, item.subject, item.expectedUsd, item.actualUsd, item.differenceUsd, item.reason],
      ]);
    const items = await read();
    expect(items).toEqual([
      ['items', 'instance-3', '2.25', '2', '-0.25', 'unexplained'],
      [
        'invoices',
        '2026-03',
        '17.6',
        '20',
        '2.4',
        expect.stringMatching(/^unexplained: no balance was recorded/),
      ],
      ['ledger', 'instance-2', '10', '10.5', '0.5', 'unexplained'],
      ['ledger', 'instance-3', '0', '2', '2', expect.stringMatching(/no list of instances had it/)],
    ]);
    // 10 + 20 paid - 17.6 used = 12.4; the market says 12.
    await balance(1, '2026-03-05T00:00:00Z', '10');
    await balance(2, '2026-03-05T12:00:00Z', '12');
    await balance(3, '2026-03-05T22:00:00Z', '12.5');
    expect((await read()).filter(([kind]) => kind === 'balances')).toEqual([
      ['balances', '10 to 12', '2.4', '2', '-0.4', 'unexplained'],
      ['balances', '12 to 12.5', '0', '0.5', '0.5', 'bills are not read up to the later balance yet'],
    ]);
    expect((await read()).find(([kind]) => kind === 'invoices')?.[5]).toMatch(
      /change of the account's balance/,
    );
    const lines = await read();
    expect(new Set(lines.map(([kind]) => kind)).size).toBe(4);
    for (const [kind, subject, expectedUsd, actualUsd, differenceUsd] of lines) {
      const named = new URLSearchParams({ kind: String(kind), subject: String(subject) });
      const explained = await app.json<FigureExplanationAnswer>(`/api/explain?of=difference&${named}&${day}`);
      expect(explained.value, String(named)).toEqual({
        ...{ expectedUsd: Number(expectedUsd), actualUsd: Number(actualUsd) },
        differenceUsd: Number(differenceUsd),
      });
      expect(explained.agrees, JSON.stringify(explained)).toBe(true);
    }
    expect(await app.json('/api/spend/reconciliation?from=2026-01-01&to=2026-02-01')).toMatchObject({
      items: [],
    });
  });
});

describe('a line of reconciliation', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 2, 5, hour)).toISOString();
  const running = (from: number, to: number, base: string | null, storage: string | null) =>
    [
      [at(from), true, base, storage],
      [at(to), false, '0', '0'],
    ] as const;
  const read = async (app: TestApp) =>
    (await app.json<SpendReconciliationAnswer>(`/api/spend/reconciliation?${day}`)).items
      .filter(({ kind }) => kind === 'items' || kind === 'ledger')
      .map(({ kind, subject, expectedUsd, actualUsd, reason }) => [
        ...[kind, subject, expectedUsd, actualUsd, reason],
      ]);

  it('has the reason of its difference, each computed by hand', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    // Stopped at 10:00 by the list, a minute later by the bill.
    await addInstance(app, 1, running(0, 10, '1', '0'));
    await addInstance(app, 2, running(0, 10, null, null));
    await addInstance(app, 3, running(5, 10, '1', '0'));
    await addInstance(app, 4, running(0, 10, '0.2', '0'));
    // In no charge: one that is over, and one that still runs.
    await addInstance(app, 5, running(0, 10, '0.5', '0.01'));
    await addInstance(app, 6, running(15, 24, '1', '0'));
    const time = { start: at(0), end: at(10) };
    const charges = [
      makeCharge(1, { start: at(0), end: '2026-03-05T10:01:00Z', amountUsd: '10.01' }),
      makeCharge(2, { ...time, amountUsd: '5' }),
      makeCharge(3, { ...time, amountUsd: '10' }),
      makeCharge(4, { ...time, amountUsd: '2', chargeUsd: '3' }),
    ];
    const disk = makeCharge(4, { ...time, amountUsd: '1', chargeUsd: '3', itemType: 'disk' });
    await landBills(app.sql, app.market.id, 'charge', at(18), [...charges, disk]);
    for (const hour of [19, 20]) await landBills(app.sql, app.market.id, 'charge', at(hour), charges);
    expect(await read(app)).toEqual([
      ['items', 'instance-4', '3', '2', 'some of its items are no longer listed'],
      ['ledger', 'instance-1', '10', '10.01', 'within the minutes between two polls'],
      ['ledger', 'instance-2', '0', '5', 'the lists do not state its cost'],
      ['ledger', 'instance-3', '5', '10', `it was first listed at ${at(5)}, after the charges begin`],
      ['ledger', 'instance-5', '5.1', '0', 'unexplained'],
      [
        'ledger',
        'instance-6',
        '9',
        '0',
        'not charged yet: charges are synced only up to a time before it ended',
      ],
    ]);
  });

  it('reports that the market has listed no charges at all', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    await addInstance(app, 1, running(0, 10, '0.5', '0'));
    expect(await read(app)).toEqual([['ledger', 'instance-1', '5', '0', 'the market has listed no charges']]);
  });
});

describe('GET /api/spend/reconciliation of several months', () => {
  it('shows which part of the range each month is, by the clocks of the zone', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-04-01T00:00:00Z');
    const bill = (id: number, at: string, amountUsd: string) =>
      makeCharge(id, { start: `${at}T00:00:00Z`, end: `${at}T06:00:00Z`, amountUsd });
    await landBills(app.sql, app.market.id, 'charge', '2026-03-31T00:00:00Z', [
      bill(1, '2026-02-20', '1'),
      bill(2, '2026-03-10', '2'),
    ]);
    const { items } = await app.json<SpendReconciliationAnswer>(
      '/api/spend/reconciliation?from=2026-02-15&to=2026-03-20&timeZone=Europe/Berlin',
    );
    const months = items.filter(({ kind }) => kind === 'invoices');
    expect(months.map(({ subject, from, to, expectedUsd }) => [subject, from, to, expectedUsd])).toEqual([
      ['2026-02', '2026-02-14T23:00:00.000Z', '2026-02-28T23:00:00.000Z', '1'],
      ['2026-03', '2026-02-28T23:00:00.000Z', '2026-03-19T23:00:00.000Z', '2'],
    ]);
  });
});

describe('/api/budgets', () => {
  it('returns spend, burn rate, projection, reached alerts and blocked rentals', async () => {
    const app = await createTestApp({ timeZone: 'Europe/Berlin' }, 'live');
    const { sql, market } = app;
    app.clock.now = new Date('2026-03-21T23:00:00Z');
    const time = { start: '2026-03-05T00:00:00Z', end: '2026-03-06T00:00:00Z' };
    await landBills(sql, market.id, 'charge', '2026-03-21T22:00:00Z', [
      makeCharge(1, { ...time, amountUsd: '60', label: 'training' }),
      makeCharge(2, { ...time, amountUsd: '30' }),
      makeCharge(3, { start: '2026-02-28T00:00:00Z', end: '2026-02-28T12:00:00Z', amountUsd: '500' }),
    ]);
    // Runs from now on: nothing is estimated yet. The other is stopped, with its disk.
    await addInstance(app, 8, [['2026-03-21T23:00:00Z', true, '0.5', '0.01']], 'training');
    await addInstance(app, 9, [['2026-03-21T23:00:00Z', false, '2', '0.02']]);
    const send = async (
      method: string,
      path: string,
      body?: object,
      role: 'viewer' | 'operator' = 'operator',
    ) =>
      await app.app.request(`/api/budgets${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${app.tokens[role]}`, 'content-type': 'application/json' },
      });
    expect((await send('POST', '', { monthlyUsd: '100' }, 'viewer')).status).toBe(403);
    expect((await send('POST', '', { monthlyUsd: '0' })).status).toBe(400);
    expect((await send('POST', '', { monthlyUsd: '100', blockRentals: true })).status).toBe(201);
    expect((await send('POST', '', { monthlyUsd: '100' })).status).toBe(409);
    const made = (await (
      await send('POST', '', { monthlyUsd: '60', label: 'training', alertAt: [1, 0.9], blockRentals: true })
    ).json()) as BudgetAnswer;
    const { items } = await app.json<BudgetsAnswer>('/api/budgets');
    // March in Berlin ends at 22:00 UTC of the 31st, 239 hours from now.
    expect(items).toEqual([
      {
        ...{
          id: expect.any(String),
          market: 'test-market',
          label: null,
          monthlyUsd: '100',
          alertAt: [0.5, 0.8, 1],
        },
        ...{ blockRentals: true, timeZone: 'Europe/Berlin' },
        state: {
          ...{
            month: '2026-03',
            from: '2026-02-28T23:00:00.000Z',
            to: '2026-03-31T22:00:00.000Z',
            spentUsd: '90',
          },
          ...{ share: 0.9, burnUsdPerHour: '0.53', unpriced: 0, projectedUsd: '216.67' },
          ...{
            projectionMethod: expect.stringContaining('burn rate now'),
            reached: [0.5, 0.8],
            usedUp: false,
          },
        },
      },
      {
        ...made,
        alertAt: [0.9, 1],
        state: expect.objectContaining({
          spentUsd: '60',
          share: 1,
          burnUsdPerHour: '0.51',
          reached: [0.9, 1],
          usedUp: true,
        }),
      },
    ]);
    for (const [{ id, state }, entries] of [
      [items[0], 2],
      [items[1], 1],
    ] as const as [BudgetAnswer, number][]) {
      const answer = await app.json<FigureExplanationAnswer>(`/api/explain?of=budget&budgetId=${id}`);
      const { spentUsd, share, projectedUsd } = state;
      expect(answer.value).toEqual({ spentUsd, share, projectedUsd });
      expect([answer.recomputed, answer.agrees]).toEqual([expect.objectContaining(answer.value), true]);
      expect(answer.taken).toBe(entries);
    }
    expect((await app.get('/api/explain?of=budget')).status).toBe(400);
    expect((await app.get('/api/explain?of=budget&budgetId=none')).status).toBe(404);
    const { now } = app.clock;
    expect((await findBlockingBudget(sql, market.id, 'training', now))?.label).toBe('training');
    expect(await findBlockingBudget(sql, market.id, 'other', now)).toBeNull();
    const asked = { db: sql, actor: { market, now: () => now, findBlockingBudget } } as unknown as Parameters<
      typeof budgetGuard
    >[0];
    expect(await budgetGuard({ ...asked, request: { label: 'training' } as never })).toMatchObject({
      ...{ guard: 'budget', limit: '60', value: '60' },
    });
    expect(await budgetGuard({ ...asked, request: {} as never })).toBeNull();
    const change = { blockRentals: false, monthlyUsd: '61', alertAt: [2, 0.5, 2, 1] };
    const changed = await send('PATCH', `/${made.id}`, change);
    expect([changed.status, ((await changed.json()) as BudgetAnswer).alertAt]).toEqual([200, [0.5, 1, 2]]);
    expect(await findBlockingBudget(sql, market.id, 'training', now)).toBeNull();
    expect((await send('DELETE', `/${made.id}`)).status).toBe(204);
    expect((await send('DELETE', `/${made.id}`)).status).toBe(404);
    expect((await app.json<BudgetsAnswer>('/api/budgets')).items).toHaveLength(1);
  });

  it('counts unknown prices separately, and returns nothing if nothing is known', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-31T14:00:00Z');
    const burn = async () => {
      const { items } = await app.json<BudgetsAnswer>('/api/budgets');
      return items.map(({ label, state: { burnUsdPerHour, unpriced, projectedUsd } }) => [
        ...[label, burnUsdPerHour, unpriced, projectedUsd],
      ]);
    };
    for (const label of [null, 'training']) {
      await app.app.request('/api/budgets', {
        method: 'POST',
        body: JSON.stringify({ monthlyUsd: '100', label }),
        headers: { authorization: `Bearer ${app.tokens.operator}`, 'content-type': 'application/json' },
      });
    }
    expect(await burn()).toEqual([
      [null, '0', 0, '0'],
      ['training', '0', 0, '0'],
    ]);
    await addInstance(app, 1, [['2026-03-31T14:00:00Z', true, null, null]], 'training');
    expect(await burn()).toEqual([
      [null, null, 1, null],
      ['training', null, 1, null],
    ]);
    // The second's GPUs are priced and its disk is not; the third costs 1 an hour.
    await addInstance(app, 2, [['2026-03-31T14:00:00Z', true, '0.5', null]], 'training');
    await addInstance(app, 3, [['2026-03-31T14:00:00Z', true, '0.9', '0.1']]);
    expect(await burn()).toEqual([
      [null, '1.5', 2, '15'],
      ['training', '0.5', 2, '5'],
    ]);
  });
});
