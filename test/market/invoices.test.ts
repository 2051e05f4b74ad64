import { describe, expect, it } from 'vitest';
import { defaultDialect, parseDialect } from '../../src/market/vast/dialect.ts';
import type { InvoiceQuery } from '../../src/market/vast/invoices.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { createTestClient, errorOf } from './test-client.ts';
import { sentBy, startMarket } from './wire.ts';

const from = new Date('2026-01-01T00:00:00Z');
const to = new Date('2026-02-01T00:00:00.001Z');
const empty = { success: true, count: 0, total: 0, next_token: null, results: [] };

async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe('what is sent', () => {
  it('has the filters as JSON, the order and the limit', async () => {
    const query: InvoiceQuery = {
      ...{ from, to, services: ['transfer', 'cryptopay_a'], newestFirst: false, limit: 5 },
      sort: [{ column: 'amount_cents', direction: 'desc' }],
    };
    const sent = await sentBy((client) => client.readInvoicePage(query, 'tok'), empty);
    expect(sent).toEqual({
      ...{ method: 'GET', path: '/api/v1/invoices', body: null, key: 'reading' },
      query: {
        select_filters: JSON.stringify({
          when: { gte: 1_767_225_600, lt: 1_769_904_001 },
          service: { in: ['transfer', 'cryptopay_a'] },
        }),
        order_by: '[{"col":"amount_cents","dir":"desc"}]',
        latest_first: 'false',
        limit: '5',
        next_token: 'tok',
      },
    });
  });

  it('has defaults, one service as eq, and excluded services as neq or notin', async () => {
    const filtersOf = async (query: InvoiceQuery) => {
      const sent = await sentBy((client) => client.readInvoicePage(query, null), empty);
      expect(sent.query).toMatchObject({ latest_first: 'true', limit: '60' });
      return JSON.parse(sent.query.select_filters ?? '');
    };
    expect(await filtersOf({ from, services: ['transfer'] })).toEqual({
      when: { gte: 1_767_225_600 },
      service: { eq: 'transfer' },
    });
    expect(await filtersOf({ to: from, exceptServices: ['transfer'] })).toEqual({
      when: { lt: 1_767_225_600 },
      service: { neq: 'transfer' },
    });
    expect((await filtersOf({ from, exceptServices: ['a', 'b'] })).service).toEqual({ notin: ['a', 'b'] });
  });

  it('differs with each key of the dialect', async () => {
    const invoices = {
      ...{ path: '/v2/inv', filtersParameter: 'f', orderParameter: 'o', newestFirstParameter: 'n' },
      ...{ tokenParameter: 'after_token', pageLimit: 7 },
    };
    expect(Object.keys(invoices)).toEqual(Object.keys(defaultDialect.invoices));
    const options = { dialect: parseDialect(JSON.stringify({ invoices }), 'd') };
    const query = { from, sort: [{ column: 'when', direction: 'asc' }] } as const;
    const sent = await sentBy((client) => client.readInvoicePage(query, 't'), empty, options);
    expect(sent.path).toBe('/v2/inv');
    expect(Object.keys(sent.query)).toEqual(['f', 'o', 'n', 'limit', 'after_token']);
    expect(sent.query).toMatchObject({ limit: '7', after_token: 't' });
  });

  it.each<[InvoiceQuery, RegExp]>([
    [{}, /need a range of time: give from, to or both/],
    [{ services: ['transfer'] }, /need a range of time/],
    [{ from: to, to: from }, /from must be before to/],
    [{ from: new Date('x') }, /date of the range is invalid/],
    [{ from, limit: 0 }, /limit 0 is not a whole number of at least 1/],
    [{ from, limit: 1.5 }, /limit 1.5/],
    [{ from, services: [] }, /list of services is empty/],
    [{ from, services: ['a'], exceptServices: ['b'] }, /not both/],
  ])('is refused before it is sent: %j', async (query, text) => {
    const { client, sent } = await startMarket([empty]);
    await expect(client.readInvoicePage(query, null)).rejects.toThrow(text);
    await expect(collect(client.listInvoices(query))).rejects.toThrow(text);
    expect(sent()).toHaveLength(0);
  });
});

