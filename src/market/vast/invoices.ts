/**
 * Invoices: `GET /api/v1/invoices`: payments, transfers and payouts. Source: docs/marketplace.md#412-list-invoices.
 * Auth: the reading key; on the real service with the right `billing_read`. Rate limit: `minIntervalSeconds.invoices`.
 * Quirks: `when` is required, and without it the response is a 200 without success; tokens are opaque and valid only
 * for the same filters; `items` is always empty; `end` is null while unpaid.
 * Trust: amounts keep the response's digits; `count` and `total` are passed on, and the crawl judges completeness; a
 * row without a readable amount or start is rejected and counted.
 */

import { decimalText } from '../../core/exact-json.ts';
import type { TokenPage } from '../bills.ts';
import type { CallOptions } from '../call.ts';
import type { InvoiceEntry } from '../invoice.ts';
import { dateOf, idFrom, textOf } from '../wire/record-fields.ts';
import { isRecord, type RecordFields, type RowReading } from '../wire/record-rows.ts';
import type { Engines } from './call.ts';
import type { Dialect } from './dialect.ts';
import { refuse } from './filter-rules.ts';
import { findLimitProblem, isEmptyRange } from './query-rules.ts';
import { createTokenCalls } from './token-pages.ts';

/** Selects invoices. `from` or `to` is required. */
export interface InvoiceQuery {
  /** Inclusive, rounded down to the second. */
  from?: Date | undefined;
  /** Exclusive, rounded up to the second. */
  to?: Date | undefined;
  /** Only these services; omitted: all. */
  services?: readonly string[] | undefined;
  /** All but these; instead of `services`. */
  exceptServices?: readonly string[] | undefined;
  /** @default newest first */
  newestFirst?: boolean | undefined;
  /** Overrides `newestFirst`. */
  sort?: readonly { column: 'paid_on' | 'amount_cents' | 'when'; direction: 'asc' | 'desc' }[] | undefined;
  /** Entries per page. @default the dialect's `invoices.pageLimit` */
  limit?: number | undefined;
}

export type InvoicePage = TokenPage<InvoiceEntry>;

/** The calls about invoices. All throw MarketError; wrong arguments are a UserError before anything is sent. */
export interface InvoiceCalls {
  /** Reads one page; `token` is the previous page's `nextToken`, null for the first. */
  readInvoicePage: (query: InvoiceQuery, token: string | null, options?: CallOptions) => Promise<InvoicePage>;
  /** Reads every page in turn, with the same filters. */
  listInvoices: (query: InvoiceQuery, options?: CallOptions) => AsyncGenerator<InvoicePage, void, undefined>;
}

/** Creates the invoice calls over `engines`. */
export function createInvoiceCalls(engines: Engines, dialect: Dialect): InvoiceCalls {
  const { path, tokenParameter } = dialect.invoices;
  const { readPage, listPages } = createTokenCalls(engines, {
    endpoint: 'invoices',
    path,
    tokenParameter,
    read: readInvoiceRecord,
    toParameters: (query: InvoiceQuery) => toInvoiceParameters(query, dialect),
  });
  return { readInvoicePage: readPage, listInvoices: listPages };
}

/** Returns the query parameters without a token. Throws UserError for a query that the market would refuse. */
function toInvoiceParameters(query: InvoiceQuery, { invoices }: Dialect): Record<string, string> {
  const { from, to, services, exceptServices, newestFirst, sort, limit = invoices.pageLimit } = query;
  const problems = [
    from === undefined && to === undefined ? 'invoices need a range of time: give from, to or both' : null,
    isEmptyRange(from, to) ? 'invoices: from must be before to' : null,
    services !== undefined && exceptServices !== undefined
      ? 'invoices: give services or exceptServices, not both'
      : null,
    services?.length === 0 || exceptServices?.length === 0
      ? 'invoices: the list of services is empty; leave it out for all'
      : null,
    findLimitProblem(limit, 'invoices'),
  ].filter((problem) => problem !== null);
  refuse(problems);
  const service = oneOrMore(services, 'eq', 'in') ?? oneOrMore(exceptServices, 'neq', 'notin');
  const filters = {
    when: {
      ...(from === undefined ? {} : { gte: Math.floor(from.getTime() / 1_000) }),
      ...(to === undefined ? {} : { lt: Math.ceil(to.getTime() / 1_000) }),
    },
    ...(service === null ? {} : { service }),
  };
  const order = sort?.map(({ column, direction }) => ({ col: column, dir: direction }));
  return {
    [invoices.filtersParameter]: JSON.stringify(filters),
    ...(order === undefined || order.length === 0
      ? {}
      : { [invoices.orderParameter]: JSON.stringify(order) }),
    [invoices.newestFirstParameter]: String(newestFirst ?? true),
    limit: String(limit),
  };
}

function oneOrMore(
  values: readonly string[] | undefined,
  one: 'eq' | 'neq',
  more: 'in' | 'notin',
): object | null {
  if (values === undefined) return null;
  return values.length === 1 ? { [one]: values[0] } : { [more]: values };
}

function readInvoiceRecord(row: RecordFields, raw: string, exact: RecordFields): RowReading<InvoiceEntry> {
  const amountUsd = decimalText(exact.amount);
  if (amountUsd === null)
    return { rejected: row.amount == null ? 'amount: missing' : 'amount: not a number' };
  const startAt = dateOf(row.start);
  if (startAt === null) return { rejected: row.start == null ? 'start: missing' : 'start: not readable' };
  const metadata = isRecord(row.metadata) ? row.metadata : {};
  return {
    invoiceId: idFrom(metadata.invoice_id),
    service: textOf(metadata.service),
    type: textOf(row.type),
    source: textOf(row.source),
    description: textOf(row.description),
    amountUsd,
    startAt,
    endAt: dateOf(row.end),
    raw,
  };
}
