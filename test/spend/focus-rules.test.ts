import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { hostileStrings } from '../support/hostile-strings.ts';
import { landBills, makeCharge, makeInvoice } from '../support/made-bills.ts';
import { createTestApp } from '../support/test-app.ts';

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
/** Of FOCUS 1.2 as well, present where they apply. */
const others = [
  ...['ChargeFrequency', 'ConsumedQuantity', 'ConsumedUnit', 'InvoiceId', 'ResourceId', 'ResourceName'],
  ...['ResourceType', 'SubAccountId'],
];
const services = [
  ...['AI and Machine Learning', 'Analytics', 'Business Applications', 'Compute', 'Databases'],
  ...['Developer Tools', 'Multicloud', 'Identity', 'Integration', 'Internet of Things'],
  ...['Management and Governance', 'Media', 'Migration', 'Mobile', 'Networking', 'Security', 'Storage'],
  ...['Web', 'Other'],
];
const number = /^-?\d+(\.\d+)?$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Returns the rules of FOCUS 1.2 for the present columns that a row breaks, one sentence each. */
function findBreaches(row: Row): string[] {
  const of = (name: string): string => row[name] ?? '';
  const isUsage = of('ChargeCategory') === 'Usage';
  const isCorrection = of('ChargeClass') === 'Correction';
  const isThere = (name: string): boolean => of(name) !== '';
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
    ['ChargeFrequency is none', ['One-Time', 'Recurring', 'Usage-Based'].includes(of('ChargeFrequency'))],
    ['a purchase by use', of('ChargeCategory') !== 'Purchase' || of('ChargeFrequency') !== 'Usage-Based'],
    ...['Pricing', 'Consumed'].flatMap((what): [string, boolean][] => {
      const [quantity, unit] = [`${what}Quantity`, `${what}Unit`];
      return [
        [`usage lacks a ${quantity}`, !isUsage || isCorrection || number.test(of(quantity))],
        [`usage lacks a ${unit}`, !isUsage || isCorrection || isThere(unit)],
        [`${unit} without ${quantity}`, isThere(quantity) === isThere(unit)],
        [`a tax has a ${quantity}`, of('ChargeCategory') !== 'Tax' || !isThere(quantity)],
      ];
    }),
    ['something was consumed that is no usage', isUsage || !isThere('ConsumedQuantity')],
    ['a resource without a type, or a type of none', isThere('ResourceId') === isThere('ResourceType')],
    ['a name of no resource', isThere('ResourceId') || !isThere('ResourceName')],
    ['a name that is the id', !isThere('ResourceName') || of('ResourceName') !== of('ResourceId')],
    // Without unit prices each cost is the billed cost.
    ...['ListCost', 'ContractedCost'].map((name): [string, boolean] => [
      ...([`${name} is not what was billed`, of(name) === of('BilledCost')] as [string, boolean]),
    ]),
    ['the charge period is empty', of('ChargePeriodStart') < of('ChargePeriodEnd')],
    ['the billing period does not hold the start', of('BillingPeriodStart') <= of('ChargePeriodStart')],
    ['the billing period is over before', of('ChargePeriodStart') < of('BillingPeriodEnd')],
  ];
  return rules.filter(([, holds]) => !holds).map(([name]) => name);
}

