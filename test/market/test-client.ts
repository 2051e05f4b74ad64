import { onTestFinished } from 'vitest';
import { MarketError } from '../../src/core/errors.ts';
import type { Log } from '../../src/core/log.ts';
import {
  createMarketClient,
  type MarketClient,
  type MarketClientOptions,
} from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import type { OfferQuery } from '../../src/market/vast/offer-query.ts';

export const testKey = 'k3y-b4d/secret+value=="';
export const testActKey = 'act-k3y-b4d/s3cret+other=="';

/** A query for ids, as the crawl asks. */
export const anyQuery: OfferQuery = {
  type: 'on-demand',
  limit: 100,
  allocatedStorageGb: 8,
  rentable: true,
  order: 'id',
};

/** The fields that every record needs. */
export const smallRecord = {
  id: 7,
  machine_id: 70,
  gpu_name: 'RTX 4090',
  num_gpus: 2,
  dph_base: 0.5,
  dph_total: 0.502,
};

/** A client whose waits are recorded instead of waited, its lines of log kept. */
export function createTestClient(
  baseUrl: string,
  options: Partial<MarketClientOptions> = {},
): { client: MarketClient; waits: number[]; lines: string[] } {
  const waits: number[] = [];
  const lines: string[] = [];
  const write = (fields: object, message: string): void => {
    lines.push(`${JSON.stringify(fields)} ${message}`);
  };
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const client = createMarketClient({
    baseUrl,
    apiKey: testKey,
    dialect: withoutIntervals(defaultDialect),
    maxBodyBytes: 1_000_000,
    log,
    random: () => 0.5,
    sleep: async (ms) => {
      waits.push(ms);
    },
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, waits, lines };
}

/** The MarketError that `call` ends in; anything else fails the test. */
export async function errorOf(call: Promise<unknown>): Promise<MarketError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof MarketError) return error;
  throw new Error('expected a MarketError', { cause: error });
}
