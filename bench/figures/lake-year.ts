import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Sql } from '../../src/database/connection.ts';
import { copyOut, inSnapshot } from '../../src/database/snapshot.sql.ts';
import { addDays, dayOf } from '../../src/exports/lake/lake-table.ts';
import { openLocalStore } from '../../src/exports/lake/local-store.ts';
import type { LakeSummary } from '../../src/exports/lake/write-lake.ts';
import { allowMemory } from '../../src/service/lake/lake-sources.sql.ts';
import { lakeTables } from '../../src/service/lake/lake-tables.ts';
import { runLake } from '../../src/service/lake/run-lake.ts';
import type { Bench, Measurement, Size } from '../figure.ts';
import {
  booksPerDay,
  type MadeHistory,
  makeHistory,
  marketOf,
  retentionOf,
} from '../history/make-history.ts';
import { shifted, trendOf } from '../history/trend-paths.ts';
import { openApi } from '../open-api.ts';

const listings = 20_000;
const fullDays = 365;
const mb = 1024 * 1024;
/** Days that the lake reads at a time. */
const daysAtOnce = 14;

/**
 * A year of a market as Parquet, beside COPY of the same rows and the database's own size; then the next day's run; and
 * DuckDB's daily medians of a model from its files, which must be the API's.
 */