/** What of the rules for whole files is broken: columns, empty texts, services of several categories. */
function findFileBreaches(rows: readonly Record<string, string | null>[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const categories = Map.groupBy(rows, ({ ServiceName }) => ServiceName);
  return [
    ...mandatory.filter((name) => !names.includes(name)).map((name) => `${name} is missing`),
    ...names
      .filter((name) => ![...mandatory, ...others].includes(name) && !/^x_[A-Z]/.test(name))
      .map((name) => `${name} is no column of FOCUS`),
    ...names.filter((name) => rows.some((row) => row[name] === '')).map((name) => `${name} has empty texts`),
    ...[...categories]
      .filter(([, of]) => new Set(of.map(({ ServiceCategory }) => ServiceCategory)).size > 1)
      .map(([name]) => `${name} is of several categories`),
  ];
}

describe('focus.csv', () => {
  it('follows the rules of FOCUS 1.2, with consumption, credits, refunds and corrections', async () => {
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
    const range = 'from=2026-03-01&to=2026-05-01';
    const text = await (await app.get(`/api/exports/focus.csv?${range}`)).text();
    const rows = parse(text, { columns: true }) as Row[];
    expect(mandatory).toHaveLength(21);
    const json = await app.json<Record<string, string | null>[]>(`/api/exports/focus.json?${range}`);
    expect([json.length, findFileBreaches(json)]).toEqual([rows.length, []]);
    // Its times are UTC, whatever the zone of the requested range.
    const local = 'from=2026-03-01T00:00:00Z&to=2026-05-01T00:00:00Z&timeZone=Asia/Kolkata';
    expect(await (await app.get(`/api/exports/focus.csv?${local}`)).text()).toBe(text);
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
    // If the text does not state it: hours of GPUs and disks, and one of anything else.
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
    const resources = rows.map(({ ResourceId, ResourceType, ResourceName }) => [
      ...[ResourceId, ResourceType, ResourceName].filter((text) => text !== ''),
    ]);
    expect(resources.filter((resource) => resource.length === 0)).toHaveLength(2);
    expect(resources.filter(([id]) => id === 'instance-1')).toEqual([
      ['instance-1', 'instance'],
      ['instance-1', 'instance'],
    ]);
    // The checker finds planted errors.
    const [usage = {}] = rows.filter(({ ChargeCategory }) => ChargeCategory === 'Usage');
    const wrong: Row[] = [
      { BilledCost: '1e5', ListCost: '1e5', ContractedCost: '1e5' },
      { ChargeCategory: 'Payment', ConsumedQuantity: '', ConsumedUnit: '' },
      { ServiceName: '' },
      { ServiceCategory: 'GPUs' },
      { ChargeFrequency: '' },
      { PricingQuantity: '', PricingUnit: '', ChargeClass: '' },
      { ConsumedUnit: '', ChargeClass: 'Correction' },
      { ResourceType: '' },
      { ChargePeriodStart: '2026-03-31T23:30:00+05:30' },
      { ChargePeriodEnd: usage.ChargePeriodStart ?? '' },
      { ListCost: '7' },
    ];
    expect(wrong.map((part) => findBreaches({ ...usage, ...part }).length)).toEqual([
      ...[3, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1],
    ]);
    expect(findFileBreaches([{ ...json[0], Cost: '1', x_Label: '' }])).toEqual([
      'Cost is no column of FOCUS',
      'x_Label has empty texts',
    ]);
  });

  it('follows them for hostile texts, which are written as in every export', async () => {
    const app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-04-20T00:00:00Z');
    const charge = { start: '2026-03-05T00:00:00Z', end: '2026-03-05T01:00:00Z', amountUsd: '0.1' };
    const bills = hostileStrings.map((text, index) =>
      makeCharge(index + 1, { ...charge, description: text, label: text, type: text, service: text }),
    );
    await landBills(app.sql, app.market.id, 'charge', '2026-04-05T00:00:00Z', bills);
    const file = (format: string): string => `/api/exports/focus.${format}?from=2026-03-01&to=2026-04-01`;
    const rows = parse(await (await app.get(file('csv'))).text(), {
      ...{ columns: true, record_delimiter: '\r\n' },
    }) as Row[];
    expect(rows.map((row) => findBreaches(row))).toEqual(hostileStrings.map(() => []));
    const ofColumn = (given: readonly Record<string, string | null>[], name: string) =>
      given.toSorted((a, b) => Number(a.x_EntryId) - Number(b.x_EntryId)).map((row) => row[name]);
    expect(ofColumn(rows, 'ChargeDescription')).toEqual(
      hostileStrings.map((text) => (/^[=+\-@\t\r＝＋－＠]/u.test(text) ? `'${text}` : text)),
    );
    const json = await app.json<Record<string, string | null>[]>(file('json'));
    expect(findFileBreaches(json)).toEqual([]);
    expect(ofColumn(json, 'ChargeDescription')).toEqual(
      hostileStrings.map((text) => (text === '' ? null : text)),
    );
  });
});
