import type { MarketClient } from '../../market/vast/client.ts';
import type { TokenPage } from '../../market/vast/token-pages.ts';
import type { BillingEntry, BillingKind } from './bill.ts';
import { chargeEntries, invoiceEntries } from './bill-entries.ts';

const dayMs = 86_400_000;
const secondMs = 1_000;

/** A page as delivered, its rows as what they are kept as: of a charge several entries. */
export interface BillingPage extends Omit<TokenPage<unknown>, 'entries'> {
  entries: BillingEntry[];
}

/** One kind of entries of a market, read page by page. */
export interface BillingSource {
  /** Ranges begin and end on multiples of this, in ms. */
  unitMs: number;
  /** A range without an end is asked for up to this; null: the market takes one without. */
  endOf: (now: Date) => Date | null;
  /** The setting to look at where tokens are not heard. */
  tokenSetting: string;
  /** Throws MarketError. The same range gives the same filters on every page. */
  readPage: (
    range: { from: Date | null; to: Date | null },
    token: string | null,
    signal: AbortSignal | undefined,
  ) => Promise<BillingPage>;
}

/**
 * The entries of a kind, oldest first: what arrives meanwhile comes at the end, where it moves nothing, while
 * newest first it would move every page that is still to come. null: the market does not list them.
 */
export function billingSource(
  client: Pick<MarketClient, 'readInvoicePage' | 'extensions'>,
  kind: BillingKind,
  limit?: number,
): BillingSource | null {
  if (kind === 'invoice') return invoiceSource(client, limit);
  const { charges } = client.extensions;
  if (charges === null) return null;
  return {
    unitMs: dayMs,
    // Both ends are required; two days on, whatever the two clocks and calendars say.
    endOf: (now) => new Date((Math.floor(now.getTime() / dayMs) + 3) * dayMs),
    tokenSetting: 'charges.tokenParameter',
    async readPage({ from, to }, token, signal) {
      if (to === null) throw new RangeError('charges are asked for up to a day');
      // The last day is included on the wire.
      const last = new Date(to.getTime() - secondMs);
      const query = { from: from ?? new Date(0), to: last, newestFirst: false, limit };
      const page = await charges.readChargePage(query, token, { signal });
      return { ...page, entries: page.entries.flatMap(chargeEntries) };
    },
  };
}

function invoiceSource(client: Pick<MarketClient, 'readInvoicePage'>, limit?: number): BillingSource {
  return {
    unitMs: secondMs,
    endOf: () => null,
    tokenSetting: 'invoices.tokenParameter',
    async readPage({ from, to }, token, signal) {
      const query = { from: from ?? new Date(0), to: to ?? undefined, newestFirst: false, limit };
      const page = await client.readInvoicePage(query, token, { signal });
      return { ...page, entries: page.entries.flatMap(invoiceEntries) };
    },
  };
}
