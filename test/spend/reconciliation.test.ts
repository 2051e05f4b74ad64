import { describe, expect, it } from 'vitest';
import type { FigureExplanationAnswer } from '../../src/prices/explain/explanation-schema.ts';
import { setBalance } from '../../src/spend/balances.sql.ts';
import type { SpendReconciliationAnswer } from '../../src/spend/reconciliation/spend-checks.routes.ts';
import { landBills, makeCharge, makeInvoice } from '../support/made-bills.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { addInstance } from './made-instances.ts';

const day = 'from=2026-03-05&to=2026-03-06';

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
        expect.stringMatching(/^more was paid in than used: .* until two balances are recorded$/),
      ],
      ['ledger', 'instance-2', '10', '10.5', '0.5', 'unexplained'],
      ['ledger', 'instance-3', '0', '2', '2', expect.stringMatching(/gone before Offerbook first listed/)],
    ]);
    const { items: first } = await app.json<SpendReconciliationAnswer>(`/api/spend/reconciliation?${day}`);
    expect(first.map(({ status }) => status)).toEqual(['unexplained', 'credit', 'unexplained', 'explained']);
    // 10 + 20 paid - 17.6 used = 12.4; the market says 12.
    await balance(1, '2026-03-05T00:00:00Z', '10');
    await balance(2, '2026-03-05T12:00:00Z', '12');
    await balance(3, '2026-03-05T22:00:00Z', '12.5');
    expect((await read()).filter(([kind]) => kind === 'balances')).toEqual([
      ['balances', '10 to 12', '2.4', '2', '-0.4', 'unexplained'],
      ['balances', '12 to 12.5', '0', '0.5', '0.5', 'bills are not read up to the later balance yet'],
    ]);
    const { items: later } = await app.json<SpendReconciliationAnswer>(`/api/spend/reconciliation?${day}`);
    expect(later.filter(({ kind }) => kind === 'balances').map(({ status }) => status)).toEqual([
      ...['unexplained', 'pending'],
    ]);
    expect((await read()).find(([kind]) => kind === 'invoices')?.[5]).toMatch(
      /^more was paid in than used: .* the lines about balances check that$/,
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
      .filter(({ kind }) => kind === 'items' || kind === 'ledger' || kind === 'uncharged')
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
      ['ledger', 'instance-1', '10', '10.01', 'within the minutes between two polls of the account'],
      ['ledger', 'instance-2', '0', '5', 'the lists do not state its cost'],
      [
        'ledger',
        'instance-3',
        '5',
        '10',
        'it was first listed at 2026-03-05 05:00 UTC, after the charges begin',
      ],
      [
        ...['uncharged', 'instance-5', '5.1', '0'],
        'no charge was found, though charges are synced until 2026-03-05 20:00 UTC',
      ],
      ['uncharged', 'instance-6', '9', '0', 'not charged yet: charges are synced only up to an earlier time'],
    ]);
    const { items } = await app.json<SpendReconciliationAnswer>(`/api/spend/reconciliation?${day}`);
    const ofUncharged = items.filter(({ kind }) => kind === 'uncharged');
    expect(ofUncharged.map(({ status }) => status)).toEqual(['unexplained', 'pending']);
  });

  it('is explained by the entries that it compares, charged or estimated, of an instance that has both', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    await addInstance(app, 1, running(0, 20, '1', '0.01'));
    await landBills(app.sql, app.market.id, 'charge', at(12), [
      makeCharge(1, { start: at(0), end: at(10), amountUsd: '15' }),
    ]);
    expect(await read(app)).toEqual([
      ['ledger', 'instance-1', '10', '15', 'unexplained'],
      [
        'uncharged',
        'instance-1',
        '10.1',
        '0',
        'not charged yet: charges are synced only up to an earlier time',
      ],
    ]);
    const explain = async (kind: string) =>
      await app.json<FigureExplanationAnswer>(
        `/api/explain?of=difference&kind=${kind}&subject=instance-1&${day}`,
      );
    const [charged, uncharged] = [await explain('ledger'), await explain('uncharged')];
    expect([charged.agrees, charged.text[0]]).toEqual([true, expect.stringMatching(/^1 charged entry\. /)]);
    expect([uncharged.agrees, uncharged.text[0]]).toEqual([
      true,
      expect.stringMatching(/^2 estimated entries\. Reason of the difference: not charged yet: /),
    ]);
    expect(uncharged.value).toEqual({ expectedUsd: 10.1, actualUsd: 0, differenceUsd: -10.1 });
    expect(uncharged.items.map((entry) => (entry as { basis: string }).basis)).toEqual([
      'estimated',
      'estimated',
    ]);
  });

  it('reports that the market has listed no charges at all', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-03-06T00:00:00Z');
    await addInstance(app, 1, running(0, 10, '0.5', '0'));
    expect(await read(app)).toEqual([
      ['uncharged', 'instance-1', '5', '0', 'the market has listed no charges'],
    ]);
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
