import type { Account } from '../account/account.ts';
import type { InvoiceState } from '../account/account-state.ts';
import { usdNumber } from '../account/exact-usd.ts';
import { invoiceServices } from '../account/payments.ts';
import { InvalidArgs } from '../invalid-args.ts';
import { cutPage } from '../paging.ts';
import { type PlainFilter, passes, readPlainFilters } from '../plain-comparison.ts';
import { isJsonObject, type JsonObject, queryFlag, queryInteger, queryJson } from '../request-body.ts';
import { ok, type Route } from './endpoint.ts';

const defaultLimit = 60;
const sortColumns = ['paid_on', 'amount_cents', 'when'] as const;

interface SortKey {
  column: (typeof sortColumns)[number];
  descending: boolean;
}

/** The payments of an account. Source: docs/marketplace.md#26-invoice, docs/marketplace.md#412-list-invoices. */
export function invoiceRoutes(account: Account, secret: string): Route[] {
  return [
    {
      endpoint: 'listInvoices',
      method: 'GET',
      path: '/api/v1/invoices',
      permission: 'billing_read',
      answer: (request) => {
        const { query } = request;
        const when = readWhen(query);
        if (when === null) return invalidRange;
        const filters = [...when, ...readService(query)];
        const sort = readSort(query);
        const limit = readLimit(query);
        const found = account
          .invoicesAt(request.atS)
          .filter((invoice) => filters.every((filter) => passes(columnOf(invoice, filter.field), filter)));
        const ordered = sortInvoices(found, sort);
        const page = cutPage({
          items: ordered,
          keyOf: ({ id }) => String(id),
          limit,
          token: query.get('next_token') ?? query.get('after_token'),
          question: JSON.stringify([filters, sort]),
          secret,
          shifting: request.faults.has('shifting-pages'),
        });
        return ok({
          success: true,
          count: page.items.length,
          total: found.length,
          next_token: page.nextToken,
          results: page.items.map(invoiceRecord),
        });
      },
    },
  ];
}

const invalidRange = {
  status: 200,
  body: {
    success: false,
    error: 'Invalid date range',
    count: 0,
    total: 0,
    results: [],
    next_token: null,
  },
};

function filterObject(query: URLSearchParams): JsonObject {
  let value: unknown;
  try {
    value = queryJson(query, 'select_filters') ?? queryJson(query, 'filters');
  } catch {
    return {};
  }
  return isJsonObject(value) ? value : {};
}

/** The time range; null: missing or impossible. */
function readWhen(query: URLSearchParams): PlainFilter[] | null {
  const { when } = filterObject(query);
  if (!isJsonObject(when)) return null;
  try {
    const filters = readPlainFilters({ when }, { when: 'number' }, ['gte', 'gt', 'lte', 'lt']);
    if (filters.some(({ operand }) => operand === null)) return null;
    const least = Math.max(
      ...filters.flatMap(({ operator, operand }) => (operator.startsWith('g') ? [Number(operand)] : [])),
    );
    const most = Math.min(
      ...filters.flatMap(({ operator, operand }) => (operator.startsWith('l') ? [Number(operand)] : [])),
    );
    return least <= most ? filters : null;
  } catch {
    return null;
  }
}

/** The filter on `service`. Throws InvalidArgs for another field, operator or value. */
function readService(query: URLSearchParams): PlainFilter[] {
  const { when: _when, ...others } = filterObject(query);
  const filters = readPlainFilters(others, { service: 'text' }, ['eq', 'neq', 'in', 'notin']);
  for (const { operand } of filters) {
    for (const value of [operand].flat()) {
      if (!(invoiceServices as readonly unknown[]).includes(value)) {
        throw new InvalidArgs(`service: ${JSON.stringify(value)} is none of ${invoiceServices.join(', ')}`);
      }
    }
  }
  return filters;
}

function readSort(query: URLSearchParams): SortKey[] {
  const latestFirst = queryFlag(query, 'latest_first') ?? true;
  const byTime: SortKey[] = [{ column: 'when', descending: latestFirst }];
  const order = queryJson(query, 'order_by');
  if (order === null) return byTime;
  if (!Array.isArray(order)) throw new InvalidArgs('order_by must be a list of {col, dir}');
  const keys = order.map((entry: unknown): SortKey => {
    const { col, dir = 'desc' } = isJsonObject(entry) ? entry : {};
    const column = sortColumns.find((candidate) => candidate === col);
    if (column === undefined) throw new InvalidArgs(`order_by: col must be one of ${sortColumns.join(', ')}`);
    if (dir !== 'asc' && dir !== 'desc') throw new InvalidArgs('order_by: dir must be asc or desc');
    return { column, descending: dir === 'desc' };
  });
  return keys.length === 0 ? byTime : keys;
}

function readLimit(query: URLSearchParams): number {
  return queryInteger(query, 'limit', 1) ?? defaultLimit;
}

/** Orders by time or amount in either direction; ties by id in the same direction, unpaid ones last. */
function sortInvoices(invoices: readonly InvoiceState[], sort: readonly SortKey[]): InvoiceState[] {
  const idDescending = sort[0]?.descending ?? true;
  return invoices.toSorted((a, b) => {
    for (const { column, descending } of sort) {
      const [left, right] = [columnOf(a, column), columnOf(b, column)];
      if (left === right) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      return (left < right ? -1 : 1) * (descending ? -1 : 1);
    }
    return (a.id - b.id) * (idDescending ? -1 : 1);
  });
}

function columnOf(invoice: InvoiceState, column: string): number | string | null {
  if (column === 'service') return invoice.service;
  if (column === 'when') return invoice.startS;
  return column === 'paid_on' ? invoice.endS : invoice.microUsd;
}

function invoiceRecord(invoice: InvoiceState): Record<string, unknown> {
  const { id, startS, endS, type, source, service, description, microUsd } = invoice;
  return {
    start: startS,
    end: endS,
    type,
    source,
    description,
    amount: usdNumber(microUsd),
    metadata: { invoice_id: id, service },
    items: [],
  };
}
