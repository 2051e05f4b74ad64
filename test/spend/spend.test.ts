import { readXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { FigureExplanationAnswer } from '../../src/prices/explain/explanation-schema.ts';
import { enterSpend } from '../../src/rentals/spend-moment.sql.ts';
import type { BalancesAnswer } from '../../src/spend/balances.routes.ts';
import type { SpendExplanationAnswer } from '../../src/spend/explain-answer.ts';
import type { SpendAdjustmentsAnswer, SpendAnswer } from '../../src/spend/spend.routes.ts';
import { spendGroupings } from '../../src/spend/spend-grouping.ts';
import { landBills, makeCharge, makeInvoice } from '../support/made-bills.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';

const gpu = { label: 'training', type: 'instance' };
const charges = [
  // Three days and a bit, over the end of March's summer time change in Berlin.
  makeCharge(1, { ...gpu, start: '2026-03-28T22:00:00Z', end: '2026-03-30T01:00:00Z', amountUsd: '10' }),
  makeCharge(1, {
    start: '2026-03-28T22:00:00Z',
    end: '2026-03-30T01:00:00Z',
    amountUsd: '0.333333',
    itemType: 'disk',
  }),
  makeCharge(2, {
    start: '2026-04-01T00:00:00Z',
    end: '2026-04-01T00:00:00Z',
    amountUsd: '-0.5',
    label: 'tests #0198c0de-4a1b-7c2d-8e3f-0123456789ab',
  }),
  makeCharge(3, { start: '2026-04-02T00:00:00Z', end: null, amountUsd: '2.4' }),
];
const invoices = [
  makeInvoice(1, { start: '2026-03-01T00:00:00Z', end: '2026-03-01T00:00:00Z', amountUsd: '-25.00' }),
  makeInvoice(2, { start: '2026-04-02T00:00:00Z', amountUsd: '3.1', type: 'refund' }),
  makeInvoice(3, { start: '2026-04-03T00:00:00Z', amountUsd: '-7', type: 'transfer', service: 'transfer' }),
  makeInvoice(4, { start: '2026-04-03T00:00:00Z', amountUsd: '1', type: 'payout' }),
];

const amounts = ({ items }: SpendAnswer, category = 'consumption') =>
  Object.fromEntries(
    items.filter((item) => item.category === category).map((item) => [item.key, item.amountUsd]),
  );

describe('GET /api/spend', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-04-04T00:00:00Z');
    await landBills(app.sql, app.market.id, 'charge', '2026-04-03T12:00:00Z', charges);
    await landBills(app.sql, app.market.id, 'invoice', '2026-04-03T12:00:00Z', invoices);
  });

  const spend = (query = '') => app.json<SpendAnswer>(`/api/spend?${query}`);

  it('divides consumption among the days of the zone by seconds, to 12 decimals, the last part taking the rest', async () => {
    const utc = await spend('groupBy=day&to=2026-04-01');
    // 27 hours: 2, 24 and 1; the disk's parts are rounded, and the last one gets the remainder.
    expect(amounts(utc)).toEqual({
      '2026-03-28': '0.765432074074',
      '2026-03-29': '9.185184888889',
      '2026-03-30': '0.382716037037',
    });
    // In Berlin the 28th ends at 23:00 UTC, the 29th has 23 hours.
    const berlin = await spend('groupBy=day&to=2026-04-01&timeZone=Europe/Berlin');
    expect(amounts(berlin)).toEqual({
      '2026-03-28': '0.382716037037',
      '2026-03-29': '8.802468851852',
      '2026-03-30': '1.148148111111',
    });
  });

  it('compares consumption with the period before, exact', async () => {
    const { before } = await spend('from=2026-03-30&to=2026-03-31');
    expect(before).toEqual({
      ...{ from: '2026-03-29T00:00:00.000Z', to: '2026-03-30T00:00:00.000Z' },
      ...{ consumptionUsd: '9.185184888889', changeUsd: '-8.802468851852', changePercent: -95.83 },
      ...{ firstSpendAt: '2026-03-28T22:00:00.000Z', isCovered: true },
    });
    expect((await spend('from=2026-03-28&to=2026-03-29')).before).toMatchObject({
      ...{ consumptionUsd: '0', changeUsd: '0.765432074074', changePercent: null, isCovered: false },
    });
    expect((await spend('from=2026-05-01&to=2026-06-01')).before).toBeNull();
  });

  it('has the same totals in every grouping, with payments and transfers separate', async () => {
    const groupings = ['month', 'week', 'day', 'service', 'type', 'source', 'gpuName', 'instance', 'label'];
    for (const groupBy of [...groupings, 'rentedBy', 'costCenter']) {
      const { items, totals } = await spend(`groupBy=${groupBy}&stackBy=service`);
      expect(totals, groupBy).toEqual([
        { category: 'consumption', basis: 'charged', amountUsd: '12.233333', entries: 4 },
        { category: 'payment', basis: 'charged', amountUsd: '-25', entries: 1 },
        { category: 'payout', basis: 'charged', amountUsd: '1', entries: 1 },
        { category: 'refund', basis: 'charged', amountUsd: '3.1', entries: 1 },
        { category: 'transfer', basis: 'charged', amountUsd: '-7', entries: 1 },
      ]);
      const sum = (category: string) =>
        items
          .filter((item) => item.category === category)
          .reduce((total, { amountUsd }) => total + BigInt(Math.round(Number(amountUsd) * 1e12)), 0n);
      expect([sum('consumption'), sum('payment')], groupBy).toEqual([
        12_233_333_000_000n,
        -25_000_000_000_000n,
      ]);
    }
  });

  it("groups by the entries' values, labels without the rental's id, and by null if they have none", async () => {
    expect(amounts(await spend('groupBy=label'))).toEqual({
      training: '10',
      tests: '-0.5',
      null: '2.733333',
    });
    expect(amounts(await spend('groupBy=service'))).toEqual({ gpu: '11.9', disk: '0.333333' });
    const byInstance = await spend('groupBy=instance');
    expect(amounts(byInstance)).toEqual({ 1: '10.333333', 2: '-0.5', 3: '2.4' });
    const unlisted = { gpuName: null, numGpus: null };
    expect(byInstance.instances).toEqual([
      { instanceId: 1, label: 'training', ...unlisted },
      { instanceId: 2, label: 'tests', ...unlisted },
      { instanceId: 3, label: null, ...unlisted },
    ]);
    expect((await spend('groupBy=day&stackBy=instance')).instances).toEqual(byInstance.instances);
    expect((await spend('groupBy=label')).instances).toEqual([]);
    expect(amounts(await spend('groupBy=service'), 'transfer')).toEqual({ transfer: '-7' });
    expect(amounts(await spend('groupBy=week&timeZone=Europe/Berlin'))).toEqual({
      '2026-03-23': '9.185184888889',
      '2026-03-30': '3.048148111111',
    });
  });

  it("cuts a day at the range's end so that adjacent ranges add up", async () => {
    const first = await spend('groupBy=label&from=2026-03-28&to=2026-03-29T07:00:01Z');
    const second = await spend('groupBy=label&from=2026-03-29T07:00:01Z&to=2026-04-01');
    const of = (answer: SpendAnswer) => Number(amounts(answer).training);
    expect(of(first)).toBeCloseTo((10 * (9 * 3600 + 1)) / (27 * 3600), 10);
    expect(of(first) + of(second)).toBeCloseTo(10, 10);
  });

  it('uses the current and the previous month by default, and counts open charges until now', async () => {
    const answer = await spend();
    expect([answer.from, answer.to, answer.timeZone]).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-05-01T00:00:00.000Z',
      'UTC',
    ]);
    expect(answer.market).toBe('test-market');
    expect(amounts(await spend('groupBy=day&from=2026-04-02'))).toEqual({
      '2026-04-02': '1.2',
      '2026-04-03': '1.2',
    });
  });

  it('is explained sum by sum: the entries of each, added up again', async () => {
    const explain = (query: string) => app.json<SpendExplanationAnswer>(`/api/explain?of=spend&${query}`);
    // A range that cuts a day, over a clock change, with an open charge.
    const range = 'from=2026-03-28T23:30:01Z&to=2026-04-03T18:00:00Z&timeZone=Europe/Berlin';
    let sums = 0;
    for (const groupBy of spendGroupings) {
      for (const stackBy of groupBy === 'day' ? spendGroupings : (['service'] as const)) {
        const { items } = await spend(`groupBy=${groupBy}&stackBy=${stackBy}&${range}`);
        for (const { key, subkey, category, basis, amountUsd, entries } of items) {
          const figure = new URLSearchParams({
            groupBy,
            key: key ?? '',
            stackBy,
            subkey: subkey ?? '',
            category,
            basis,
          });
          const { value, recomputed, taken, agrees } = await explain(`${range}&${figure}`);
          expect(value, String(figure)).toEqual({ amountUsd, entries });
          expect(recomputed, String(figure)).toEqual({ amountUsd, entries });
          expect(agrees).toBe(true);
          expect(taken).toBe(entries);
          sums += 1;
        }
      }
    }
    expect(sums).toBeGreaterThan(60);
    const whole = await explain('category=consumption&limit=3');
    expect(whole.recomputed).toEqual({ entries: 4, amountUsd: '12.233333' });
    expect(whole.value).toEqual(whole.recomputed);
    expect(whole.rejected).toEqual([{ reason: 'other category', rows: 4 }]);
    const next = await explain(`category=consumption&limit=3&cursor=${whole.nextCursor}`);
    expect(
      [...whole.items, ...next.items].map(({ source, service, partUsd }) => [source, service, partUsd]),
    ).toEqual([
      ['instance-1', 'gpu', '10'],
      ['instance-1', 'disk', '0.333333'],
      ['instance-2', 'gpu', '-0.5'],
      ['instance-3', 'gpu', '2.4'],
    ]);
    expect(next.nextCursor).toBeNull();
    const march = await explain('groupBy=month&key=2026-03&rows=rejected');
    expect(march.items.map(({ source, rejected, partUsd }) => [source, rejected, partUsd])).toEqual([
      ['instance-2', 'other month', null],
      ['instance-3', 'other month', null],
      ['card', 'other month', null],
      ['card', 'other month', null],
      ['card', 'other month', null],
    ]);
    const refused = async (query: string) =>
      (await readProblem(await app.get(`/api/explain?of=spend&${query}`), 400)).errors.map(
        ({ name }) => name,
      );
    expect(await refused('gpuName=H100')).toEqual(['gpuName']);
    expect(await refused('key=2026-03')).toEqual(['groupBy']);
    expect(await refused('groupBy=month')).toEqual(['key']);
    const { errors } = await readProblem(await app.get('/api/explain?of=ranking&timeZone=UTC'), 400);
    expect(errors.map(({ name }) => name)).toEqual(['timeZone']);
  });

  it('names a wrong parameter', async () => {
    for (const query of [
      'groupBy=gpu',
      'timeZone=%2B01:00',
      'from=2026-05-02&to=2026-05-01',
      'asOf=2030-01-01',
      'x=1',
    ]) {
      await readProblem(await app.get(`/api/spend?${query}`), 400);
    }
  });
});

