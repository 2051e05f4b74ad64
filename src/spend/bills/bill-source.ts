import type { BillListing, MarketBills, TokenPage } from '../../market/bills.ts';
import type { AskAgain } from '../../market/crawl-book.ts';
import type { BillingEntry, BillingKind } from './bill.ts';
import { chargeEntries, invoiceEntries } from './bill-entries.ts';

/** A page as delivered, with its rows as stored entries: a charge may become several. */
export interface BillingPage extends Omit<TokenPage<unknown>, 'entries'> {
  entries: BillingEntry[];
}

/** One kind of a market's entries, read page by page as stored entries. */
export interface BillingSource extends Omit<BillListing<unknown>, 'readPage'> {
  /** Throws MarketError. The same range gives the same filters on every page. */
  readPage: (
    range: { from: Date | null; to: Date | null },
    token: string | null,
    signal: AbortSignal | undefined,
  ) => Promise<BillingPage>;
}

/** How a kind is read. `limit`: entries per page; omitted: the market's default. */
interface ReadOptions {
  askAgain?: AskAgain | undefined;
  limit?: number | undefined;
}

/** Returns the source of a kind of entries; null: the market does not list them. */
export function billingSource(
  bills: MarketBills | null,
  kind: BillingKind,
  options: ReadOptions,
): BillingSource | null {
  return kind === 'invoice'
    ? sourceOf(bills?.invoices ?? null, invoiceEntries, options)
    : sourceOf(bills?.charges ?? null, chargeEntries, options);
}

function sourceOf<T>(
  listing: BillListing<T> | null,
  entriesOf: (entry: T) => BillingEntry[],
  { askAgain = (call) => call(), limit }: ReadOptions,
): BillingSource | null {
  if (listing === null) return null;
  return {
    ...listing,
    async readPage(range, token, signal) {
      const page = await askAgain(() => listing.readPage(range, token, { limit, signal }), signal);
      return { ...page, entries: page.entries.flatMap(entriesOf) };
    },
  };
}
