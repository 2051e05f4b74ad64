import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { RequestBudget, Requester } from '../core/request-budget.ts';
import { createMarketClient, type MarketClient } from '../market/vast/client.ts';
import { type Dialect, defaultDialect, parseDialect, withoutIntervals } from '../market/vast/dialect.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import type { Config } from './config.ts';
import { readSmallFile } from './small-file.ts';

/** Offers a type of the built-in simulated market. */
const simulatedOffers = 1_500;

/** The market that the settings describe, ready to be asked. */
export interface MarketAccess {
  /** For schedules. */
  client: MarketClient;
  /** For what a person waits for, who goes first. */
  personClient: MarketClient;
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
    text = readSmallFile(dialectFile);
  } catch (cause) {
    throw new UserError(
      `MARKET_DIALECT "${dialectFile}" cannot be read, or has more than 1 MB: check the path.`,
      {
        cause,
      },
    );
  }
  return parseDialect(text, dialectFile);
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
    return { client, personClient: client, dialect: free, url, close };
  }
  const { url, apiKey, actApiKey } = config.market;
  const keys = { apiKey, actApiKey: actApiKey ?? undefined };
  const createClient = (requester: Requester): MarketClient =>
    createMarketClient({ ...common, ...keys, baseUrl: url, dialect, budget: budgets?.as(requester) });
  const [client, personClient] = [createClient('crawl'), createClient('person')];
  const close = async (): Promise<void> => {
    await Promise.all([client.close(), personClient.close()]);
  };
  return { client, personClient, dialect, url, close };
}
