import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../api/test-app.ts';
import { landBills, makeCharge, makeInvoice } from '../support/made-bills.ts';

type Row = Record<string, string>;

const mandatory = [
  ...['BilledCost', 'BillingAccountId', 'BillingAccountName', 'BillingCurrency', 'BillingPeriodEnd'],
  ...['BillingPeriodStart', 'ChargeCategory', 'ChargeClass', 'ChargeDescription', 'ChargePeriodEnd'],
  ...[
    'ChargePeriodStart',
    'ContractedCost',
    'EffectiveCost',
    'InvoiceIssuerName',
    'ListCost',
    'PricingQuantity',
  ],
  ...['PricingUnit', 'ProviderName', 'PublisherName', 'ServiceCategory', 'ServiceName'],
];
const neverNull = mandatory.filter(
  (name) =>
    !['BillingAccountName', 'ChargeClass', 'ChargeDescription', 'PricingQuantity', 'PricingUnit'].includes(
      name,
    ),
);
const services = ['Compute', 'Storage', 'Networking', 'Other'];
const number = /^-?\d+(\.\d+)?$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** What of the rules of FOCUS 1.2 for its mandatory columns a row breaks, a sentence each. */
function findBreaches(row: Row): string[] {
  const of = (name: string): string => row[name] ?? '';
  const rules: [string, boolean][] = [
    ...neverNull.map((name): [string, boolean] => [`${name} is null`, of(name) !== '']),
    ...['BilledCost', 'ContractedCost', 'EffectiveCost', 'ListCost'].map((name): [string, boolean] => [
      ...([`${name} is no decimal`, number.test(of(name))] as [string, boolean]),
    ]),
    ...['BillingPeriodStart', 'BillingPeriodEnd', 'ChargePeriodStart', 'ChargePeriodEnd'].map(
      (name): [string, boolean] => [`${name} is no UTC time`, time.test(of(name))],
    ),
    ['BillingCurrency is no code', /^[A-Z]{3}$/.test(of('BillingCurrency'))],
    [
      'ChargeCategory is none',
      ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'].includes(of('ChargeCategory')),
    ],
    ['ChargeClass is none', ['', 'Correction'].includes(of('ChargeClass'))],
    ['ServiceCategory is none', services.includes(of('ServiceCategory'))],
    ['usage lacks a quantity', of('ChargeCategory') !== 'Usage' || number.test(of('PricingQuantity'))],
    ['usage lacks a unit', of('ChargeCategory') !== 'Usage' || of('PricingUnit') !== ''],
    ['a unit without a quantity', (of('PricingQuantity') === '') === (of('PricingUnit') === '')],
    ['the charge period is empty', of('ChargePeriodStart') < of('ChargePeriodEnd')],
    ['the billing period does not hold the start', of('BillingPeriodStart') <= of('ChargePeriodStart')],
    ['the billing period is over before', of('ChargePeriodStart') < of('BillingPeriodEnd')],
  ];
  return rules.filter(([, holds]) => !holds).map(([name]) => name);
}

describe('focus.csv', () => {
  it('keeps the rules of FOCUS 1.2, with consumption, credits, refunds and corrections', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-04-20T00:00:00Z');
    const charge = { start: '2026-03-31T23:00:00.5Z', end: '2026-04-01T02:00:00Z', amountUsd: '1.25' };
    const first = [
      makeCharge(1, { ...charge, itemDescription: '3.000 hours at $0.4/hour', description: 'Instance 1' }),
      makeCharge(1, { ...charge, itemType: 'bwd', amountUsd: '-0.000001' }),
      makeCharge(2, { ...charge, itemType: 'disk', end: null }),
    ];
    const late = makeCharge(3, { ...charge, amountUsd: '2' });
    const invoices = [
      makeInvoice(1, { start: '2026-03-02T00:00:00Z', amountUsd: '-20' }),
      makeInvoice(2, { start: '2026-03-03T00:00:00Z', amountUsd: '4', type: 'refund' }),
      makeInvoice(3, { start: '2026-03-03T00:00:00Z', amountUsd: '-7', type: 'transfer' }),
      makeInvoice(4, { start: '2026-03-03T00:00:00Z', amountUsd: '7', type: 'payout' }),
    ];
    await landBills(app.sql, app.market.id, 'invoice', '2026-04-05T00:00:00Z', invoices);
    await landBills(app.sql, app.market.id, 'charge', '2026-04-05T00:00:00Z', first);
    await landBills(app.sql, app.market.id, 'charge', '2026-04-10T00:00:00Z', [...first, late]);
    const answer = await app.get('/api/exports/focus.csv?from=2026-03-01&to=2026-05-01');
    const rows = parse(await answer.text(), { columns: true }) as Row[];
    expect(mandatory.filter((name) => !Object.keys(rows[0] ?? {}).includes(name))).toEqual([]);
    expect(mandatory).toHaveLength(21);
    expect(rows.map((row) => findBreaches(row))).toEqual(rows.map(() => []));
    const shown = rows.map((row) =>
      [row.ChargeCategory, row.ChargeClass, row.ServiceCategory, row.BilledCost].join(' '),
    );
    expect(shown.sort()).toEqual([
      'Adjustment  Other 4',
      'Credit  Other -20',
      'Usage  Compute 1.25',
      'Usage  Networking -0.000001',
      'Usage  Storage 1.25',
      'Usage Correction Compute 2',
    ]);
    const measured = rows.find((row) => row.PricingQuantity === '3.000');
    expect([measured?.PricingUnit, measured?.ChargePeriodStart, measured?.BillingPeriodEnd]).toEqual([
      ...['Hours', '2026-03-31T23:00:00Z', '2026-04-01T00:00:00Z'],
    ]);
    // Where the text does not say: hours of GPUs and disks, and one of anything else.
    const used = rows
      .filter(({ ChargeCategory }) => ChargeCategory === 'Usage')
      .map((row) => [row.ServiceCategory, row.PricingQuantity, row.PricingUnit].join(' '));
    expect(used.sort()).toEqual(
      [
        'Compute 3.000 Hours',
        'Compute 2.999861111111 Hours',
        'Networking 1 Units',
        'Storage 456.999861111111 Hours',
      ].sort(),
    );
    // The checker itself finds what is wrong.
    expect(
      findBreaches({ ...rows[0], BilledCost: '1e5', ChargeCategory: 'Payment', ServiceName: '' }),
    ).toHaveLength(3);
  });
});
