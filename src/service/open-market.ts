import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { RequestBudget, Requester } from '../core/request-budget.ts';
import type { MarketKind, Marketplace, PreparedMarket } from '../market/marketplace.ts';
import { defaultKind } from '../market/registry.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import type { Config } from './config.ts';
import { readSmallFile } from './small-file.ts';

/** Offers a type of the built-in simulated market. */
const simulatedOffers = 1_500;

/** The market that the settings describe, ready to be asked. */
export interface MarketAccess {
  kind: MarketKind;
  /** For schedules. */
  market: Marketplace;
  /** For what a person waits for, who goes first. */
  personMarket: Marketplace;
  /** Its address, for people. */
  url: string;
  close: () => Promise<void>;
}

/** The built-in simulated market, the same in every process at the same moment. */
export const createBuiltInSimulator = (): Simulator => createSimulator({ offersPerType: simulatedOffers });

/** The configured market with its dialect of MARKET_DIALECT, or the built-in one. Throws UserError. */
export function prepareMarket(
  config: Pick<Config, 'dialectFile' | 'searchesPerMinute' | 'marketMaxBodyMb'>,
): PreparedMarket {
  const { dialectFile, searchesPerMinute, marketMaxBodyMb } = config;
  return defaultKind.prepare({
    dialect: dialectFile === null ? null : { text: readDialectFile(dialectFile), source: dialectFile },
    ...{ searchesPerMinute, maxBodyBytes: marketMaxBodyMb * 1024 * 1024 },
  });
}

function readDialectFile(path: string): string {
  try {
    return readSmallFile(path);
  } catch (cause) {
    throw new UserError(`MARKET_DIALECT "${path}" cannot be read, or has more than 1 MB: check the path.`, {
      cause,
    });
  }
}

/**
 * Opens the configured market, or the built-in simulator served on loopback, which nobody has to wait for.
 * Without budgets only the dialect's minimum intervals hold, for this process alone: to measure the market's
 * own limit. Whoever has a database goes through `openRuntime`.
 */
export async function openMarket(
  config: Config,
  log: Log,
  budgets: { as: (requester: Requester) => RequestBudget } | null = null,
): Promise<MarketAccess> {
  const kind = defaultKind;
  const prepared = prepareMarket(config);
  if (config.market === null) {
    const simulator = createBuiltInSimulator();
    const { url } = await simulator.listen();
    const market = prepared.open({ url, apiKey: simulator.apiKey, actApiKey: null, budget: 'free', log });
    const close = async (): Promise<void> => {
      await market.close();
      await simulator.close();
    };
    return { kind, market, personMarket: market, url, close };
  }
  const { url, apiKey, actApiKey } = config.market;
  const openAs = (requester: Requester): Marketplace =>
    prepared.open({ url, apiKey, actApiKey, budget: budgets?.as(requester) ?? null, log });
  const [market, personMarket] = [openAs('crawl'), openAs('person')];
  const close = async (): Promise<void> => {
    await Promise.all([market.close(), personMarket.close()]);
  };
  return { kind, market, personMarket, url, close };
}
