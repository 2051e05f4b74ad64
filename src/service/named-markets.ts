import type { z } from 'zod';
import { type SettingNames, settingNames } from '../market/setting-names.ts';
import { headerText, schedule, text, webAddress } from './setting-schemas.ts';

/** A market described by settings. */
export interface ConfiguredMarket {
  /** Its name in the data and in `market=`. */
  name: string;
  /** Names of its settings. */
  settings: SettingNames;
  /** Kind in the registry of marketplaces; null: the default one. */
  kind: string | null;
  /** null: the public address of its kind. */
  url: string | null;
  /** null: not set, for a kind that needs no key. */
  apiKey: string | null;
  /** Key for renting, stopping and destroying; null: `apiKey`. */
  actApiKey: string | null;
}

/** A market named in MARKETS, with its own settings; null: not set. */
export interface NamedMarket extends ConfiguredMarket {
  kind: string;
  dialectFile: string | null;
  /** A cron expression or `off`; null: the value of CRAWL_OFFERS. */
  crawlOffers: string | null;
}

const split = (list: string): string[] => list.split(',').map((name) => name.trim().toLowerCase());

/** The value of MARKETS: distinct names of markets. */
export const marketNames = text.refine((list) => {
  const names = split(list);
  return names.every((name) => /^[a-z][a-z0-9-]{0,39}$/.test(name)) && new Set(names).size === names.length;
}, 'expected different names, such as vast,clore');

/** Returns the names in a value of MARKETS, in order; empty if it is unset or invalid. */
export const namesOfMarkets = (list: string | undefined): string[] =>
  list !== undefined && marketNames.safeParse(list).success ? split(list) : [];

/** Returns the prefix of a named market's variables: `MARKET_CLORE_`. */
const prefixOf = (name: string): string => `MARKET_${name.toUpperCase().replaceAll('-', '_')}_`;

/** Suffixes of these variables with their parsers. docs/settings.md explains them. */
const ownSettings = {
  KIND: text.optional(),
  URL: webAddress.optional(),
  API_KEY: headerText.optional(),
  ACT_API_KEY: headerText.optional(),
  DIALECT: text.optional(),
  CRAWL_OFFERS: schedule.optional(),
} as const satisfies Record<string, z.ZodType>;

/** Returns the settings of a named market by variable. */
export const namedSettings = (name: string): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(ownSettings).map(([what, schema]) => [prefixOf(name) + what, schema]));

/** Returns a named market from its variables. */
export function readNamedMarket(name: string, given: Readonly<Record<string, string>>): NamedMarket {
  const prefix = prefixOf(name);
  const own = (what: keyof typeof ownSettings): string | null => given[prefix + what] ?? null;
  return {
    name,
    settings: settingNames(prefix),
    kind: own('KIND') ?? name,
    url: own('URL')?.replace(/\/+$/, '') ?? null,
    apiKey: own('API_KEY'),
    actApiKey: own('ACT_API_KEY'),
    dialectFile: own('DIALECT'),
    crawlOffers: own('CRAWL_OFFERS'),
  };
}
