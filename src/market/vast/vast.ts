import { crawledTypes } from '../../core/offer.ts';
import type { MarketKind, MarketOpening, Marketplace, MarketSettings } from '../marketplace.ts';
import type { RecordReader } from '../offer-reading.ts';
import { accountRules, createAccount } from './account.ts';
import { createBills } from './bills.ts';
import { createMarketClient } from './client.ts';
import { createCrawlBook } from './crawl/crawl-book.ts';
import { csvReader } from './csv-record.ts';
import { type Dialect, defaultDialect, parseDialect, withoutIntervals } from './dialect.ts';
import { diagnose } from './doctor/diagnose.ts';
import { readOfferRecord } from './offer-record.ts';
import { requestLimits } from './request-limits.ts';

/** Reads this marketplace's records. */
export const vastRecords: RecordReader = {
  readOffer: readOfferRecord,
  typeOf: (record) => (record.is_bid === true ? 'bid' : 'on-demand'),
  csv: csvReader,
};

/** The marketplace described in docs/marketplace.md. Source: docs/marketplace.md. */
export const vast: MarketKind = {
  kind: 'vast',
  label: 'Vast.ai',
  types: crawledTypes,
  currencies: ['USD'],
  filters: ['gpuName', 'verification', 'machineId', 'datacenter'],
  listsRented: true,
  needsKey: true,
  parts: ['account', 'bills', 'diagnose'],
  url: null,
  prepare(settings) {
    const { dialect: given } = settings;
    const dialect = given === null ? defaultDialect : parseDialect(given.text, given.source);
    return {
      limits: requestLimits(settings, dialect),
      rentingFeePercent: 0,
      rules: accountRules(dialect),
      open: (access) => openVast(settings, dialect, access),
    };
  },
};

function openVast(settings: MarketSettings, dialect: Dialect, access: MarketOpening): Marketplace {
  const { url, apiKey, actApiKey, budget, log, sleep } = access;
  const client = createMarketClient({
    baseUrl: url,
    apiKey: apiKey ?? '',
    actApiKey: actApiKey ?? undefined,
    log,
    sleep,
    maxBodyBytes: settings.maxBodyBytes,
    names: settings.names,
    dialect: budget === 'free' ? withoutIntervals(dialect) : dialect,
    budget: budget === 'free' || budget === null ? undefined : budget,
  });
  return {
    crawlBook: createCrawlBook(client, dialect.search),
    account: createAccount(client, dialect),
    bills: createBills(client, settings.names),
    diagnose: ({ probeRights, ...options }) =>
      diagnose({
        ...options,
        client,
        dialect,
        names: settings.names,
        probeWriteRights: probeRights ? client.probeWriteRights : undefined,
      }),
    close: client.close,
  };
}
