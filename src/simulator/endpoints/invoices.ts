import type { Account } from '../account/account.ts';
import type { InvoiceState } from '../account/account-state.ts';
import { usdNumber } from '../account/exact-usd.ts';
import { invoiceServices } from '../account/payments.ts';
import { InvalidArgs } from '../invalid-args.ts';
import type { MutantSwitch } from '../mutant-switch.ts';
import { cutPage } from '../paging.ts';
import { type PlainFilter, passes, readPlainFilters } from '../plain-comparison.ts';
import { isJsonObject, type JsonObject, queryFlag, queryInteger, queryJson } from '../request-body.ts';
import { type ApiRequest, ok, type Route } from './endpoint.ts';

const defaultLimit = 60;
const sortColumns = ['paid_on', 'amount_cents', 'when'] as const;

interface SortKey {
  column: (typeof sortColumns)[number];
  descending: boolean;
}

/** The payments of an account, specification sections 2.6 and 4.12. */
export function invoiceRoutes(account: Account, secret: string, mutants: MutantSwitch): Route[] {
  return [
    {
      endpoint: 'listInvoices',
      method: 'GET',
      path: mutants.has('invoices-under-v0') ? '/api/v0/invoices' : '/api/v1/invoices',
      permission: 'billing_read',
      answer: (request) => {
        const { query } = request;
        const when = readWhen(query);
        if (when === null && !mutants.has('invoices-when-optional')) return invalidRange(mutants);
        const filters = [...(when ?? []), ...readService(query, mutants)].flatMap((filter) =>
          mutate(filter, mutants),
        );
        const sort = readSort(query, mutants);
        const limit = readLimit(query, mutants);
        const listed = account.invoicesAt(request.atS);
        const costs = mutants.has('invoices-hold-charges') ? chargesAsInvoices(account, request.atS) : [];
        const found = [...listed, ...costs].filter((invoice) =>
          filters.every((filter) => passes(columnOf(invoice, filter.field), filter)),
        );
        const ordered = sortInvoices(found, sort);
        const page = cutPage({
          items: ordered,
          keyOf: ({ id }) => String(id),
          limit,
          token: tokenOf(request, mutants),
          question: JSON.stringify([filters, sort]),
          secret,
          shifting: request.faults.has('shifting-pages'),
        });
        const extra = (name: string) => Number(mutants.has(name));
        return ok({
          success: true,
          count: page.items.length + extra('invoices-count-wrong'),
          total: found.length + extra('invoices-total-wrong'),
          next_token: mutants.has('invoices-next-token-never') ? null : nextToken(page.nextToken, mutants),
          results: page.items.map(invoiceRecord),
        });
      },
    },
  ];
}

function tokenOf({ query }: ApiRequest, mutants: MutantSwitch): string | null {
  if (mutants.has('invoices-token-ignored')) return null;
  return query.get('next_token') ?? query.get('after_token');
}

/** The mutant says that there is always another page. */
const nextToken = (token: string | null, mutants: MutantSwitch): string | null =>
  token === null && mutants.has('invoices-next-token-always') ? 'more' : token;

function invalidRange(mutants: MutantSwitch) {
  const status = mutants.has('invoices-when-missing-is-400') ? 400 : 200;
  const success = mutants.has('invoices-when-missing-succeeds');
  return {
    status,
    body: {
      success,
      ...(success ? {} : { error: 'Invalid date range' }),
      count: 0,
      total: 0,
      results: [],
      next_token: null,
    },
  };
}

function filterObject(query: URLSearchParams): JsonObject {
  let value: unknown;
  try {
    value = queryJson(query, 'select_filters') ?? queryJson(query, 'filters');
  } catch {
    return {};
  }
  return isJsonObject(value) ? value : {};
}

/** The range; null: missing, or none that can be. */
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
function readService(query: URLSearchParams, mutants: MutantSwitch): PlainFilter[] {
  const { when: _when, ...others } = filterObject(query);
  const filters = readPlainFilters(others, { service: 'text' }, ['eq', 'neq', 'in', 'notin']);
  for (const { operand } of filters) {
    for (const value of [operand].flat()) {
      const known = (invoiceServices as readonly unknown[]).includes(value);
      if (!known || mutants.has(`invoice-service-refused:${String(value)}`)) {
        throw new InvalidArgs(`service: ${JSON.stringify(value)} is none of ${invoiceServices.join(', ')}`);
      }
    }
  }
  return filters;
}

function readSort(query: URLSearchParams, mutants: MutantSwitch): SortKey[] {
  const latestDefault = !mutants.has('invoices-oldest-first-default');
  const given = queryFlag(query, 'latest_first') ?? latestDefault;
  const latestFirst = mutants.has('invoices-latest-first-ignored') ? latestDefault : given;
  const byTime: SortKey[] = [{ column: 'when', descending: latestFirst }];
  const order = queryJson(query, 'order_by');
  if (order === null) return byTime;
  if (!Array.isArray(order)) throw new InvalidArgs('order_by must be a list of {col, dir}');
  const keys = order.map((entry: unknown): SortKey => {
    const { col, dir = mutants.has('invoices-sort-ascending-default') ? 'asc' : 'desc' } = isJsonObject(entry)
      ? entry
      : {};
    const column = sortColumns.find((candidate) => candidate === col);
    if (column === undefined) throw new InvalidArgs(`order_by: col must be one of ${sortColumns.join(', ')}`);
    if (dir !== 'asc' && dir !== 'desc') throw new InvalidArgs('order_by: dir must be asc or desc');
    if (mutants.has('invoices-sort-desc-turned')) return { column, descending: false };
    return { column, descending: mutants.has('invoices-sort-direction-ignored') ? true : dir === 'desc' };
  });
  const known = keys.filter(({ column }) => !mutants.has(`invoices-sort-ignored:${column}`));
  if (mutants.has('invoices-latest-first-wins') && query.has('latest_first')) return byTime;
  return known.length === 0 ? byTime : known;
}

function readLimit(query: URLSearchParams, mutants: MutantSwitch): number {
  const limit = queryInteger(query, 'limit', mutants.has('invoices-limit-zero-accepted') ? 0 : 1);
  if (mutants.has('invoices-limit-ignored')) return defaultLimit;
  return limit === null || limit === 0 ? defaultLimit : limit;
}

/** Newest or largest first, or the other way; equals by id in the same direction, the unpaid last. */
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

/** What a mutant takes for payments: the costs of instances and volumes, under ids that no invoice has. */
function chargesAsInvoices(account: Account, atS: number): InvoiceState[] {
  return account
    .chargesAt(atS)
    .map((charge, index) => ({ ...charge, id: -1 - index, service: 'instance_prepay' }));
}

function mutate(filter: PlainFilter, mutants: MutantSwitch): PlainFilter[] {
  const { field, operator } = filter;
  return mutants.has(`invoices-filter-ignored:${field}.${operator}`) ? [] : [filter];
}
