import type { AccountRules, MarketAccount } from '../account.ts';
import type { MarketClient } from './client.ts';
import { findBidProblem, findCreateProblems, findHashProblem } from './create-request.ts';
import type { Dialect } from './dialect.ts';
import { templateFields } from './filter-fields.ts';
import { findFilterProblems } from './filter-rules.ts';
import { readOfferExtras } from './offer-extras.ts';
import { compressOnstart } from './onstart.ts';
import { findTemplateProblems } from './template-request.ts';

/** What the market accepts by its dialect. */
export const accountRules = (dialect: Dialect): AccountRules => ({
  findCreateProblems: (offerId, request) => findCreateProblems(offerId, request, dialect),
  findBidProblem: (usdPerHour) => findBidProblem(usdPerHour, dialect),
  findTemplateProblems: (fields) => findTemplateProblems(fields, dialect),
  findHashProblem,
  findTemplateFilterProblems: (filters) => findFilterProblems(filters, templateFields),
  templateColumns: Object.keys(templateFields),
  shortenScript: compressOnstart,
  takesLabels: dialect.instances.labelParameter !== null,
  readOfferExtras: ({ raw }) => readOfferExtras(raw),
});

/** The account calls of a client. */
export type AccountClient = Omit<
  MarketClient,
  'close' | 'probeWriteRights' | 'listInvoices' | 'readInvoicePage' | 'getInstance'
>;

/** Creates the account from a client's calls. */
export function createAccount(client: AccountClient, dialect: Dialect): MarketAccount {
  const { changeBid, changeLabel, volumes } = client.extensions;
  return {
    listInstances: client.listInstances,
    createInstance: client.createInstance,
    stopInstance: client.stopInstance,
    startInstance: client.startInstance,
    destroyInstance: client.destroyInstance,
    rules: accountRules(dialect),
    changeBid,
    changeLabel,
    volumes,
    createVolume: client.createVolume,
    templates: client,
    async findOffer({ offerId, type, diskGb }, { signal } = {}) {
      const { offers } = await client.searchOffers(
        { type, limit: 1, allocatedStorageGb: diskGb, rentable: true, order: 'id', offerId },
        { signal },
      );
      return offers.find((offer) => offer.offerId === offerId) ?? null;
    },
  };
}