describe('the moment that a response states', () => {
  it('is after everything that is being stored, so that it repeats the response', {
    timeout: 120_000,
  }, async () => {
    const app = await createTestApp({}, 'live');
    const { sql, market } = app;
    app.clock.now = new Date('2026-04-04T00:00:00Z');
    await landBills(sql, market.id, 'charge', '2026-04-03T12:00:00Z', charges);
    const tx = await sql.reserve();
    await tx`begin`;
    await enterSpend(tx, market.id);
    // Dated to now, and landed only after somebody has asked.
    await tx`update billing_version set seen_to = '2026-04-04T00:00:00Z'
      where entry_id = (select id from billing_entry where market_id = ${market.id} order by id limit 1)`;
    const asked = app.json<SpendAnswer>('/api/spend?groupBy=service');
    await vi.waitFor(
      async () => {
        const [row] = await sql<{ waiting: number }[]>`
          select count(*) as waiting from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;
        expect(row?.waiting).toBe(1);
      },
      { timeout: 60_000, interval: 20 },
    );
    app.clock.now = new Date('2026-04-04T00:00:01Z');
    await tx`commit`;
    tx.release();
    const answer = await asked;
    expect([answer.asOf, answer.disappeared]).toEqual([
      '2026-04-04T00:00:01.000Z',
      { entries: 1, amountUsd: '10' },
    ]);
    expect(await app.json(`/api/spend?groupBy=service&asOf=${answer.asOf}`)).toEqual(answer);
  });
});

describe('a balance', () => {
  it('is the recorded one minus later invoices and charges, or null with a reason', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-04-04T00:00:00Z');
    const balance = async () => (await app.json<SpendAnswer>('/api/spend')).balance;
    expect((await balance()).reason).toMatch(/No balance was recorded/);
    const set = (body: object, role: 'viewer' | 'operator' = 'operator') =>
      app.app.request('/api/balances', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${app.tokens[role]}`, 'content-type': 'application/json' },
      });
    expect((await set({ amountUsd: '100' }, 'viewer')).status).toBe(403);
    expect((await set({ amountUsd: 'much' })).status).toBe(400);
    expect((await set({ amountUsd: '100.000000000001', at: '2026-03-29T00:00:00Z' })).status).toBe(201);
    expect((await balance()).reason).toMatch(/No complete sync of invoices/);
    const { detail } = await readProblem(await app.get('/api/explain?of=balance'), 404);
    expect(detail).toBe((await balance()).reason);
    await landBills(app.sql, app.market.id, 'charge', '2026-04-03T12:00:00Z', charges);
    await landBills(app.sql, app.market.id, 'invoice', '2026-04-03T13:00:00Z', invoices);
    // Charged since: 25 of the 27 hours of 10.333333, a credit of 0.5, and a day and a half of 2.4 in two days.
    expect(await balance()).toEqual({
      at: '2026-04-03T12:00:00.000Z',
      amountUsd: String(100.000000000001 - 9.567900925926 + 0.5 - 1.8 - 3.1 + 7 - 1),
      reason: null,
      statement: { at: '2026-03-29T00:00:00.000Z', amountUsd: '100.000000000001' },
    });
    const explained = await app.json<FigureExplanationAnswer>('/api/explain?of=balance');
    expect(explained.value).toEqual({
      amountUsd: (await balance()).amountUsd,
      recordedUsd: '100.000000000001',
    });
    expect(explained.agrees).toBe(true);
    const parts = explained.items.map(({ partUsd }) => Number(partUsd));
    expect(parts).toHaveLength(7);
    expect(100.000000000001 - parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(
      Number(explained.recomputed.amountUsd),
      9,
    );
    const { items } = await app.json<BalancesAnswer>('/api/balances');
    expect(items).toMatchObject([{ amountUsd: '100.000000000001', enteredBy: 'operator of the test' }]);
    const gone = await app.app.request(`/api/balances/${items[0]?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${app.tokens.operator}` },
    });
    expect(gone.status).toBe(204);
    expect((await app.json<BalancesAnswer>('/api/balances')).items).toEqual([]);
  });
});

