import type { MarketKind, MarketOpening, Marketplace, MarketSettings } from '../marketplace.ts';
import { settingNames } from '../setting-names.ts';
import { systemClock } from '../wire/clock.ts';
import { bookTimeouts } from '../wire/deadlines.ts';
import { requireHeaderText } from '../wire/exchange.ts';
import { createLocalBudget } from '../wire/local-budget.ts';
import { createRequestEngine } from '../wire/request-engine.ts';
import { cloreMeaning } from './answer-meaning.ts';
import { createCrawlBook } from './crawl-book.ts';
import { createDiagnose } from './diagnose.ts';
import { type CloreDialect, readCloreDialect } from './dialect.ts';
import { createReadServers } from './read-servers.ts';

/** The marketplace described in docs/clore.md; lists offers without a key. Source: docs/clore.md. */
export const clore: MarketKind = {
  kind: 'clore',
  label: 'Clore.ai',
  types: ['on-demand', 'bid'],
  currencies: ['USD', 'BTC', 'CLORE'],
  filters: [],
  listsRented: true,
  needsKey: false,
  parts: ['diagnose'],
  url: 'https://api.clore.ai',
  prepare(settings) {
    const dialect = readCloreDialect(settings.dialect);
    const { minIntervalSeconds: seconds } = dialect;
    const interval = seconds > 0 ? [{ count: 1, windowMs: seconds * 1_000 }] : [];
    const budget = { count: settings.searchesPerMinute, windowMs: 60_000 };
    return {
      limits: { marketplace: [...interval, budget] },
      rentingFeePercent: dialect.rentingFeePercent,
      rules: null,
      open: (access) => openClore(settings, dialect, access),
    };
  },
};

function openClore(settings: MarketSettings, dialect: CloreDialect, access: MarketOpening): Marketplace {
  const { url, apiKey, log } = access;
  const { names = settingNames() } = settings;
  const clock = { now: systemClock.now, sleep: access.sleep ?? systemClock.sleep };
  const seconds = access.budget === 'free' ? 0 : dialect.minIntervalSeconds;
  const own = createLocalBudget({ marketplace: seconds }, clock);
  const engine = createRequestEngine({
    baseUrl: url,
    headers: apiKey === null ? {} : { auth: requireHeaderText(apiKey, names.apiKey) },
    secrets: apiKey === null ? [] : [apiKey],
    meaning: cloreMeaning,
    names,
    maxBodyBytes: settings.maxBodyBytes,
    keepAlive: true,
    log,
    clock,
    random: Math.random,
    timeoutsOf: () => bookTimeouts,
    budget: access.budget === 'free' || access.budget === null ? own : access.budget,
  });
  const { path, storageUsdPerGbMonth, inetDownUsdPerGb, inetUpUsdPerGb } = dialect;
  const costs = { storageUsdPerGbMonth, inetDownUsdPerGb, inetUpUsdPerGb };
  const readServers = createReadServers(engine, { path, costs });
  return {
    crawlBook: createCrawlBook(readServers),
    account: null,
    bills: null,
    diagnose: createDiagnose(readServers),
    close: engine.close,
  };
}
