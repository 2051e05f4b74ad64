import type { MarketClient } from '../../market/vast/client.ts';
import { createAskAgain, type Patience } from './ask-again.ts';

/** The calls that crawls of the account make. */
export type CrawlClient = Pick<MarketClient, 'readInvoicePage' | 'listInstances' | 'extensions'>;

/** A client whose listings are asked for again where an answer was refused or unreadable. */
export function createRetryingClient(client: CrawlClient, patience: Patience): CrawlClient {
  const ask = createAskAgain(patience);
  const { charges } = client.extensions;
  return {
    readInvoicePage: (query, token, options = {}) =>
      ask(() => client.readInvoicePage(query, token, options), options.signal),
    listInstances: (options = {}) => ask(() => client.listInstances(options), options.signal),
    extensions: {
      ...client.extensions,
      charges: charges && {
        ...charges,
        readChargePage: (query, token, options = {}) =>
          ask(() => charges.readChargePage(query, token, options), options.signal),
      },
    },
  };
}
