import type { BillListing, MarketBills, TokenPage } from '../../market/bills.ts';
import type { AskAgain } from '../../market/crawl-book.ts';
import type { BillingEntry, BillingKind } from './bill.ts';
import { chargeEntries, invoiceEntries } from './bill-entries.ts';

/** A page as delivered, its rows as what they are kept as: of a charge several entries. */
export interface BillingPage extends Omit<TokenPage<unknown>, 'entries'> {
  entries: BillingEntry[];
}

/** One kind of entries of a market, read page by page as what they are kept as. */
export interface BillingSource extends Omit<BillListing<unknown>, 'readPage'> {
  /** Throws MarketError. The same range gives the same filters on every page. */
  readPage: (
    range: { from: Date | null; to: Date | null },
    token: string | null,
    signal: AbortSignal | undefined,
  ) => Promise<BillingPage>;
}

/** How a kind is read: `limit` entries a page; left out: the market's usual. */
interface Reading {
  askAgain?: AskAgain | undefined;
  limit?: number | undefined;
}

/** The entries of a kind; null: the market does not list them. */
export function billingSource(
  bills: MarketBills | null,
  kind: BillingKind,
  reading: Reading,
): BillingSource | null {
  return kind === 'invoice'
    ? sourceOf(bills?.invoices ?? null, invoiceEntries, reading)
    : sourceOf(bills?.charges ?? null, chargeEntries, reading);
}

function sourceOf<T>(
  listing: BillListing<T> | null,
  entriesOf: (entry: T) => BillingEntry[],
  { askAgain = (call) => call(), limit }: Reading,
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
