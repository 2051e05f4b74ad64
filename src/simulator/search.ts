import { matchingRows } from './filters.ts';
import { InvalidArgs } from './invalid-args.ts';
import type { OfferSource } from './offer-source.ts';
import type { OfferRow } from './offer-table.ts';
import { firstInOrder } from './ordering.ts';
import { readSearchRequest, type SearchRequest } from './search-request.ts';

/** The body of a refused request. Source: docs/marketplace.md#7-errors. */
interface ErrorBody {
  success?: false;
  error: string;
  msg: string;
}

/** The result of a search: offers, or why not. */
export type SearchAnswer =
  | { status: 200; body: { offers: readonly OfferRow[] } }
  | { status: 400; body: ErrorBody };

/** How faults change a search. */
export interface SearchBend {
  /** Changes the request. */
  rewrite?: (request: SearchRequest) => SearchRequest;
  /** Drops rows before the limit applies. */
  keep?: (rows: readonly number[]) => readonly number[];
}

const defaultLimit = 64;

/**
 * `POST /api/v0/bundles` for a parsed body at a virtual moment. 64 rows without a `limit`; silently never more than
 * `cap`.
 */
export function answerSearch(
  source: OfferSource,
  body: unknown,
  at: Date,
  cap: number,
  bend: SearchBend = {},
): SearchAnswer {
  let request: SearchRequest;
  try {
    const read = readSearchRequest(body);
    request = bend.rewrite?.(read) ?? read;
  } catch (error) {
    if (!(error instanceof InvalidArgs)) throw error;
    return { status: 400, body: { success: false, error: 'invalid_args', msg: error.message } };
  }
  const { type, storageGb, filters, order, limit } = request;
  const rentableOnly = filters.some(
    ({ field, operator, operands }) => field === 'rentable' && operator === 'eq' && operands[0] === 1,
  );
  const table = source.book({ type, storageGb, rentableOnly }, at);
  const count = Math.min(limit ?? defaultLimit, cap);
  const matches = matchingRows(table, filters);
  const found = firstInOrder(table, bend.keep?.(matches) ?? matches, order, count);
  return {
    status: 200,
    body: { offers: found.map((row) => table.rows[row]).filter((row) => row !== undefined) },
  };
}
