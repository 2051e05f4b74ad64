import { defaultScope } from '../../src/core/crawl-scope.ts';
import type { Offer } from '../../src/core/offer.ts';
import type { Sql } from '../../src/database/connection.ts';
import { listedRecords } from '../support/offerbook-server.ts';

/** The price fields of an offer as the market lists it. */
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

/** Returns the offers of a model in the twelve seeded books, oldest first, from the market's own lists. */
export async function seededBooks(sql: Sql, gpu: string): Promise<PlainBook[]> {
  const moments = await sql<{ at: Date }[]>`
    select b.observed_at as at from book b join scope s on s.id = b.scope_id join market m on m.id = s.market_id
    where m.name = 'simulator' and s.name = 'default' and b.type = 'on-demand' order by 1 limit 12`;
  return moments.map(({ at }) => ({
    at: at.toISOString(),
    records: ofModel(listedRecords('on-demand', at), gpu),
  }));
}

/** Returns the offers in the newest book of the simulated market, of any of the scopes, from the records as delivered. */
export async function newestRecords(
  sql: Sql,
  gpu: string,
  scopes: readonly string[] = [defaultScope.name],
): Promise<PlainRecord[]> {
  const rows = await sql<{ record: string }[]>`
    select p.records[o.place] as record from latest_offer o
    join record_page p on p.book_id = o.book_id and p.page = o.page
    where o.book_id = (
      select b.id from book b join scope s on s.id = b.scope_id join market m on m.id = s.market_id
      where m.name = 'simulator' and s.name = any(${scopes}) and b.type = 'on-demand'
      order by b.observed_at desc limit 1)`;
  return ofModel(
    rows.map(({ record }) => JSON.parse(record) as Record<string, unknown>),
    gpu,
  );
}

const ofModel = (records: readonly Record<string, unknown>[], gpu: string): PlainRecord[] =>
  records
    .filter((row) => row.gpu_name === gpu)
    .map((row) => ({
      id: Number(row.id),
      usdPerGpuHour: priceOf(row.dph_base, row.storage_cost, row.num_gpus),
    }));

/** Returns the median price. */
export function plainMedian(records: readonly PlainRecord[]): number {
  const prices = records.map(({ usdPerGpuHour }) => usdPerGpuHour).sort((a, b) => a - b);
  const [low = 0, high = 0] = [prices[(prices.length - 1) >> 1], prices[prices.length >> 1]];
  return (low + high) / 2;
}
