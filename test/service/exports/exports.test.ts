import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ProblemAnswer } from '../../../src/core/http/problem.ts';
import { copyOut, inSnapshot } from '../../../src/database/snapshot.sql.ts';
import { exportFormats } from '../../../src/exports/formats.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { hostileStrings } from '../../support/hostile-strings.ts';
import { landBills, makeCharge, makeInvoice } from '../../support/made-bills.ts';
import { readParquet } from '../../support/read-parquet.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

const year = 'from=2026-01-01&to=2027-01-01';
const charges = [
  ...hostileStrings.map((description, index) =>
    makeCharge(100 + index, {
      ...{ start: '2026-03-05T00:00:00Z', end: '2026-03-05T01:00:00Z', amountUsd: '0.1' },
      ...{ description, label: description, itemDescription: null },
    }),
  ),
  makeCharge(1, {
    ...{ start: '2026-03-28T22:00:00.5Z', end: '2026-03-30T01:00:00Z', amountUsd: '10.123456789012345678' },
    ...{ description: 'Instance 1', itemDescription: '27.000 hours at $0.375/hour', label: 'a' },
  }),
  makeCharge(1, {
    ...{ start: '2026-03-28T22:00:00.5Z', end: null, amountUsd: '-0.000001', itemType: 'disk' },
    ...{ itemDescription: 'x hours at $1' },
  }),
];
const invoices = [
  makeInvoice(7, { start: '2026-03-01T00:00:00Z', end: '2026-03-01T00:00:00Z', amountUsd: '-25.00' }),
  makeInvoice(8, { start: '2026-03-02T00:00:00Z', amountUsd: '3.10', type: 'refund' }),
  makeInvoice(9, { start: '2026-03-02T00:00:00Z', amountUsd: '-7', type: 'transfer' }),
];

type Row = Record<string, string>;
const head =
  'kind,entryId,start,end,type,source,service,description,quantity,unit,amountUsd,basis,gpuName,instanceId,label,' +
  'invoiceId,market,firstSeenAt,disappearedAt';

