import type { Bench, Measurement } from '../figure.ts';
import { booksPerDay, makeHistory, marketOf, retentionOf } from '../history/make-history.ts';
import { landNextBook } from '../history/next-book.ts';
import { filteredTrend, shifted, trendOf } from '../history/trend-paths.ts';
import { openApi, quantile } from '../open-api.ts';

const sizes = [2_000, 20_000, 100_000] as const;
const fullDays = 30;
const fullRequests = 60;
const bookMs = 600_000;
const laterBooks = 3;

/** What one size costs, by the name of the figure. */
interface Costs {
  listings: number;
  books: number;
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
 * The same month of three markets, each several times as large as the one before: what statistics, the next book,
 * trends, rankings and the disk take. The yardstick of each figure is the cost of the smaller market times how many
 * more listings the larger has; of the two steps the worse one is judged.
 */
export async function measureGrowth(bench: Bench): Promise<Measurement[]> {
  const measured: Costs[] = [];
  for (const listings of sizes) measured.push(await measureSize(bench, bench.sized(listings)));
  return Object.entries(units).map(([name, unit]) => {
    const steps = measured.slice(1).map((larger, index) => {
      const smaller = measured[index] as Costs;
      const linear = ((smaller.costs[name] ?? 0) * larger.listings) / smaller.listings;
      return { value: larger.costs[name] ?? 0, yardstick: linear };
    });
    const worst = steps.toSorted((a, b) => b.value / b.yardstick - a.value / a.yardstick)[0];
    const shown = measured.map(
      ({ listings, costs }) => `${listings}: ${(costs[name] ?? 0).toFixed(1)} ${unit}`,
    );
    return {
      ...{ name, unit, value: worst?.value ?? Number.NaN, yardstick: worst?.yardstick ?? Number.NaN },
      onlyAtFullSize: true,
      sizes: measured.flatMap(({ listings, books }, index) => [
        { what: 'listings', count: listings, atLeast: bench.sized(sizes[index] ?? 0) },
        { what: 'books', count: books, atLeast: bench.sized(fullDays) * booksPerDay },
      ]),
      details: [`by listings: ${shown.join('; ')}`],
    };
  });
}

async function measureSize(bench: Bench, listings: number): Promise<Costs> {
  const [days, requests] = [bench.sized(fullDays), bench.sized(fullRequests)];
  bench.note(`growth: ${days} days of ${listings} listings`);
  return await bench.withDatabase(async (sql) => {
    const history = await makeHistory(sql, { listings, days, retention: retentionOf(bench) }, () => {});
    const [bytes] = await sql<{ sum: number }[]>`
      select pg_total_relation_size('presence')::float8 + pg_total_relation_size('price_run')
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
    // The first book of a day also states the day's attributes: those after it are of many. The fastest of them counts,
    // because what else the machine does only adds to so long a time.
    const landings: number[] = [];
    for (let book = 0; book <= laterBooks; book += 1) {
      landings.push(await landNextBook(sql, history, new Date(history.to.getTime() + book * bookMs)));
    }
    return {
      ...{ listings: history.counts.listings, books: history.counts.books },
      costs: {
        'growth-statistics': history.rebuildMs,
        'growth-landing': Math.min(...landings.slice(1)),
        'growth-trend': quantile(trend, 0.5),
        'growth-trend-filtered': quantile(filtered, 0.5),
        'growth-rankings': quantile(rankings, 0.5),
        'growth-history-bytes': bytes?.sum ?? 0,
      },
    };
  });
}