export async function measureLakeYear(bench: Bench): Promise<Measurement[]> {
  const days = bench.sized(fullDays);
  const root = await mkdtemp(join(tmpdir(), 'offerbook-bench-lake-'));
  try {
    return await bench.withDatabase(async (sql) => {
      const history = await makeHistory(sql, { listings, days, retention: retentionOf(bench) }, bench.note);
      return await measureLake(bench, sql, history, root);
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function measureLake(
  bench: Bench,
  sql: Sql,
  history: MadeHistory,
  root: string,
): Promise<Measurement[]> {
  const end = dayOf(history.to);
  const lastDay = addDays(end, -1);
  bench.note('lake: the year without its last day');
  const first = await timed(() => writeUntil(sql, history, root, lastDay));
  bench.note('lake: the last day');
  const next = await timed(() => writeUntil(sql, history, root, end));
  bench.note('lake: COPY of the same rows');
  const copied = await timed(() => copyRows(sql, history, end));
  bench.note('lake: daily medians by DuckDB');
  const medians = await timed(() => compareMedians(sql, history, root));
  const [size] = await sql<{ bytes: number }[]>`
    select pg_database_size(current_database())::float8 as bytes`;
  const { total } = next.made;
  const books = bench.sized(fullDays) * booksPerDay;
  const sizes: Size[] = [
    { what: 'listings', count: history.counts.listings, atLeast: listings },
    { what: 'books', count: history.counts.books, atLeast: books },
    { what: 'rows of the lake', count: total.rows, atLeast: bench.sized(14_000_000) },
  ];
  const whole = first.seconds + next.seconds;
  return [
    {
      ...{ name: 'lake-year', value: whole, unit: 's', yardstick: copied.seconds, sizes },
      details: [`${total.files} files; COPY as CSV: ${(copied.made / 1e6).toFixed(0)} MB`],
    },
    {
      ...{
        name: 'lake-year-size',
        value: total.bytes / 1e6,
        unit: 'MB',
        yardstick: (size?.bytes ?? 0) / 1e6,
      },
      ...{ sizes, onlyAtFullSize: true },
      details: [
        `${(total.bytes / (listings * bench.sized(fullDays))).toFixed(1)} bytes a listing and day; the yardstick is the database`,
        ...(await bytesByTable(root)),
      ],
    },
    {
      ...{ name: 'lake-next-day', value: next.seconds, unit: 's', yardstick: first.seconds, sizes },
      ...{ onlyAtFullSize: true, details: [`${next.made.written.files} files written`] },
    },
    {
      ...{
        name: 'lake-memory',
        value: first.rssMb,
        unit: 'MB',
        yardstick: null,
        sizes,
        onlyAtFullSize: true,
      },
      details: [],
    },
    {
      ...{ name: 'lake-median', value: medians.seconds, unit: 's', yardstick: null, sizes },
      details: [`${medians.made} days of one model from its prices, each equal to the API's`],
    },
  ];
}

/** Runs work; returns its time and the growth of memory beside what it made. */
async function timed<T>(work: () => Promise<T>): Promise<{ made: T; seconds: number; rssMb: number }> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const startedAt = performance.now();
  try {
    const made = await work();
    return { made, seconds: (performance.now() - startedAt) / 1_000, rssMb: (peak - before) / mb };
  } finally {
    clearInterval(watch);
  }
}

const { signal } = new AbortController();

async function writeUntil(
  sql: Sql,
  { to: now }: MadeHistory,
  root: string,
  to: string,
): Promise<LakeSummary> {
  return await runLake(sql, await openLocalStore(root), {
    ...{ markets: null, tables: lakeTables, from: null, to, withOpen: false, prune: false, adopt: false },
    ...{ version: 'bench', now, onProgress: () => {}, signal },
  });
}

/** Reads the rows of all tables by COPY as CSV, some weeks at a time; returns their bytes. */
async function copyRows(sql: Sql, { marketId, from, to: asOf }: MadeHistory, end: string): Promise<number> {
  let bytes = 0;
  for (const table of lakeTables) {
    for (let day = dayOf(from); day < end; day = addDays(day, daysAtOnce)) {
      const next = addDays(day, daysAtOnce) < end ? addDays(day, daysAtOnce) : end;
      const statement = `copy (${table.rowsSql({ marketId, asOf }, day, next)}) to stdout (format csv)`;
      for await (const piece of withMemory(sql, statement)) {
        bytes += piece.length;
      }
    }
  }
  return bytes;
}

/** COPY with the memory that the lake gives its queries. */
const withMemory = (sql: Sql, statement: string): AsyncGenerator<Buffer> =>
  inSnapshot(sql, signal, async function* (snapshot) {
    await allowMemory(snapshot);
    yield* copyOut(snapshot, statement);
  });

async function ask(statement: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(statement)).getRowObjectsJson() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function bytesByTable(root: string): Promise<string[]> {
  const rows = await ask(`select "table" as name, sum(bytes)::double as bytes, sum(rows)::double as rows
    from (select unnest(files, recursive := true) from read_json('${root}/manifest.json', maximum_object_size = 1000000000))
    group by all order by bytes desc`);
  return rows.map(
    ({ name, bytes, rows }) => `${name}: ${(Number(bytes) / 1e6).toFixed(1)} MB, ${Number(rows)} rows`,
  );
}

/** Throws if DuckDB's daily medians of a model of medium size are not those of the API; returns their number. */
async function compareMedians(sql: Sql, history: MadeHistory, root: string): Promise<number> {
  const model = 20;
  const api = await openApi(sql, marketOf(history), history.to);
  const { series } = await api.ask<{ series: { points: { t: string; median: number | null }[] }[] }>(
    `${trendOf(history, model)}&from=${shifted(history, 0, 0)}&to=${history.to.toISOString()}`,
  );
  const rows = await ask(`
    select day, quantile_cont(usd_per_gpu_hour, 0.5) as median from (
      select day, usd_per_gpu_hour, unnest(range(books))
      from read_parquet('${root}/price_intervals/*/*/*.parquet', hive_partitioning = true)
      where scope = 'default' and type = 'on-demand' and gpu_name = '${history.gpuNames[model]}')
    group by day order by day`);
  const lake = rows.map(({ day, median }) => `${day} ${Number(Number(median).toPrecision(9))}`);
  const answered = (series[0]?.points ?? []).map(({ t, median }) => `${t.slice(0, 10)} ${median}`);
  const differs = lake.filter((line, at) => line !== answered[at]);
  if (lake.length !== answered.length || lake.length === 0 || differs.length > 0) {
    throw new Error(
      `${differs.length} of ${lake.length} medians (${answered.length} points) are not the API's`,
    );
  }
  return lake.length;
}
