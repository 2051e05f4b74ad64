import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';
import { UserError } from './domain/errors.ts';
import type { Log } from './domain/log.ts';
import { createMarketClient, type MarketClient } from './market/client.ts';
import { type Dialect, defaultDialect, parseDialect, withoutIntervals } from './market/dialect.ts';
import { createSearchBudget } from './market/search-budget.ts';
import { createSimulator, type Simulator } from './simulator/simulator.ts';

/** Offers a type of the built-in simulated market. */
const simulatedOffers = 1_500;

/** The market that the settings describe, ready to be asked. */
export interface MarketAccess {
  client: MarketClient;
  dialect: Dialect;
  /** Its address, for people. */
  url: string;
  close: () => Promise<void>;
}

/** The built-in simulated market, the same in every process at the same moment. */
export const createBuiltInSimulator = (): Simulator => createSimulator({ offersPerType: simulatedOffers });

/** The dialect of MARKET_DIALECT, or the built-in one. Throws UserError. */
export function readDialect({ dialectFile }: Config): Dialect {
  if (dialectFile === null) return defaultDialect;
  let text: string;
  try {
    text = readFileSync(dialectFile, 'utf8');
  } catch (cause) {
    throw new UserError(`MARKET_DIALECT "${dialectFile}" cannot be read: check the path.`, { cause });
  }
  return parseDialect(text, dialectFile);
}

/**
 * Opens the configured market, or the built-in simulator served on loopback, which nobody has to wait for.
 * `budgeted` false leaves SEARCHES_PER_MINUTE out of account, to measure the market's own limit.
 */
export async function openMarket(
  config: Config,
  log: Log,
  options: { budgeted: boolean } = { budgeted: true },
): Promise<MarketAccess> {
  const dialect = readDialect(config);
  const common = { maxBodyBytes: config.marketMaxBodyMb * 1024 * 1024, log };
  if (config.market === null) {
    const simulator = createBuiltInSimulator();
    const { url } = await simulator.listen();
    const free = withoutIntervals(dialect);
    const client = createMarketClient({ ...common, baseUrl: url, apiKey: simulator.apiKey, dialect: free });
    const close = async (): Promise<void> => {
      await client.close();
      await simulator.close();
    };
    return { client, dialect: free, url, close };
  }
  const { url, apiKey, actApiKey } = config.market;
  const budget = createSearchBudget({ perMinute: config.searchesPerMinute });
  const client = createMarketClient({
    ...common,
    baseUrl: url,
    apiKey,
    actApiKey: actApiKey ?? undefined,
    dialect,
    ...(options.budgeted ? { awaitTurn: budget.awaitTurn } : {}),
  });
  return { client, dialect, url, close: () => client.close() };
}
