import { parseArgs } from 'node:util';
import { openBenchServer } from './bench-server.ts';
import type { Measurement } from './figure.ts';
import { describeFigure, type JudgedFigure, judgeFigure } from './judge.ts';
import { figures } from './registry.ts';
import { writeResults } from './results-table.ts';

const usage = `Usage: npm run bench [-- --quick --json --results NAME…]
Measures figures beside their yardsticks and ends with 1 when one is beyond its limit. --quick: a tenth of the size.
--results: put them into bench/RESULTS.md, in a full run.
Names: ${Object.keys(figures).join(', ')}; default: all.`;

interface Wish {
  names: string[];
  quick: boolean;
  json: boolean;
  results: boolean;
}

async function runBench({ names, quick, json, results }: Wish): Promise<boolean> {
  const note = (line: string): void => void process.stderr.write(`${line}\n`);
  if (quick) note('A quick run: a tenth of each size.');
  const server = await openBenchServer();
  const all: { judged: JudgedFigure; measured: Measurement }[] = [];
  if (!json) process.stdout.write(`${server.machine}\n`);
  try {
    for (const name of names) {
      const startedAt = performance.now();
      const sized = (full: number): number => (quick ? Math.ceil(full / 10) : full);
      const measured = (await figures[name]?.({ withDatabase: server.withDatabase, sized, note })) ?? [];
      note(`${name} took ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
      for (const each of measured) {
        const judged = judgeFigure(each, quick);
        all.push({ judged, measured: each });
        if (!json) process.stdout.write(`${describeFigure(judged, each)}\n`);
      }
    }
  } finally {
    await server.close();
  }
  if (json) process.stdout.write(`${JSON.stringify(all.map(({ judged }) => judged))}\n`);
  if (results && !quick) await writeResults(server.machine, all, new Date().toISOString().slice(0, 10));
  return all.every(({ judged }) => judged.ok !== false);
}

function readArguments(): Wish | null {
  try {
    const options = {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      results: { type: 'boolean', default: false },
    } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.filter((name) => !(name in figures));
    return unknown.length > 0
      ? null
      : { ...values, names: positionals.length > 0 ? positionals : Object.keys(figures) };
  } catch {
    return null;
  }
}

const wish = readArguments();
if (process.argv.includes('--help')) {
  process.stdout.write(`${usage}\n`);
} else if (wish === null) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = (await runBench(wish)) ? 0 : 1;
}
