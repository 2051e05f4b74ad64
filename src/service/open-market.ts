import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { RequestBudget, Requester } from '../core/request-budget.ts';
import type { MarketKind, Marketplace, MarketSettings, PreparedMarket } from '../market/marketplace.ts';
import { defaultKind, marketKinds } from '../market/registry.ts';
import { settingNames } from '../market/setting-names.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import type { Config } from './config.ts';
import { type AccountOptions, openSimulatedAccount } from './simulated-account.ts';
import { readSmallFile } from './small-file.ts';

/** Offers per pricing type of the built-in simulated market. */
const simulatedOffers = 1_500;
/** Whoever tries renting there need not wait minutes for `ssh`, as on real markets and in `offerbook simulate`. */
const simulatedBootSeconds = [5, 10] as const;

/** The configured market, ready for requests. */
export interface MarketAccess {
  kind: MarketKind;
  /** For schedules. */
  market: Marketplace;
  /** For requests that a person waits for, which go first. */
  personMarket: Marketplace;
  /** Its address, for display. */
  url: string;
  close: () => Promise<void>;
}

/** Returns the built-in simulated market, identical in every process at the same moment. @default a new account */
export const createBuiltInSimulator = (account: AccountOptions = {}): Simulator =>
  createSimulator({
    ...account,
    offersPerType: simulatedOffers,
    bootSeconds: simulatedBootSeconds,
    pastRentals: true,
  });

/** Returns the kind of the configured market. Throws UserError for an unknown one. */
export function kindOf({ market }: Pick<Config, 'market'>): MarketKind {
  const wanted = market?.kind ?? null;
  if (wanted === null) return defaultKind;
  const found = marketKinds.find(({ kind }) => kind === wanted);
  if (found !== undefined) return found;
  const known = marketKinds.map(({ kind }) => kind).join(', ');
  throw new UserError(`Unknown kind of market "${wanted}". Known: ${known}. Set ${market?.settings.kind}.`);
}

/** Prepares the configured or built-in market. Throws UserError for settings that do not fit its kind. */
export function prepareMarket(
  config: Pick<Config, 'market' | 'dialectFile' | 'searchesPerMinute' | 'marketMaxBodyMb'>,
): PreparedMarket {
  const { market, dialectFile, searchesPerMinute, marketMaxBodyMb } = config;
  const kind = kindOf(config);
  if (market !== null) {
    if (kind.needsKey && market.apiKey === null) {
      throw new UserError(`${kind.label} needs a key: set ${market.settings.apiKey}.`);
    }
    addressOf(kind, market);
  }
  const names = market?.settings ?? settingNames();
  return kind.prepare({
    dialect: dialectFile === null ? null : readDialectFile(dialectFile, names.dialect),
    names,
    searchesPerMinute,
    maxBodyBytes: marketMaxBodyMb * 1024 * 1024,
  });
}

/** Where a market is: as set, else the public address of its kind. */
function addressOf(kind: MarketKind, { settings, url }: NonNullable<Config['market']>): string {
  const address = url ?? kind.url;
  if (address !== null) return address;
  throw new UserError(`${kind.label} has no public address of its own: set ${settings.url}.`);
}

function readDialectFile(path: string, setting: string): NonNullable<MarketSettings['dialect']> {
  try {
    return { text: readSmallFile(path), source: `${setting} ${path}` };
  } catch (cause) {
    throw new UserError(`${setting} "${path}" cannot be read, or has more than 1 MB: check the path.`, {
      cause,
    });
  }
}

/**
 * Opens the configured market, or the built-in simulator on loopback, which needs no limits. Without budgets only the
 * dialect's minimum intervals hold, within this process: this measures the market's own limit. With a database use
 * `openRuntime`. Only a service writes the simulator's account.
 */
export async function openMarket(
  config: Config,
  log: Log,
  budgets: { as: (requester: Requester) => RequestBudget } | null = null,
  simulated: { isService: boolean; firstId?: number } = { isService: false },
): Promise<MarketAccess> {
  const kind = kindOf(config);
  const prepared = prepareMarket(config);
  if (config.market === null) {
    const { isService, firstId } = simulated;
    const account = await openSimulatedAccount(config, log, isService);
    try {
      const simulator = createBuiltInSimulator({ ...account.options, firstId });
      const opened = await openSimulator(prepared, simulator, log);
      const close = async (): Promise<void> => {
        try {
          await opened.close();
        } catch (error) {
          // A full disk must not keep the rest from being closed; what changed before is stored.
          log.error({ err: error }, 'the simulated account could not be stored');
        } finally {
          account.release();
        }
      };
      return { kind, personMarket: opened.market, ...opened, close };
    } catch (error) {
      account.release();
      throw error;
    }
  }
  const { apiKey, actApiKey } = config.market;
  const url = addressOf(kind, config.market);
  const openAs = (requester: Requester): Marketplace =>
    prepared.open({ url, apiKey, actApiKey, budget: budgets?.as(requester) ?? null, log });
  const [market, personMarket] = [openAs('crawl'), openAs('person')];
  const close = async (): Promise<void> => {
    await Promise.all([market.close(), personMarket.close()]);
  };
  return { kind, market, personMarket, url, close };
}

/** Serves a simulator on loopback and opens it as a market, without limits. */
export async function openSimulator(
  prepared: PreparedMarket,
  simulator: Simulator,
  log: Log,
): Promise<Pick<MarketAccess, 'market' | 'url' | 'close'>> {
  const { url } = await simulator.listen();
  const market = prepared.open({ url, apiKey: simulator.apiKey, actApiKey: null, budget: 'free', log });
  const close = async (): Promise<void> => {
    await market.close();
    await simulator.close();
  };
  return { market, url, close };
}
