import type postgres from 'postgres';
import type { RankingFigure } from '../domain/metric.ts';
import type { Db } from './connection.ts';
import { type BookOffer, type BookOffersQuery, bookOffers } from './offers.ts';

/** An offer in its place; `value` is the figure ranked by. */
export interface RankedOffer extends BookOffer {
  rank: number;
  value: number;
  usdPerHour: number;
  usdPerGpuHour: number;
}

export interface UnrankedOffers {
  /** What the market did not say, like `no dlperf`. */
  reason: string;
  offers: number;
}

/** Whether any offer of the books has a dlperf above 0. */
export async function booksHaveDlperf(db: Db, bookIds: readonly number[]): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (select from latest_offer
      where book_id = any(${[...bookIds]}::int[]) and dlperf > 0) as found`;
  return row?.found ?? false;
}

/**
 * Offers from rank `skip` + 1 on, the cheapest first; ties by reliability, CPU cores and RAM, the better
 * first, then by listing, so that every offer has one rank.
 */
export async function rankOffers(
  db: Db,
  query: BookOffersQuery,
  by: RankingFigure,
  page: { skip: number; limit: number },
): Promise<RankedOffer[]> {
  const rows = await db<Omit<RankedOffer, 'rank'>[]>`
    select * from (select *, ${rankedValue(db, by)} as value from (${bookOffers(db, query)}) offers) valued
    where value is not null
    order by value, reliability desc nulls last, "cpuCores" desc nulls last, "cpuRamMb" desc nulls last,
      "listingId"
    limit ${page.limit} offset ${page.skip}`;
  return rows.map((row, index) => ({ ...row, rank: page.skip + index + 1 }));
}

/** Offers without the figure, by the first thing that the market did not say. */
export async function countUnranked(
  db: Db,
  query: BookOffersQuery,
  by: RankingFigure,
): Promise<UnrankedOffers[]> {
  return await db<UnrankedOffers[]>`
    select case when "storageUsdPerGbMonth" is null then 'no storage price' ${missing(db, by)} end as reason,
      count(*)::int as offers
    from (select *, ${rankedValue(db, by)} as value from (${bookOffers(db, query)}) offers) valued
    where value is null group by 1 order by 2 desc, 1`;
}

function rankedValue(db: Db, by: RankingFigure): postgres.Fragment {
  switch (by) {
    case 'usdPerDlperfHour':
      return db`"usdPerHour" / nullif(dlperf, 0)`;
    case 'usdPerGpuHour':
      return db`"usdPerGpuHour"`;
    case 'allInUsdPerHour':
      return db`"allInUsdPerHour"`;
    case 'usdPerGbVramHour':
      return db`"usdPerHour" / nullif("gpuRamMb" / 1000.0::float8 * "numGpus", 0)`;
    case 'usdPerTflopHour':
      return db`"usdPerHour" / nullif("totalTflops", 0)`;
  }
}

function missing(db: Db, by: RankingFigure): postgres.Fragment {
  switch (by) {
    case 'usdPerDlperfHour':
      return db`else 'no dlperf'`;
    case 'allInUsdPerHour':
      return db`when "inetDownUsdPerGb" is null then 'no download price' else 'no upload price'`;
    case 'usdPerGbVramHour':
      return db`else 'no VRAM'`;
    case 'usdPerTflopHour':
      return db`else 'no TFLOPS'`;
    case 'usdPerGpuHour':
      return db``;
  }
}
