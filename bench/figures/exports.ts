import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureMarket, type Market } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { copyOut, inSnapshot } from '../../src/database/snapshot.sql.ts';
import { noteInstanceFacts } from '../../src/rentals/instances/instance-facts.sql.ts';
import { createApp } from '../../src/service/http/app.ts';
import { createToken } from '../../src/service/sign-in/credentials.sql.ts';
import type { Bench, Measurement, Size } from '../figure.ts';

const fullCharges = 1_000_000;
const fullRows = 200_000;
const rounds = 3;
const mb = 1024 * 1024;

/** Exports over the API while it answers others, beside the database's own COPY of the same columns. */
export async function measureExports(bench: Bench): Promise<Measurement[]> {
  const charges = bench.sized(fullCharges);
  const rows = bench.sized(fullRows);
  return await bench.withDatabase(async (sql) => {
    const market = await ensureMarket(sql, 'bench', 'simulated');
    bench.note(`exports: making ${charges} charges`);
    await makeCharges(sql, market.id, charges);
    const ask = await openApp(sql, market);
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from billing_version v join billing_entry e on e.id = v.entry_id where e.kind = 'charge'`;
    const sizes: Size[] = [{ what: 'charges', count: row?.count ?? 0, atLeast: charges }];
    const range = 'from=2020-01-01&to=2030-01-01';
    let yardstick = { ms: 0, bytes: 0 };
    let csv: Download = { ms: 0, bytes: 0, rssMb: 0, heldMs: 0, othersMs: [] };
    for (let round = 1; round <= rounds; round += 1) {
      bench.note(`exports: CSV, round ${round} of ${rounds}`);
      yardstick = await runYardstick(sql);
      csv = await download(ask, `/api/exports/spend.csv?${range}`, true);
    }
    bench.note('exports: XLSX');
    const starts = `from=2020-01-01&to=${await startOf(sql, rows)}`;
    const xlsx = await download(ask, `/api/exports/spend.xlsx?${starts}`, false);
    const details = [
      `${(csv.bytes / mb).toFixed(0)} MB; the yardstick ${(yardstick.bytes / mb).toFixed(0)} MB`,
    ];
    const alone = { yardstick: null, sizes, details: [] };
    const others = `${csv.othersMs.length} requests meanwhile`;
    return [
      { name: 'export-csv', value: csv.ms, unit: 'ms', yardstick: yardstick.ms, sizes, details },
      { ...alone, name: 'export-csv-memory', value: csv.rssMb, unit: 'MB', onlyAtFullSize: true },
      {
        ...alone,
        name: 'export-csv-others-p95',
        value: percentile(csv.othersMs, 0.95),
        unit: 'ms',
        details: [others],
      },
      {
        ...{ ...alone, name: 'export-xlsx-memory', value: xlsx.rssMb, unit: 'MB', onlyAtFullSize: true },
        details: [`${rows} rows, ${(xlsx.bytes / mb).toFixed(1)} MB in ${xlsx.ms.toFixed(0)} ms`],
      },
      { ...alone, name: 'export-xlsx-held', value: xlsx.heldMs, unit: 'ms' },
    ];
  });
}

/** Two items per instance and day, described like those of the simulator. */
async function makeCharges(sql: Sql, marketId: number, count: number): Promise<void> {
  await sql`
    insert into billing_entry (market_id, kind, identity, ordinal, start_at, first_seen_at, last_seen_at)
    select ${marketId}, 'charge', n::text, 1, timestamptz '2024-01-01' + (n / 1000) * interval '1 hour', '2026-01-01',
      '2026-01-01' from generate_series(1, ${count}::integer) n`;
  await sql`
    insert into billing_version (entry_id, seen_from, seen_to, content_hash, start_at, end_at, type, source, description,
      instance_id, label, item_type, item_description, amount_usd, charge_usd, raw)
    select id, '2026-01-01', 'infinity', 'x', start_at, start_at + interval '1 day', 'instance', 'instance-' || id % 500,
      'Instance ' || id % 500 || ': 2 x RTX 4090', id % 500, case when id % 3 = 0 then 'training' end,
      case when id % 2 = 0 then 'gpu' else 'disk' end, '24.000 hours at $0.389/hour', (id % 9000) / 1000.0, 12, '{}'
    from billing_entry`;
  await sql`
    insert into instance (market_id, instance_id, first_seen_at, last_seen_at, gpu_name, num_gpus, raw)
    select ${marketId}, n, '2024-01-01', '2026-01-01', 'RTX 4090', 2, '{}' from generate_series(0, 499) n`;
  const ids = Array.from({ length: 500 }, (_, id) => id);
  await noteInstanceFacts(sql, { marketId, seenAt: new Date('2024-01-01T00:00:00Z') }, ids);
  await sql`vacuum analyze billing_entry`;
  await sql`vacuum analyze billing_version`;
  await sql`analyze instance_fact`;
  await sql`analyze instance`;
}

async function startOf(sql: Sql, rows: number): Promise<string> {
  const [row] = await sql<{ at: Date }[]>`
    select start_at as at from billing_entry order by start_at offset ${rows - 1} limit 1`;
  return new Date((row?.at.getTime() ?? 0) + 1).toISOString();
}

type Ask = (path: string) => Promise<Response>;

async function openApp(sql: Sql, market: Market): Promise<Ask> {
  const silent = (): void => {};
  const app = createApp({
    ...{ sql, log: { debug: silent, info: silent, warn: silent, error: silent }, now: () => new Date() },
    ...{ publicUrl: 'http://offerbook.bench', version: 'bench', defaultMarket: async () => market },
    ...{
      mode: async () => 'simulated' as const,
      seeding: () => null,
      crawlNow: async () => ({ crawlIds: [] }),
    },
    ...{ maxDataAgeMinutes: 180, actionsEnabled: false, webRoot: null },
  });
  const { token } = await createToken(sql, { name: 'bench', role: 'viewer' });
  return async (path) => await app.request(path, { headers: { authorization: `Bearer ${token}` } });
}

/** The same columns in the same order, as PostgreSQL writes them, without care for spreadsheets. */
async function runYardstick(sql: Sql): Promise<{ ms: number; bytes: number }> {
  const statement = `copy (
    select 'consumption', e.id, v.start_at, v.end_at, v.type, v.source, v.item_type, v.description, v.item_description,
      v.amount_usd, 'charged', i.gpu_name, v.instance_id, v.label, v.invoice_id, 'bench', e.first_seen_at, e.disappeared_at
    from billing_entry e join billing_version v on v.entry_id = e.id
    left join instance i on i.market_id = e.market_id and i.instance_id = v.instance_id
    order by v.start_at, e.kind, e.id) to stdout (format csv)`;
  const startedAt = performance.now();
  let bytes = 0;
  const { signal } = new AbortController();
  for await (const piece of inSnapshot(sql, signal, (snapshot) => copyOut(snapshot, statement)))
    bytes += piece.length;
  return { ms: performance.now() - startedAt, bytes };
}

interface Download {
  ms: number;
  bytes: number;
  /** Maximum growth of the process's memory. */
  rssMb: number;
  /** Longest time during which nothing else could run. */
  heldMs: number;
  othersMs: number[];
}

async function download(ask: Ask, path: string, withOthers: boolean): Promise<Download> {
  globalThis.gc?.();
  await sleep(200);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const others = withOthers ? askOthers(ask) : null;
  const startedAt = performance.now();
  const answer = await ask(path);
  if (!answer.ok || answer.body === null) throw new Error(`${path} answered ${answer.status}`);
  let bytes = 0;
  for await (const piece of answer.body) bytes += piece.length;
  const ms = performance.now() - startedAt;
  delay.disable();
  clearInterval(watch);
  const othersMs = others === null ? [] : await others.stop();
  return { ms, bytes, rssMb: (peak - before) / mb, heldMs: delay.max / 1e6, othersMs };
}

function askOthers(ask: Ask): { stop: () => Promise<number[]> } {
  let stopped = false;
  const times: number[] = [];
  const loop = (async () => {
    for (let number = 0; !stopped; number += 1) {
      const startedAt = performance.now();
      const answer = await ask(`/api/balances?market=bench#${number}`);
      await answer.text();
      times.push(performance.now() - startedAt);
      await sleep(5);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await loop;
      return times;
    },
  };
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