describe('an entry', () => {
  it('keeps every digit of its amount and its record', async () => {
    const texts = ['-25.0', '0.10', '12345678901234567.891234567', '1e-7', '0', '-0.0', '3'];
    const rows = texts.map(
      (text, i) => `{"start":1767225600.25,"amount":${text},"metadata":{"invoice_id":${i}}}`,
    );
    const body = `{"success":true,"count":7,"total":7,"next_token":null,"results":[${rows.join(',')}]}`;
    const { baseUrl } = await startScriptedServer(reply(200, body));
    const page = await createTestClient(baseUrl).client.readInvoicePage({ from }, null);
    expect(page.entries.map(({ amountUsd }) => amountUsd)).toEqual(texts);
    expect(page.entries.map(({ raw }) => raw)).toEqual(rows);
    expect(page.entries.map(({ invoiceId }) => invoiceId)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(page).toMatchObject({ count: 7, total: 7, nextToken: null, rows: 7, rejected: [] });
  });

  it('is read as the specification shows it, also with amounts as text', async () => {
    const row = {
      ...{ start: 1_767_225_600.5, end: null, type: 'credit', source: 'card', description: 'top up' },
      ...{ amount: '-25.00', metadata: { invoice_id: 11, service: 'transfer' }, items: [] },
    };
    const { client } = await startMarket([{ ...empty, results: [row, { ...row, end: 1_767_225_601 }] }]);
    const { entries } = await client.readInvoicePage({ from }, null);
    const common = {
      invoiceId: 11,
      service: 'transfer',
      type: 'credit',
      source: 'card',
      amountUsd: '-25.00',
    };
    const startAt = new Date('2026-01-01T00:00:00.500Z');
    expect(entries).toMatchObject([
      { ...common, description: 'top up', startAt, endAt: null },
      { ...common, startAt, endAt: new Date('2026-01-01T00:00:01Z') },
    ]);
  });

  it.each<[string, object]>([
    ['amount: missing', { start: 1 }],
    ['amount: not a number', { start: 1, amount: 'ten' }],
    ['amount: not a number', { start: 1, amount: true }],
    ['start: missing', { amount: 1 }],
    ['start: not readable', { amount: 1, start: 'x' }],
  ])('is rejected and counted: %s', async (reason, row) => {
    const { client } = await startMarket([{ ...empty, count: 1, results: [row] }]);
    const page = await client.readInvoicePage({ from }, null);
    expect(page).toMatchObject({ entries: [], rejected: [{ reason }], rows: 1, count: 1 });
  });

  it('is an error if an answer of 200 does not claim success', async () => {
    const refusal = { success: false, error: 'Invalid date range', count: 0, total: 0, results: [] };
    const { client } = await startMarket([refusal]);
    const error = await errorOf(client.readInvoicePage({ from }, null));
    expect(error).toMatchObject({ kind: 'contract', httpStatus: 200 });
    expect(error.message).toContain('Invalid date range');
  });
});

describe('pages', () => {
  const row = (amount: number) => ({ start: 1_767_225_600, amount });
  const page = (amounts: number[], next_token: string | null) => ({
    ...{ success: true, count: amounts.length, total: 5, next_token, results: amounts.map(row) },
  });

  it('are read in order, each with the token of the previous one and the same filters', async () => {
    const { client, sent } = await startMarket([page([1, 2], 'a='), page([3, 4], 'b&'), page([5], null)]);
    const pages = await collect(client.listInvoices({ from, to, limit: 2 }));
    expect(pages.flatMap(({ entries }) => entries.map(({ amountUsd }) => amountUsd))).toEqual([...'12345']);
    const queries = sent().map(({ query }) => query);
    expect(queries.map(({ next_token }) => next_token)).toEqual([undefined, 'a=', 'b&']);
    expect(new Set(queries.map(({ next_token: _, ...rest }) => JSON.stringify(rest))).size).toBe(1);
  });

  it('are requested only as they are consumed', async () => {
    const { client, sent } = await startMarket([page([1], 'a'), page([2], 'b')]);
    for await (const _ of client.listInvoices({ from })) break;
    expect(sent()).toHaveLength(1);
  });

  it.each([
    ['the same token', [page([1], 'a'), page([2], 'a')]],
    ['the same rows with new tokens', [page([1], 'a'), page([1], 'b'), page([1], 'c')]],
  ])('end in an error that names the setting if the market repeats %s', async (_name, answers) => {
    const { client, sent } = await startMarket(answers);
    const error = await errorOf(collect(client.listInvoices({ from })));
    expect(error).toMatchObject({ kind: 'contract' });
    expect(error.message).toContain('invoices.tokenParameter');
    expect(sent()).toHaveLength(2);
  });
});
