import type { CallOptions } from './call.ts';
import type { ChargeEntry } from './charge.ts';
import type { RejectedRow } from './instance.ts';
import type { InvoiceEntry } from './invoice.ts';

/** One page of a listing that continues by a token. */
export interface TokenPage<T> {
  /** In the order of the answer. */
  entries: T[];
  rejected: RejectedRow[];
  /** Rows as delivered, readable or not. */
  rows: number;
  /** Entries in this page, as the market counts them; null: not said. */
  count: number | null;
  /** Entries that match, as the market counts them; null: not said. */
  total: number | null;
  /** What the next page is asked with; null: there is none. */
  nextToken: string | null;
  replacedCharacters: number;
  retries: number;
  throttles: number;
}

/**
 * Entries of one kind, read page by page, the oldest first: what arrives meanwhile comes at the end, where it moves
 * nothing.
 */
export interface BillListing<T> {
  /** Ranges begin and end on multiples of this, in ms. */
  unitMs: number;
  /** A range without an end is asked for up to this; null: the market takes one without. */
  endOf: (now: Date) => Date | null;
  /** The setting to look at where tokens are not heard. */
  tokenSetting: string;
  /**
   * The same range gives the same filters on every page; `to` is not included. `token` is the `nextToken` of the page
   * before, null for the first. Throws MarketError. `limit` @default the market's usual
   */
  readPage: (
    range: { from: Date | null; to: Date | null },
    token: string | null,
    options?: CallOptions & { limit?: number | undefined },
  ) => Promise<TokenPage<T>>;
}

/** What a market tells of an account's money; null: it does not list it. */
export interface MarketBills {
  invoices: BillListing<InvoiceEntry> | null;
  charges: BillListing<ChargeEntry> | null;
}
