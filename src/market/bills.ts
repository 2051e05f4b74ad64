import type { CallOptions } from './call.ts';
import type { ChargeEntry } from './charge.ts';
import type { RejectedRow } from './instance.ts';
import type { InvoiceEntry } from './invoice.ts';

/** One page of a listing that continues with a token. */
export interface TokenPage<T> {
  /** In the order of the response. */
  entries: T[];
  rejected: RejectedRow[];
  /** Rows as delivered, readable or not. */
  rows: number;
  /** The market's count of entries in this page; null: not stated. */
  count: number | null;
  /** The market's count of matching entries; null: not stated. */
  total: number | null;
  /** Token of the next page; null: this is the last. */
  nextToken: string | null;
  replacedCharacters: number;
  retries: number;
  throttles: number;
}

/**
 * Entries of one kind, read page by page, oldest first, so that entries that arrive meanwhile come at the end and move
 * nothing.
 */
export interface BillListing<T> {
  /** Ranges start and end on multiples of this, in ms. */
  unitMs: number;
  /** Returns the end to request for an open range; null: the market accepts ranges without an end. */
  endOf: (now: Date) => Date | null;
  /** The setting to check if the market ignores tokens. */
  tokenSetting: string;
  /**
   * The same range gives the same filters on every page; `to` is exclusive. `token` is the previous page's `nextToken`,
   * null for the first. Throws MarketError. `limit` @default the market's default
   */
  readPage: (
    range: { from: Date | null; to: Date | null },
    token: string | null,
    options?: CallOptions & { limit?: number | undefined },
  ) => Promise<TokenPage<T>>;
}

/** What a market reports about an account's money; null: it does not list it. */
export interface MarketBills {
  invoices: BillListing<InvoiceEntry> | null;
  charges: BillListing<ChargeEntry> | null;
}
