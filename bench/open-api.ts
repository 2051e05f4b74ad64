import type { Market } from '../src/books/markets.sql.ts';
import type { Sql } from '../src/database/connection.ts';
import { createPriceCache } from '../src/prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from '../src/prices/verdicts/segment-medians.ts';
import { warmUp } from '../src/service/cache-warming.ts';
import { createApp } from '../src/service/http/app.ts';
import { createToken } from '../src/service/sign-in/credentials.sql.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

type PathOf = (at: number) => string;

/** The API without its response cache, for a viewer. */
export interface BenchApi {
  /** Returns the parsed response. Throws for any status except 2xx. */
  ask: <T>(path: string) => Promise<T>;
  /** Returns the times until the last byte of this many requests in sequence, ms, without the first one. */
  timeAll: (pathOf: PathOf, count: number) => Promise<number[]>;
  /** The same for several kinds in alternation, so that a slow moment affects all: one list per kind. */
  timeInTurn: (kinds: readonly PathOf[], count: number) => Promise<number[][]>;
  /** Background work of the service after a book has landed, ms. */
  warmUp: () => Promise<number>;
}

/** Opens the API over a market of the bench. */
export async function openApi(sql: Sql, market: Market, now: Date): Promise<BenchApi> {
  const priceCache = { ...createPriceCache(), outlierTests: createOutlierTests(sql) };
  const defaultMarket = async (): Promise<Market> => market;
  const app = createApp({
    ...{ sql, log: silent, now: () => now, publicUrl: 'http://127.0.0.1', version: 'bench', webRoot: null },
    ...{ defaultMarket, mode: async () => 'live', seeding: () => null, priceCache },
    ...{ crawlNow: async () => ({ crawlIds: [] }), maxDataAgeMinutes: 180, actionsEnabled: false },
  });
  const { token } = await createToken(sql, { name: 'bench', role: 'viewer' });
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path: string): Promise<string> => {
    const response = await app.request(path, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text;
  };
  const ask = async <T>(path: string): Promise<T> => JSON.parse(await read(path)) as T;
  const timeInTurn = async (kinds: readonly PathOf[], count: number): Promise<number[][]> => {
    for (const pathOf of kinds) await read(pathOf(count + 1));
    const times: number[][] = kinds.map(() => []);
    for (let at = 0; at < count; at += 1) {
      for (const [kind, pathOf] of kinds.entries()) {
        const startedAt = performance.now();
        await read(pathOf(at));
        times[kind]?.push(performance.now() - startedAt);
      }
    }
    return times;
  };
  return {
    ask,
    timeInTurn,
    timeAll: async (pathOf, count) => (await timeInTurn([pathOf], count))[0] ?? [],
    warmUp: async () => {
      const startedAt = performance.now();
      await warmUp({ sql, log: silent, defaultMarket, priceCache }, '');
      return performance.now() - startedAt;
    },
  };
}

/** Returns the time that a share of some times stays below. */
export const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN;
