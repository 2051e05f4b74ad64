import type { Sql } from '../../src/database/connection.ts';
import type { Bench, Measurement, Size } from '../figure.ts';
import {
  booksPerDay,
  type MadeHistory,
  makeHistory,
  marketOf,
  retentionOf,
} from '../history/make-history.ts';
import { dailyMediansFromRuns, explainDailyMedians } from '../history/medians-from-intervals.ts';
import { measureRecordedRates } from '../history/recorded-rates.ts';
import { filteredTrend, shifted, trendOf } from '../history/trend-paths.ts';
import { holdOf } from '../longest-hold.ts';
import { type BenchApi, openApi, quantile } from '../open-api.ts';

const dayMs = 86_400_000;
const listings = 20_000;
const fullDays = 365;
const fullRequests = 300;
/** Rounds of trends from stored statistics: enough that the first ones, before the code is compiled, hardly count. */
const fullStoredRequests = 1_000;

/**
 * A year of a whole market: its size on disk, and how long its trends take: over models, from stored statistics, and with
 * filters for which no statistics are stored.
 */
export async function measureHistory(bench: Bench): Promise<Measurement[]> {
  const days = bench.sized(fullDays);
  return await bench.withDatabase(async (sql) => {
    const startedAt = performance.now();
    const history = await makeHistory(sql, { listings, days, retention: retentionOf(bench) }, bench.note);
    const madeIn = `made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
    const sizes = sizesOf(history, bench);
    const api = await openApi(sql, marketOf(history), history.to);
    await compareSample(sql, api, history);
    const storage = await measureBytes(sql, history, sizes, madeIn);
    const trends = await measureTrends(bench, sql, history, api, sizes);
    const market = await measureMarketWait(api, sizes);
    return [...storage, ...trends, market, await measureRecordedRates(bench, sql, history)];
  });
}

function sizesOf({ counts }: MadeHistory, bench: Bench): Size[] {
  const books = bench.sized(fullDays) * booksPerDay;
  const observations = listings * books;
  return [
    { what: 'listings', count: counts.listings, atLeast: listings },
    { what: 'books', count: counts.books, atLeast: books },
    { what: 'observations', count: counts.observations, atLeast: observations },
    { what: 'price runs', count: counts.runs, atLeast: bench.sized(730_000) },
    { what: 'spans of presence', count: counts.spans, atLeast: bench.sized(1_800_000) },
  ];
}

async function measureBytes(
  sql: Sql,
  { counts }: MadeHistory,
  sizes: Size[],
  madeIn: string,
): Promise<Measurement[]> {
  const tables = await sql<{ name: string; bytes: number }[]>`
    select coalesce(p.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 2 desc`;
  const [whole] = await sql<
    { bytes: number }[]
  >`select pg_database_size(current_database())::float8 as bytes`;
  const of = (names: string[]): number =>
    tables.filter(({ name }) => names.includes(name)).reduce((sum, { bytes }) => sum + bytes, 0);
  const details = tables
    .slice(0, 12)
    .map(({ name, bytes }) => `${name}: ${(bytes / 1e6).toFixed(1)} MB`)
    .concat(madeIn);
  const common = { unit: 'B/observation', yardstick: null, sizes, onlyAtFullSize: true };
  const history = of(['presence', 'price_interval', 'listing_attribute']);
  return [
    { ...common, name: 'history-bytes', value: history / counts.observations, details },
    { ...common, name: 'database-bytes', value: (whole?.bytes ?? 0) / counts.observations, details: [] },
  ];
}

interface TrendAnswer {
  series: { points: { median: number | null; t: string }[] }[];
}

async function measureTrends(
  bench: Bench,
  sql: Sql,
  history: MadeHistory,
  { ask, timeAll, timeInTurn }: BenchApi,
  sizes: Size[],
): Promise<Measurement[]> {
  const days = bench.sized(fullDays);
  const [stored, computed] = [bench.sized(fullStoredRequests), bench.sized(fullRequests)];
  bench.note(`history: ${stored} trends of a year and of a month, ${computed} with filters`);
  const since = (day: number) => (at: number) => `${trendOf(history, at)}&from=${shifted(history, day, at)}`;
  const [year = [], month = []] = await timeInTurn([since(0), since(Math.max(0, days - 31))], stored);
  const filtered = await timeAll((at) => filteredTrend(history, Math.max(0, days - 90), at), computed);
  // A model of medium size: the plain query for the largest would take longer than all others together.
  const gpuName = history.gpuNames[20] ?? '';
  const plainFrom = performance.now();
  const plain = await dailyMediansFromRuns(sql, history, gpuName);
  const plainMs = performance.now() - plainFrom;
  const same = timeOf(await timeAll((at) => `${trendOf(history, 20)}&from=${shifted(history, 0, at)}`, 60));
  const answer = await ask<TrendAnswer>(`${trendOf(history, 20)}&from=${shifted(history, 0, 0)}`);
  compareMedians(answer, plain);
  const common = { unit: 'ms', sizes };
  const [p95Year, p95Month] = [timeOf(year), timeOf(month)];
  return [
    {
      ...{ ...common, name: 'trend-year-p95', value: p95Year, yardstick: null },
      details: [`median ${quantile(year, 0.5).toFixed(1)} ms over ${year.length} requests`],
    },
    {
      ...{
        ...common,
        name: 'trend-year-against-runs',
        value: same,
        yardstick: plainMs,
        onlyAtFullSize: true,
      },
      details: [
        `model ${gpuName}; plan of the yardstick:`,
        ...(await explainDailyMedians(sql, history, gpuName)),
      ],
    },
    {
      ...common,
      name: 'trend-year-against-month',
      value: p95Year,
      yardstick: p95Month,
      details: [],
      onlyAtFullSize: true,
    },
    {
      ...{ ...common, name: 'trend-filtered-p95', value: timeOf(filtered), yardstick: null },
      details: [`median ${quantile(filtered, 0.5).toFixed(1)} ms; 90 daily points`],
    },
  ];
}

/** Whether waiting has paid off, over the whole market: how long it takes, and how long other requests wait meanwhile. */
async function measureMarketWait({ ask }: BenchApi, sizes: Size[]): Promise<Measurement> {
  const { ms, heldMs } = await holdOf(async () => void (await ask('/api/wait-or-rent?hours=24')));
  return {
    ...{ name: 'wait-market-held', value: heldMs, unit: 'ms', yardstick: null, sizes },
    details: [`the whole market is answered in ${(ms / 1000).toFixed(1)} s`],
  };
}

const timeOf = (times: readonly number[]): number => quantile(times, 0.95);

/** Checks one model's newest week against the plain query. Throws if they differ. */
async function compareSample(sql: Sql, { ask }: BenchApi, history: MadeHistory): Promise<void> {
  const gpuName = history.gpuNames[40] ?? '';
  const from = new Date(history.to.getTime() - 7 * dayMs);
  const plain = await dailyMediansFromRuns(sql, { ...history, from }, gpuName);
  compareMedians(
    await ask(`/api/trends?bucket=1d&gpuName=${encodeURIComponent(gpuName)}&from=${from.toISOString()}`),
    plain,
  );
}

function compareMedians({ series: [one] }: TrendAnswer, plain: readonly { t: Date; median: number }[]): void {
  const points = one?.points ?? [];
  const wrong = plain.filter(({ t, median }) => {
    const point = points.find((each) => each.t === t.toISOString());
    return point?.median === undefined || Math.abs((point.median ?? 0) - median) > 1e-6;
  });
  if (points.length !== plain.length || plain.length === 0 || wrong.length > 0) {
    throw new Error(
      `${wrong.length} of ${plain.length} medians (${points.length} points) are not those of the runs`,
    );
  }
}
