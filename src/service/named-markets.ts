import type { z } from 'zod';
import { type SettingNames, settingNames } from '../market/setting-names.ts';
import { headerText, schedule, text, webAddress } from './setting-schemas.ts';

/** A market that settings describe. */
export interface ConfiguredMarket {
  /** In the data and in `market=`. */
  name: string;
  /** What its settings are called. */
  settings: SettingNames;
  /** Of the registry of marketplaces; null: the default one. */
  kind: string | null;
  /** null: the public address of its kind. */
  url: string | null;
  /** null: none, for a kind that needs none. */
  apiKey: string | null;
  /** For what rents, stops and destroys; null: `apiKey`. */
  actApiKey: string | null;
}

/** One that they name, with settings of its own; null: not set. */
export interface NamedMarket extends ConfiguredMarket {
  kind: string;
  dialectFile: string | null;
  /** A cron expression or `off`; null: as CRAWL_OFFERS says. */
  crawlOffers: string | null;
}

const split = (list: string): string[] => list.split(',').map((name) => name.trim().toLowerCase());

/** The value of MARKETS: names of markets, of which none comes twice. */
export const marketNames = text.refine((list) => {
  const names = split(list);
  return names.every((name) => /^[a-z][a-z0-9-]{0,39}$/.test(name)) && new Set(names).size === names.length;
}, 'expected different names, such as vast,clore');

/** The markets that a value of MARKETS names, the first one first; none where it is left out or wrong. */
export const namesOfMarkets = (list: string | undefined): string[] =>
  list !== undefined && marketNames.safeParse(list).success ? split(list) : [];

/** What the variables of a market of MARKETS begin with: `MARKET_CLORE_`. */
const prefixOf = (name: string): string => `MARKET_${name.toUpperCase().replaceAll('-', '_')}_`;

/** What follows that, with what each has to be. docs/settings.md explains them. */
const ownSettings = {
  KIND: text.optional(),
  URL: webAddress.optional(),
  API_KEY: headerText.optional(),
  ACT_API_KEY: headerText.optional(),
  DIALECT: text.optional(),
  CRAWL_OFFERS: schedule.optional(),
} as const satisfies Record<string, z.ZodType>;

/** The settings of a market of MARKETS by variable. */
export const namedSettings = (name: string): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(ownSettings).map(([what, schema]) => [prefixOf(name) + what, schema]));

/** Returns a market of MARKETS as its variables describe it. */
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