describe('a closed month', () => {
  it('keeps its figure: later changes are adjustments, and the earlier response can be repeated', async () => {
    const app = await createTestApp({}, 'live');
    const land = (kind: 'invoice' | 'charge', at: string, entries: Parameters<typeof landBills>[4]) =>
      landBills(app.sql, app.market.id, kind, at, entries);
    const bill = (id: number, amountUsd: string) =>
      makeCharge(id, { start: '2026-03-30T00:00:00Z', end: '2026-04-01T12:00:00Z', amountUsd });
    await land('invoice', '2026-04-02T00:00:00Z', []);
    await land('charge', '2026-04-02T00:00:00Z', [bill(1, '5'), bill(2, '1')]);
    app.clock.now = new Date('2026-04-02T01:00:00Z');
    const march = '/api/spend?from=2026-03-01&to=2026-04-01';
    expect((await app.json<SpendAnswer>(march)).months).toEqual([]);
    // The readings of the 5th close it; two days later one charge was corrected, one is new, one is gone.
    await land('invoice', '2026-04-05T00:00:00Z', []);
    await land('charge', '2026-04-05T00:00:00Z', [bill(1, '5'), bill(2, '1')]);
    app.clock.now = new Date('2026-04-05T01:00:00Z');
    const then = await app.json<SpendAnswer>(march);
    expect(then.months).toEqual([
      { month: '2026-03', closedAt: '2026-04-05T00:00:00.000Z', adjustmentUsd: '0' },
    ]);
    for (const day of ['06', '07'])
      await land('charge', `2026-04-${day}T00:00:00Z`, [bill(1, '10'), bill(3, '2.5')]);
    app.clock.now = new Date('2026-04-08T00:00:00Z');
    const now = await app.json<SpendAnswer>(march);
    expect(amounts(now)).toEqual({ '2026-03': '10' });
    expect(now.disappeared).toEqual({ entries: 1, amountUsd: '1' });
    expect(now.months).toMatchObject([{ month: '2026-03', adjustmentUsd: '5.2' }]);
    const { items } = await app.json<SpendAdjustmentsAnswer>(
      '/api/spend/adjustments?from=2026-03-01&to=2026-04-01',
    );
    expect(
      items.map(({ source, change, closedUsd, amountUsd, adjustmentUsd, seenAt }) => [
        ...[source, change, closedUsd, amountUsd, adjustmentUsd, seenAt],
      ]),
    ).toEqual([
      ['instance-1', 'changed', '4', '8', '4', '2026-04-06T00:00:00.000Z'],
      ['instance-2', 'disappeared', '0.8', '0', '-0.8', '2026-04-07T00:00:00.000Z'],
      ['instance-3', 'added', '0', '2', '2', '2026-04-06T00:00:00.000Z'],
    ]);
    const changed = await app.json<FigureExplanationAnswer>(
      '/api/explain?of=adjustment&month=2026-03&from=2026-03-01&to=2026-04-01',
    );
    expect([changed.value, changed.recomputed]).toEqual([{ adjustmentUsd: '5.2' }, { adjustmentUsd: '5.2' }]);
    expect(changed.items.map(({ source, adjustmentUsd }) => [source, adjustmentUsd])).toEqual([
      ['instance-1', '4'],
      ['instance-2', '-0.8'],
      ['instance-3', '2'],
    ]);
    expect((await app.get('/api/explain?of=adjustment&month=2026-04')).status).toBe(404);
    const { recomputed, rejected } = await app.json<SpendExplanationAnswer>(
      '/api/explain?of=spend&from=2026-03-01&to=2026-04-01',
    );
    expect([recomputed, rejected]).toEqual([
      { entries: 2, amountUsd: '10' },
      [{ reason: 'disappeared', rows: 1 }],
    ]);
    const again = await app.json<SpendAnswer>(`${march}&asOf=2026-04-05T01:00:00Z`);
    expect(again).toEqual(then);
    const file = await app.get('/api/exports/spend.xlsx?from=2026-03-01&to=2026-04-01');
    const book = await readXlsx(new Uint8Array(await file.arrayBuffer()));
    const [head = [], ...rows] = book.sheets.find(({ name }) => name === 'Adjustments')?.rows ?? [];
    const shown = ['month', 'source', 'change', 'closedUsd', 'amountUsd', 'adjustmentUsd'];
    expect(rows.map((row) => shown.map((name) => row[head.indexOf(name)]))).toEqual([
      ['2026-03', 'instance-1', 'changed', 4, 8, 4],
      ['2026-03', 'instance-2', 'disappeared', 0.8, 0, -0.8],
      ['2026-03', 'instance-3', 'added', 0, 2, 2],
    ]);
    const csv = await app.get('/api/exports/spend-adjustments.csv?from=2026-03-01&to=2026-04-01&locale=de');
    const [names = '', ...lines] = (await csv.text()).trimEnd().split('\r\n');
    const places = shown.map((name) => names.replace('\uFEFF', '').split(';').indexOf(name));
    expect(lines.map((line) => places.map((place) => line.split(';')[place]))).toEqual([
      ['2026-03', 'instance-1', 'changed', '4', '8', '4'],
      ['2026-03', 'instance-2', 'disappeared', '0,8', '0', '-0,8'],
      ['2026-03', 'instance-3', 'added', '0', '2', '2'],
    ]);
  });
});
