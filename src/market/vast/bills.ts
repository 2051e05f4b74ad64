import type { BillListing, MarketBills } from '../bills.ts';
import type { ChargeEntry } from '../charge.ts';
import type { InvoiceEntry } from '../invoice.ts';
import { type SettingNames, settingNames } from '../setting-names.ts';
import type { MarketClient } from './client.ts';

const dayMs = 86_400_000;
const secondMs = 1_000;

/** Creates the listings of invoices and charges from a client's calls. */
export function createBills(
  client: Pick<MarketClient, 'readInvoicePage' | 'extensions'>,
  names: SettingNames = settingNames(),
): MarketBills {
  return { invoices: invoiceListing(client, names), charges: chargeListing(client, names) };
}

const invoiceListing = (
  client: Pick<MarketClient, 'readInvoicePage'>,
  names: SettingNames,
): BillListing<InvoiceEntry> => ({
  unitMs: secondMs,
  endOf: () => null,
  tokenSetting: `invoices.tokenParameter in ${names.dialect}`,
  readPage: async ({ from, to }, token, { limit, signal } = {}) =>
    await client.readInvoicePage(
      { from: from ?? new Date(0), to: to ?? undefined, newestFirst: false, limit },
      token,
      { signal },
    ),
});

function chargeListing(
  { extensions }: Pick<MarketClient, 'extensions'>,
  names: SettingNames,
): BillListing<ChargeEntry> | null {
  const { charges } = extensions;
  if (charges === null) return null;
  return {
    unitMs: dayMs,
    // Both ends are required; two extra days cover differences between clocks and time zones.
    endOf: (now) => new Date((Math.floor(now.getTime() / dayMs) + 3) * dayMs),
    tokenSetting: `charges.tokenParameter in ${names.dialect}`,
    async readPage({ from, to }, token, { limit, signal } = {}) {
      if (to === null) throw new RangeError('charges are asked for up to a day');
      // The last second is inclusive in requests.
      const last = new Date(to.getTime() - secondMs);
      const query = { from: from ?? new Date(0), to: last, newestFirst: false, limit };
      return await charges.readChargePage(query, token, { signal });
    },
  };
}
