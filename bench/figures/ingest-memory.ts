import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { Bench, Measurement } from '../figure.ts';
import type { IngestGrowth, IngestTask } from '../ingest-child.ts';

const fullSize = 25_000;
const fullPage = 5_000;
const mb = 1024 * 1024;
const script = fileURLToPath(new URL('../ingest-child.ts', import.meta.url));

/**
 * How much the memory of a process grows while it crawls a book, from before its first request until the book is stored,
 * compared with the largest body that it reads: in pages of 5,000 rows, and in one answer.
 */
export async function measureIngestMemory(bench: Bench): Promise<Measurement[]> {
  const offers = bench.sized(fullSize);
  // Fewer offers are free at some hours than at others: enough are made for the full size at any.
  const simulator = createSimulator({ offersPerType: Math.ceil(offers * 1.3), cap: 2 * offers, speed: 1e-6 });
  const { url } = await simulator.listen();
  try {
    const figures: Measurement[] = [];
    for (const [name, rowsPerPage] of [
      ['ingest-memory', bench.sized(fullPage)],
      ['ingest-memory-one-answer', 2 * offers],
    ] as const) {
      bench.note(`ingest memory: a book in pages of ${rowsPerPage} rows`);
      figures.push(
        await bench.withDatabase(async (sql, target) => {
          const { id: marketId } = await ensureMarket(sql, 'bench', 'live');
          const grown = await runChild({ target, marketId, url, apiKey: simulator.apiKey, rowsPerPage });
          const [row] = await sql<{ held: number }[]>`
            select count(*) as held from presence where last_at = 'infinity'`;
          const body = `largest body ${(grown.largestBody / mb).toFixed(1)} MB`;
          return {
            ...{ name, value: (grown.peak - grown.before) / mb, unit: 'MB', onlyAtFullSize: true },
            yardstick: grown.largestBody / mb,
            sizes: [{ what: 'offers held by the book', count: row?.held ?? 0, atLeast: offers }],
            details: [
              `${body}; ${(grown.before / mb).toFixed(0)} MB before, ${(grown.peak / mb).toFixed(0)} MB at most`,
            ],
          };
        }),
      );
    }
    return figures;
  } finally {
    await simulator.close();
  }
}

async function runChild(task: IngestTask): Promise<IngestGrowth> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(task)]);
  const grown = JSON.parse(stdout) as IngestGrowth;
  if (grown.outcome !== 'complete') throw new Error(`the crawl was ${grown.outcome}`);
  return grown;
}
