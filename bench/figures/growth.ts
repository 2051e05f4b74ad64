import type { Sql } from '../../src/database/connection.ts';
import type { Bench, Measurement } from '../figure.ts';
import {
  booksPerDay,
  type MadeHistory,
  makeHistory,
  marketOf,
  retentionOf,
} from '../history/make-history.ts';
import { landNextBook } from '../history/next-book.ts';
import { filteredTrend, shifted, trendOf } from '../history/trend-paths.ts';
import { openApi, quantile } from '../open-api.ts';

const sizes = [2_000, 20_000, 100_000] as const;
const fullDays = 30;
const fullRequests = 60;
const bookMs = 600_000;
const laterBooks = 5;

/** A market of one size, and its cost by figure. */
interface SizedMarket {
  sql: Sql;
  history: MadeHistory;
  costs: Record<string, number>;
}

const units: Record<string, string> = {
  'growth-statistics': 'ms',
  'growth-landing': 'ms',
  'growth-trend': 'ms',
  'growth-trend-filtered': 'ms',
  'growth-rankings': 'ms',
  'growth-history-bytes': 'B',
};

/**
 * The same month of three markets, each several times as large as the one before: the cost of statistics, the next book,
 * trends, rankings and disk. The reference value of each figure is the cost of the smaller market times the ratio of
 * listings; the worse of the two steps is judged.
 */
export async function measureGrowth(bench: Bench): Promise<Measurement[]> {
  return await withMarkets(bench, sizes.map(bench.sized), async (measured) => {
    bench.note('growth: the next books');
    await landInTurn(measured);
    return judged(bench, measured);
  });
}

function judged(bench: Bench, measured: readonly SizedMarket[]): Measurement[] {
  return Object.entries(units).map(([name, unit]) => {
    const steps = measured.slice(1).map((larger, index) => {
      const smaller = measured[index] as SizedMarket;
      const factor = larger.history.counts.listings / smaller.history.counts.listings;
      const linear = (smaller.costs[name] ?? 0) * factor;
      return { value: larger.costs[name] ?? 0, yardstick: linear };
    });
    const worst = steps.toSorted((a, b) => b.value / b.yardstick - a.value / a.yardstick)[0];
    const shown = measured.map(
      ({ history, costs }) => `${history.counts.listings}: ${(costs[name] ?? 0).toFixed(1)} ${unit}`,
    );
    return {
      ...{ name, unit, value: worst?.value ?? Number.NaN, yardstick: worst?.yardstick ?? Number.NaN },
      onlyAtFullSize: true,
      sizes: measured.flatMap(({ history: { counts } }, index) => [
        { what: 'listings', count: counts.listings, atLeast: bench.sized(sizes[index] ?? 0) },
        { what: 'books', count: counts.books, atLeast: bench.sized(fullDays) * booksPerDay },
      ]),
      details: [`by listings: ${shown.join('; ')}`],
    };
  });
}

/** Makes a market of each size and then measures everything except landings. */
async function withMarkets<T>(
  bench: Bench,
  listings: readonly number[],
  work: (measured: SizedMarket[]) => Promise<T>,
  measured: SizedMarket[] = [],
): Promise<T> {
  const [next, ...others] = listings;
  if (next === undefined) return await work(measured);
  return await bench.withDatabase(async (sql) =>
    withMarkets(bench, others, work, [...measured, await measureSize(bench, sql, next)]),
  );
}

async function measureSize(bench: Bench, sql: Sql, listings: number): Promise<SizedMarket> {
  const [days, requests] = [bench.sized(fullDays), bench.sized(fullRequests)];
  bench.note(`growth: ${days} days of ${listings} listings`);
  const history = await makeHistory(sql, { listings, days, retention: retentionOf(bench) }, () => {});
  const [bytes] = await sql<{ sum: number }[]>`
    select pg_total_relation_size('presence')::float8 + pg_total_relation_size('price_interval')
      + pg_total_relation_size('listing_attribute') as sum`;
  const api = await openApi(sql, marketOf(history), history.to);
  const trend = await api.timeAll(
    (at) => `${trendOf(history, at)}&from=${shifted(history, 0, at)}`,
    requests,
  );
  const filtered = await api.timeAll((at) => filteredTrend(history, 0, at), requests);
  await api.warmUp();
  const rankings = await api.timeAll(
    (at) => `/api/rankings?by=allInUsdPerHour&storageGb=${20 + at}&downGb=${at}`,
    requests,
  );
  return {
    ...{ sql, history },
    costs: {
      'growth-statistics': history.rebuildMs,
      'growth-trend': quantile(trend, 0.5),
      'growth-trend-filtered': quantile(filtered, 0.5),
      'growth-rankings': quantile(rankings, 0.5),
      'growth-history-bytes': bytes?.sum ?? 0,
    },
  };
}

/**
 * Lands the next books of the markets in turn, so that a slow machine affects all alike; the fastest of each counts,
 * because other load only adds time. The first book of a day also stores the day's attributes, so later ones are more
 * typical. A checkpoint comes before each book, as it does in a service, where books are minutes apart: without it only
 * the large markets would pay for the pages that a checkpoint makes the log hold in full.
 */
async function landInTurn(measured: readonly SizedMarket[]): Promise<void> {
  for (let book = 0; book <= laterBooks; book += 1) {
    for (const { sql, history, costs } of measured) {
      await sql`checkpoint`;
      const ms = await landNextBook(sql, history, new Date(history.to.getTime() + book * bookMs));
      if (book > 0) costs['growth-landing'] = Math.min(ms, costs['growth-landing'] ?? ms);
    }
  }
}
