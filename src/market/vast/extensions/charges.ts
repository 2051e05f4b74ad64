/**
 * Charges: `GET /api/v0/charges/`. Public. Source: docs/marketplace.md#413-list-charges.
 * Auth: the reading key; on the real service with the right `billing_read`.
 * Rate limit: `minIntervalSeconds.charges`.
 * Quirks: both ends of `day` are required; a page holds 500 at most; an entry's span grows while it runs.
 * Trust: as invoices; the items' sum is not checked against the amount.
 */

import { decimalText } from '../../../core/exact-json.ts';
import type { TokenPage } from '../../bills.ts';
import type { CallOptions } from '../../call.ts';
import type { ChargeEntry, ChargeItem } from '../../charge.ts';
import { dateOf, idFrom, textOf } from '../../wire/record-fields.ts';
import { isRecord, type RecordFields, type RowReading } from '../../wire/record-rows.ts';
import type { Engines } from '../call.ts';
import type { Dialect } from '../dialect.ts';
import { refuse } from '../filter-rules.ts';
import { findLimitProblem, isEmptyRange } from '../query-rules.ts';
import { createTokenCalls } from '../token-pages.ts';

/** Selects charges. */
export interface ChargeQuery {
  /** Inclusive, rounded down to the second. */
  from: Date;
  /** Inclusive, rounded up to the second. */
  to: Date;
  /** @default the dialect's `charges.types` */
  types?: readonly string[] | undefined;
  /** @default newest first */
  newestFirst?: boolean | undefined;
  /** Entries per page. @default the dialect's `charges.pageLimit` */
  limit?: number | undefined;
}

export type ChargePage = TokenPage<ChargeEntry>;

/** The calls about charges. All throw MarketError; wrong arguments are a UserError before anything is sent. */
export interface ChargeCalls {
  /** Reads one page; `token` is the previous page's `nextToken`, null for the first. */
  readChargePage: (query: ChargeQuery, token: string | null, options?: CallOptions) => Promise<ChargePage>;
  /** Reads every page in turn, with the same filters. */
  listCharges: (query: ChargeQuery, options?: CallOptions) => AsyncGenerator<ChargePage, void, undefined>;
}

/** Creates the charge calls over `engines`. */
export function createChargeCalls(engines: Engines, dialect: Dialect): ChargeCalls {
  const { path, tokenParameter } = dialect.charges;
  const { readPage, listPages } = createTokenCalls(engines, {
    endpoint: 'charges',
    path,
    tokenParameter,
    read: readChargeRecord,
    toParameters: (query: ChargeQuery) => toChargeParameters(query, dialect),
  });
  return { readChargePage: readPage, listCharges: listPages };
}

function toChargeParameters(query: ChargeQuery, { charges }: Dialect): Record<string, string> {
  const { from, to, types = charges.types, newestFirst = true, limit = charges.pageLimit } = query;
  const problems = [
    isEmptyRange(from, to) ? 'charges: from must be before to' : null,
    types.length === 0 ? 'charges: the list of types is empty; leave it out for all' : null,
    findLimitProblem(limit, 'charges'),
    limit > charges.maxPageLimit ? `charges: a page holds ${charges.maxPageLimit} at most` : null,
  ].filter((problem) => problem !== null);
  refuse(problems);
  const day = { gte: Math.floor(from.getTime() / 1_000), lte: Math.ceil(to.getTime() / 1_000) };
  return {
    [charges.filtersParameter]: JSON.stringify({ day, type: { in: types } }),
    [charges.newestFirstParameter]: String(newestFirst),
    limit: String(limit),
  };
}

function readChargeRecord(row: RecordFields, raw: string, exact: RecordFields): RowReading<ChargeEntry> {
  const amountUsd = decimalText(exact.amount);
  if (amountUsd === null)
    return { rejected: row.amount == null ? 'amount: missing' : 'amount: not a number' };
  const startAt = dateOf(row.start);
  if (startAt === null) return { rejected: row.start == null ? 'start: missing' : 'start: not readable' };
  const items = Array.isArray(exact.items) ? exact.items.map(readItem) : [];
  if (items.includes(null)) return { rejected: 'items: amount not readable' };
  const metadata = isRecord(row.metadata) ? row.metadata : {};
  const source = textOf(row.source);
  return {
    type: textOf(row.type),
    source,
    instanceId: idFrom(Number(/^instance-(\d{1,15})$/.exec(source ?? '')?.[1] ?? Number.NaN)),
    description: textOf(row.description),
    amountUsd,
    startAt,
    endAt: dateOf(row.end),
    label: textOf(metadata.label),
    templateId: idFrom(metadata.template_id),
    items: items.filter((item) => item !== null),
    raw,
  };
}

function readItem(item: unknown): ChargeItem | null {
  if (!isRecord(item)) return null;
  const amountUsd = decimalText(item.amount);
  if (amountUsd === null) return null;
  return {
    type: textOf(item.type),
    description: textOf(item.description),
    amountUsd,
    startAt: dateOf(item.start),
    endAt: dateOf(item.end),
  };
}
