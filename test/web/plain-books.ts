import type { Offer } from '../../src/core/offer.ts';
import type { Sql } from '../../src/database/connection.ts';
import { listedRecords } from '../support/offerbook-server.ts';

/** An offer as the market lists it, as far as its price goes. */
export interface PlainRecord {
  id: number;
  usdPerGpuHour: number;
}

export interface PlainBook {
  at: string;
  records: PlainRecord[];
}

const priceOf = (baseUsd: unknown, storageUsd: unknown, gpus: unknown): number =>
  (Number(baseUsd) + (8 / 720) * Number(storageUsd)) / Number(gpus);

/** A made offer as its market would list it. */
export const asRecord = ({ offerId, baseUsdPerHour, storageUsdPerGbMonth, numGpus }: Offer): PlainRecord => ({
  id: offerId,
  usdPerGpuHour: priceOf(baseUsdPerHour, storageUsdPerGbMonth, numGpus),
});

/** The offers of a model in the seeded market's books, oldest first, from what the market itself lists. */
export async function seededBooks(sql: Sql, gpu: string): Promise<PlainBook[]> {
  const moments = await sql<{ at: Date }[]>`
    select b.observed_at as at from book b join scope s on s.id = b.scope_id join market m on m.id = s.market_id
    where m.name = 'simulator' and s.name = 'default' and b.type = 'on-demand' order by 1`;
  return moments.map(({ at }) => ({
    at: at.toISOString(),
    records: listedRecords('on-demand', at)
      .filter((row) => row.gpu_name === gpu)
      .map((row) => ({
        id: Number(row.id),
        usdPerGpuHour: priceOf(row.dph_base, row.storage_cost, row.num_gpus),
      })),
  }));
}

/** The middle price; of an even number the mean of the two. */
export function plainMedian(records: readonly PlainRecord[]): number {
  const prices = records.map(({ usdPerGpuHour }) => usdPerGpuHour).sort((a, b) => a - b);
  const [low = 0, high = 0] = [prices[(prices.length - 1) >> 1], prices[prices.length >> 1]];
  return (low + high) / 2;
}