describe('an export of spend', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp({}, 'live');
    app.clock.now = new Date('2026-04-04T00:00:00Z');
    await landBills(app.sql, app.market.id, 'charge', '2026-04-01T00:00:00Z', [
      ...charges,
      makeCharge(50, { start: '2026-03-06T00:00:00Z', end: '2026-03-06T01:00:00Z', amountUsd: '99' }),
    ]);
    for (const day of ['02', '03'])
      await landBills(app.sql, app.market.id, 'charge', `2026-04-${day}T00:00:00Z`, charges);
    await landBills(app.sql, app.market.id, 'invoice', '2026-04-03T00:00:00Z', invoices);
  });

  const download = async (file: string, query = year): Promise<Buffer> => {
    const answer = await app.get(`/api/exports/${file}?${query}`);
    const body = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, body.toString('utf8', 0, 300)]).toEqual([200, expect.anything()]);
    return body;
  };
  const rowsOf = (csv: string | Buffer, delimiter = ','): Row[] =>
    parse(csv, { columns: true, delimiter, bom: true, record_delimiter: '\r\n' }) as Row[];
  const hostile = (rows: Row[], column = 'label') =>
    rows.filter(({ source }) => /^instance-1\d\d$/.test(source ?? '')).map((row) => row[column]);

  it('as CSV contains every entry by start, kind and number, exactly, including disappeared ones', async () => {
    const csv = (await download('spend.csv')).toString();
    expect(csv.slice(0, csv.indexOf('\r\n'))).toBe(head);
    const rows = rowsOf(csv);
    expect(rows).toHaveLength(charges.length + 1 + invoices.length);
    expect(rows.map(({ start, kind }) => `${start} ${kind}`)).toEqual(
      rows.map(({ start, kind }) => `${start} ${kind}`).sort(),
    );
    const one = rows.find(({ source, service }) => source === 'instance-1' && service === 'gpu');
    expect(one).toEqual({
      ...{ kind: 'consumption', entryId: expect.stringMatching(/^\d+$/), start: '2026-03-28T22:00:00.5Z' },
      ...{ end: '2026-03-30T01:00:00Z', type: 'instance', source: 'instance-1', service: 'gpu' },
      ...{ description: 'Instance 1: 27.000 hours at $0.375/hour', quantity: '27.000', unit: 'hours' },
      ...{ amountUsd: '10.123456789012345678', basis: 'charged', gpuName: '', instanceId: '1', label: 'a' },
      ...{ invoiceId: '', market: 'test-market', firstSeenAt: '2026-04-01T00:00:00Z', disappearedAt: '' },
    });
    const disk = rows.find(({ source, service }) => source === 'instance-1' && service === 'disk');
    expect([disk?.amountUsd, disk?.quantity, disk?.end]).toEqual(['-0.000001', '', '']);
    expect(
      rows
        .filter(({ disappearedAt }) => disappearedAt !== '')
        .map(({ source, disappearedAt }) => [source, disappearedAt]),
    ).toEqual([['instance-50', '2026-04-03T00:00:00Z']]);
    expect(
      rows.filter(({ kind }) => kind === 'payment').map(({ amountUsd, type }) => [amountUsd, type]),
    ).toEqual([
      ['-25.00', 'credit'],
      ['3.10', 'refund'],
      ['-7', 'transfer'],
    ]);
  });

  it('escapes hostile texts with an apostrophe in CSV if they look like a formula, and keeps them elsewhere', async () => {
    expect(hostileStrings.length).toBeGreaterThanOrEqual(40);
    // In words of its own, by docs/meaning.md#text-from-outside: what a spreadsheet would run gets an apostrophe.
    const harmless = hostileStrings.map((text) => (/^[=+\-@\t\r＝＋－＠]/u.test(text) ? `'${text}` : text));
    expect(harmless.filter((text, index) => text !== hostileStrings[index]).length).toBeGreaterThan(10);
    expect(hostile(rowsOf(await download('spend.csv')))).toEqual(harmless);
    expect(hostile(rowsOf(await download('spend.csv', `${year}&locale=de`), ';'))).toEqual(harmless);
    const json = JSON.parse((await download('spend.json')).toString()) as Row[];
    expect(hostile(json)).toEqual(hostileStrings);
    const lines = (await download('spend.ndjson')).toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Row)).toEqual(json);
    expect(json.find(({ source }) => source === 'instance-1')).toMatchObject({
      ...{ amountUsd: '10.123456789012345678', quantity: '27.000', instanceId: 1, invoiceId: null },
    });
  });

  it('as CSV for a language has its decimal signs, local times and a byte order mark', async () => {
    const csv = await download('spend.csv', `${year}&locale=de&timeZone=Europe/Berlin`);
    expect(csv.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const one = rowsOf(csv, ';').find(({ source }) => source === 'instance-1');
    expect([one?.amountUsd, one?.start, one?.end]).toEqual([
      '10,123456789012345678',
      '2026-03-28 23:00:00',
      '2026-03-30 03:00:00',
    ]);
    const exact = rowsOf(await download('spend.csv', `${year}&timeZone=Asia/Kolkata`));
    expect(exact.find(({ source }) => source === 'instance-1')?.start).toBe('2026-03-29T03:30:00.5+05:30');
    const english = rowsOf(await download('spend.csv', `${year}&locale=en`));
    expect(english.find(({ source }) => source === 'instance-1')?.amountUsd).toBe('10.123456789012345678');
  });

  it('as a workbook has typed cells, a frozen head with filters, and a summary of formulas with their values', async () => {
    const book = await readXlsx(
      new Uint8Array(await download('spend.xlsx', `${year}&timeZone=Europe/Berlin`)),
    );
    expect(book.sheets.map(({ name }) => name)).toEqual(['Summary', 'Columns', 'Entries', 'Adjustments']);
    const [summary, columns, entries, adjustments] = book.sheets;
    // Every column of both sheets has its words, times and amounts a unit, and what it means.
    const described = columns?.rows.slice(1) ?? [];
    expect(described.filter(([sheet]) => sheet === 'Entries').map(([, name]) => name)).toEqual(
      head.split(','),
    );
    expect(described.filter((cells) => [1, 2, 4].some((at) => !cells[at]))).toEqual([]);
    expect(
      described.filter(([, name]) => name === 'amountUsd' || name === 'start').map((cells) => cells[3]),
    ).toEqual([
      ...['date and time, Europe/Berlin', 'US dollars', 'date and time, Europe/Berlin', 'US dollars'],
    ]);
    expect(adjustments?.rows.slice(1).map(([first]) => first)).toEqual([
      'There are none: no closed month of this range has changed since it was closed.',
    ]);
    const rows = entries?.rows ?? [];
    expect(rows[0]).toEqual(head.split(','));
    expect(rows).toHaveLength(charges.length + invoices.length + 2);
    const at = (name: string) => head.split(',').indexOf(name);
    expect([entries?.freezePane, entries?.autoFilter?.range]).toEqual([{ rows: 1 }, `A1:S${rows.length}`]);
    expect(entries?.columns?.map(({ width }) => (width ?? 0) >= 14)).toEqual(rows[0]?.map(() => true));
    expect(
      rows
        .filter((row) => /^instance-1\d\d$/.test(String(row[at('source')])))
        .map((row) => row[at('label')] ?? ''),
    ).toEqual(hostileStrings.map((text) => text));
    const one = rows.find((row) => row[at('source')] === 'instance-1') ?? [];
    expect([one[at('amountUsd')], one[at('instanceId')]]).toEqual([Number('10.123456789012345678'), 1]);
    expect((one[at('start')] as Date).toISOString()).toBe('2026-03-28T23:00:00.500Z');
    const texts = (summary?.rows ?? []).map((row) =>
      row.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : cell)),
    );
    const used = Number('10.123456789012345678') - 0.000001 + hostileStrings.length * 0.1;
    const month = texts.find((row) => row[0] === '2026-03-01') ?? [];
    expect(month.slice(0, 2)).toEqual(['2026-03-01', '2026-04-01']);
    expect(month[2]).toBeCloseTo(used, 12);
    expect(month.slice(4)).toEqual([0, 0, -28.9, -28.9]);
    expect(texts[texts.indexOf(month) - 1]?.slice(2, 4)).toEqual([
      'Consumption USD (formula)',
      'Consumption USD (plain number)',
    ]);
    // Each sum is a formula over the rows, with its value in the cell and beside it.
    const formulas = [...(summary?.cells ?? [])].flatMap(([place, { formula, formulaResult }]) =>
      formula === undefined ? [] : [[place, formula.replace(/\(.*/s, ''), formulaResult]],
    );
    const line = texts.indexOf(month);
    expect(texts.at(-1)?.[0]).toContain('the same sum as a plain number');
    expect(formulas.slice(0, 3)).toEqual([
      [`${line},2`, 'SUMIFS', month[3]],
      [`${line},4`, 'SUMIFS', 0],
      [`${line},6`, 'SUMIFS', -28.9],
    ]);
  });

  it('as Parquet has exact decimals and times as native types', async () => {
    const file = await download('spend.parquet');
    const { types, rows } = await readParquet(file);
    expect(types).toMatchObject({
      amountUsd: 'DECIMAL(38,18)',
      start: 'TIMESTAMP WITH TIME ZONE',
      label: 'VARCHAR',
      instanceId: 'BIGINT',
    });
    expect(rows).toHaveLength(charges.length + invoices.length + 1);
    const one = rows.find(({ source, service }) => source === 'instance-1' && service === 'gpu');
    expect([one?.amountUsd, one?.start]).toEqual(['10.123456789012345678', '2026-03-28 22:00:00.5+00']);
    expect(rows.find(({ source, service }) => source === 'instance-1' && service === 'disk')?.amountUsd).toBe(
      '-0.000001000000000000',
    );
    expect(hostile(rows as Row[])).toEqual(hostileStrings);
  });

  it('repeats an old export byte for byte after late changes', async () => {
    const then = app.clock.now.toISOString();
    const before = await download('spend.csv');
    const files = ['spend', 'spend-summary', 'focus'].flatMap((name) =>
      exportFormats.map((format) => `${name}.${format}`),
    );
    const old = new Map<string, Buffer>();
    for (const file of files) old.set(file, await download(file));
    const changed = charges.map((charge, index) =>
      index === 0
        ? { ...charge, contentHash: 'other', fields: { ...charge.fields, amountUsd: '55' } }
        : charge,
    );
    app.clock.now = new Date('2026-04-08T00:00:00Z');
    const late = makeInvoice(10, { start: '2026-03-09T00:00:00Z', amountUsd: '-1' });
    await landBills(app.sql, app.market.id, 'charge', '2026-04-06T00:00:00Z', changed.slice(0, -1));
    await landBills(app.sql, app.market.id, 'charge', '2026-04-07T00:00:00Z', changed.slice(0, -1));
    await landBills(app.sql, app.market.id, 'invoice', '2026-04-07T00:00:00Z', [...invoices, late]);
    expect((await download('spend.csv')).equals(before)).toBe(false);
    expect((await download('spend.csv', `${year}&asOf=${then}`)).equals(before)).toBe(true);
    for (const file of files) {
      expect((await download(file)).equals(old.get(file) ?? before), `${file} now`).toBe(false);
      const again = await download(file, `${year}&asOf=${then}`);
      expect(again.equals(old.get(file) ?? before), file).toBe(true);
    }
    const answer = await app.get(`/api/exports/spend.csv?${year}`);
    await answer.arrayBuffer();
    expect(answer.headers.get('x-offerbook-as-of')).toBe('2026-04-08T00:00:00.000Z');
  });

  it('has the sums of the report as spend-summary', async () => {
    const rows = rowsOf(await download('spend-summary.csv', `${year}&groupBy=service&stackBy=type`));
    expect(rows.find(({ key, category }) => key === 'transfer' || category === 'transfer')).toMatchObject({
      ...{
        groupBy: 'service',
        key: 'cardproc_payments',
        stackBy: 'type',
        subkey: 'transfer',
        amountUsd: '-7',
      },
    });
    // A workbook has the page's words.
    const worded = await readXlsx(
      new Uint8Array(await download('spend-summary.xlsx', `${year}&groupBy=service`)),
    );
    const groups = worded.sheets[2]?.rows.map((row) => row[1]);
    expect(groups).toContain('Card payment');
    expect(groups).not.toContain('cardproc_payments');
    // Its heads are the names of the entries' workbook; its summary has the exact totals of what is in the rows.
    const [heads = [], ...lines] = worded.sheets[2]?.rows ?? [];
    expect(heads.slice(4, 7)).toEqual(['category', 'basis', 'amountUsd']);
    const totals = (worded.sheets[0]?.rows ?? []).filter(([what]) => String(what).startsWith('Total '));
    expect(totals.map(([what]) => what)).toEqual(
      expect.arrayContaining(['Total consumption, charged, USD', 'Total payment, charged, USD']),
    );
    for (const [what, usd] of totals) {
      const [category, basis] = String(what).replace('Total ', '').split(', ');
      const counted = lines.filter((row) => row[4] === category && row[5] === basis);
      expect(usd).toBeCloseTo(
        counted.reduce((sum, row) => sum + Number(row[6]), 0),
        9,
      );
    }
    // Grouped by instance, a workbook also says what they are called.
    const file = await download('spend-summary.xlsx', `${year}&groupBy=day&stackBy=instance`);
    const { sheets } = await readXlsx(new Uint8Array(file));
    expect(sheets.map(({ name }) => name)).toEqual([
      ...['Summary', 'Columns', 'Spend', 'Instances', 'Compared with the market'],
    ]);
    const unexplained = sheets[1]?.rows.filter(([, , , , meaning]) => typeof meaning !== 'string');
    expect([sheets[1]?.rows.length, unexplained]).toEqual([1 + 10 + 4 + 15, []]);
    // Every charged instance, with what was paid above the market or why that is unknown.
    const compared = sheets[4]?.rows ?? [];
    expect(compared[1]).toContain('the market has no books');
    expect(compared[1]?.[5]).toBeCloseTo(10.123457, 6);
    const rentals = await readXlsx(new Uint8Array(await download('rentals.xlsx', year)));
    expect(rentals.sheets[1]?.rows.map((row) => row[4]).filter(Boolean)).toHaveLength(1 + 19);
    const ids = new Set(sheets[2]?.rows.slice(1).flatMap((row) => row[3] ?? []));
    expect(sheets[3]?.rows.slice(1).map(([id]) => String(id))).toEqual(
      [...ids].map(String).toSorted((a, b) => Number(a) - Number(b)),
    );
  });

  it('names a wrong parameter, and has no other files', async () => {
    const wrong = async (file: string, query: string) => {
      const answer = await app.get(`/api/exports/${file}?${query}`);
      return [answer.status, ((await answer.json()) as ProblemAnswer).errors.map(({ name }) => name)];
    };
    expect(await wrong('spend.csv', 'groupBy=month&locale=xx-nonsense&from=x')).toEqual([
      400,
      ['locale', 'groupBy'],
    ]);
    expect(await wrong('rankings.csv', 'limit=5')).toEqual([400, ['limit']]);
    expect(await wrong('rankings.csv', 'gpu=x')).toEqual([400, ['gpu']]);
    expect((await app.get('/api/exports/spend.exe')).status).toBe(404);
    expect((await app.app.request('/api/exports/spend.csv')).status).toBe(401);
  });
});

