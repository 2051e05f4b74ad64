import { parseArgs } from 'node:util';
import { openBenchServer } from './bench-server.ts';
import { describeFigure, type JudgedFigure, judgeFigure } from './judge.ts';
import { figures } from './registry.ts';

const usage = `Usage: npm run bench [-- --quick --json NAME…]
Measures figures beside their yardsticks and ends with 1 when one is beyond its limit. --quick: a tenth of the size.
Names: ${Object.keys(figures).join(', ')}; default: all.`;

async function runBench(names: string[], quick: boolean, json: boolean): Promise<boolean> {
  const note = (line: string): void => void process.stderr.write(`${line}\n`);
  if (quick) note('A quick run: a tenth of each size.');
  const server = await openBenchServer();
  const judged: JudgedFigure[] = [];
  try {
    for (const name of names) {
      const sized = (full: number): number => (quick ? Math.ceil(full / 10) : full);
      const measured = (await figures[name]?.({ withDatabase: server.withDatabase, sized, note })) ?? [];
      for (const each of measured) {
        const figure = judgeFigure(each, quick);
        judged.push(figure);
        if (!json) process.stdout.write(`${describeFigure(figure, each)}\n`);
      }
    }
  } finally {
    await server.close();
  }
  if (json) process.stdout.write(`${JSON.stringify(judged)}\n`);
  return judged.every(({ ok }) => ok !== false);
}

function readArguments() {
  try {
    const options = {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
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
if (wish === null) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = (await runBench(wish.names, wish.quick, wish.json)) ? 0 : 1;
}
