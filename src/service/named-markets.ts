import type { z } from 'zod';
import { readSmallFile } from './small-file.ts';

/** A market that settings describe. */
export interface ConfiguredMarket {
  /** In the data and in `market=`. */
  name: string;
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

/** What follows `MARKET_<NAME>_`; those that are secrets can also come from the file `…_FILE`. */
const secrets: readonly string[] = ['API_KEY', 'ACT_API_KEY'];

/** The markets of `MARKETS=vast,clore`, each with its own variables, some by a schema; `problems` gets what is wrong. */
export function readNamedMarkets(
  list: string | undefined,
  env: Record<string, string | undefined>,
  problems: string[],
  schemas: Readonly<Record<string, z.ZodType>>,
): NamedMarket[] {
  if (list === undefined) return [];
  const names = list.split(',').map((name) => name.trim().toLowerCase());
  const wrong = names.filter((name) => !/^[a-z][a-z0-9-]{0,39}$/.test(name));
  if (wrong.length > 0 || new Set(names).size < names.length) {
    problems.push(`MARKETS ${JSON.stringify(list)}: expected different names, such as vast,clore`);
    return [];
  }
  return names.map((name) => {
    const prefix = `MARKET_${name.toUpperCase().replaceAll('-', '_')}_`;
    const given = (what: string): string | null => {
      const value = env[prefix + what];
      if (value !== undefined && value !== '') {
        const wrong = schemas[what]?.safeParse(value).error?.issues[0]?.message;
        if (wrong !== undefined) problems.push(`${prefix}${what} ${JSON.stringify(value)}: ${wrong}`);
        return value;
      }
      const file = secrets.includes(what) ? env[`${prefix}${what}_FILE`] : undefined;
      if (file === undefined || file === '') return null;
      try {
        return readSmallFile(file).trim();
      } catch {
        problems.push(`${prefix}${what}_FILE "${file}": the file cannot be read, or has more than 1 MB`);
        return null;
      }
    };
    return {
      ...{ name, kind: given('KIND') ?? name, url: given('URL')?.replace(/\/+$/, '') ?? null },
      ...{ apiKey: given('API_KEY'), actApiKey: given('ACT_API_KEY') },
      ...{ dialectFile: given('DIALECT'), crawlOffers: given('CRAWL_OFFERS') },
    };
  });
}