describe('an export of what a screen shows', () => {
  it('handles hostile texts like one of spend', async () => {
    const app = await createTestApp({}, 'live');
    const offers = hostileStrings.map((driverVersion, index) => makeOffer(index + 1, { driverVersion }));
    await landOffers(app.sql, app.market.id, '2026-07-31T01:00:00Z', offers);
    const download = async (format: string): Promise<Buffer> =>
      Buffer.from(await (await app.get(`/api/exports/offers.${format}`)).arrayBuffer());
    const driversOf = (rows: Record<string, unknown>[]) =>
      rows
        .toSorted((a, b) => Number(a.offerId) - Number(b.offerId))
        .map(({ driverVersion }) => driverVersion ?? '');
    const csv = parse(await download('csv'), { columns: true, record_delimiter: '\r\n' }) as Row[];
    expect(driversOf(csv)).toEqual(
      hostileStrings.map((text) => (/^[=+\-@\t\r＝＋－＠]/u.test(text) ? `'${text}` : text)),
    );
    expect(driversOf(JSON.parse((await download('json')).toString()))).toEqual(hostileStrings);
    expect(driversOf((await readParquet(await download('parquet'))).rows)).toEqual(hostileStrings);
    const [, columns, sheet] = (await readXlsx(new Uint8Array(await download('xlsx')))).sheets;
    const [head = [], ...rows] = sheet?.rows ?? [];
    // The second sheet says which head is which column.
    const names = Object.keys(csv[0] ?? {});
    const pairs = (columns?.rows ?? []).slice(1).map((cells) => cells.slice(1, 3));
    expect(pairs).toEqual(head.map((text, at) => [text, names[at]]));
    expect(head.slice(0, 5)).toEqual(['Offer ID', 'Listing ID', 'Machine ID', 'Host ID', 'GPU model']);
    const named = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
    expect(driversOf(named)).toEqual(hostileStrings);
    const { headers } = await app.get('/api/exports/offers.xlsx?minVramGb=1');
    expect(headers.get('content-disposition')).toBe('attachment; filename="offers-2026-07-31.xlsx"');
  });
});

describe('a client that reads an export', () => {
  it('with HEAD opens no query', async () => {
    const app = await createTestApp({}, 'live');
    await landBills(app.sql, app.market.id, 'charge', '2026-04-01T00:00:00Z', charges);
    // Of a format whose first byte is of a row.
    const answer = await app.app.request(`/api/exports/spend.ndjson?${year}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${app.tokens.viewer}` },
    });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      ...[200, 'application/x-ndjson', ''],
    ]);
    // Whatever it had begun would have begun by the end of a whole one.
    await (await app.get(`/api/exports/spend.ndjson?${year}`)).text();
    const [row] = await app.sql<{ open: number }[]>`
      select count(*) as open from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state like '%transaction%'`;
    expect(row?.open).toBe(0);
  });

  it('and leaves returns its connection only after its cancel was answered, so that no other query is hit', async () => {
    const { sql } = await createTestApp({}, 'live');
    const order: string[] = [];
    const answered = Promise.withResolvers<void>();
    // A cancel that takes a while, as on a pool that is busy.
    const slow = new Proxy(sql, {
      apply: (target, self, args: Parameters<typeof sql>) =>
        (async () => {
          await sleep(300);
          const rows: unknown = await Reflect.apply(target, self, args);
          order.push('the server is told');
          answered.resolve();
          return rows;
        })(),
    });
    const pieces = inSnapshot(slow, new AbortController().signal, (snapshot) =>
      copyOut(snapshot, 'copy (select repeat(n::text, 100) from generate_series(1, 3000) n) to stdout'),
    );
    expect((await pieces.next()).value?.length).toBeGreaterThan(1);
    await pieces.return(undefined);
    order.push('it is given back');
    await answered.promise;
    expect(order).toEqual(['the server is told', 'it is given back']);
  });
});
