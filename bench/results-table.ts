import { readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Sql } from '../src/db/connection.ts';
import type { Measurement } from './figure.ts';
import { type JudgedFigure, shortNumber } from './judge.ts';

const file = fileURLToPath(new URL('./RESULTS.md', import.meta.url));
const columns = ['figure', 'value', 'yardstick', 'ratio', 'limit', 'verdict', 'sizes', 'day'];

/** What the figures were measured on, in a line. */
export async function describeMachine(sql: Sql): Promise<string> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const [cpu] = cpus();
  const gb = (totalmem() / 1e9).toFixed(0);
  const processor = cpu?.model.trim() || 'an unnamed processor';
  return [
    `${cpus().length} cores of ${processor}, ${gb} GB of memory, ${platform()} ${release()} ${arch()}`,
    `Node ${process.version}, PostgreSQL ${row?.version ?? 'unknown'} embedded with its settings of the program`,
  ].join('; ');
}

/** Puts figures of a full run into `bench/RESULTS.md`. */
export async function writeResults(...[machine, figures, day]: NewResults): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '');
  await writeFile(file, mergeResults(before, machine, figures, day));
}

type NewResults = [
  machine: string,
  figures: readonly { judged: JudgedFigure; measured: Pick<Measurement, 'sizes'> }[],
  /** YYYY-MM-DD */
  day: string,
];

/** The page with these figures in their places; those that are there already stay as long as they are of the same machine. */
export function mergeResults(before: string, ...[machine, figures, day]: NewResults): string {
  const rows = new Map<string, string>();
  if (before.includes(machine)) {
    for (const line of before.split('\n')) {
      const name = /^\| ([\w-]+) \|/.exec(line)?.[1];
      if (name !== undefined && name !== columns[0]) rows.set(name, line);
    }
  }
  for (const { judged, measured } of figures) rows.set(judged.name, rowOf(judged, measured.sizes, day));
  return [
    '# Measured figures',
    '',
    'Written by `npm run bench -- --results`; limits are those of `bench/limits.json`, on the ratio where there is a',
    'yardstick, else on the value. Each figure was measured beside its yardstick, alone on the machine:',
    '',
    `${machine}.`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => '---').join('|')}|`,
    ...[...rows.values()].sort(),
    '',
  ].join('\n');
}

function rowOf(judged: JudgedFigure, sizes: Measurement['sizes'], day: string): string {
  const { name, value, unit, yardstick, ratio, limit, ok } = judged;
  const cells = [
    name,
    `${shortNumber(value)} ${unit}`,
    yardstick === null ? '' : `${shortNumber(yardstick)} ${unit}`,
    ratio === null ? '' : shortNumber(ratio),
    limit === null ? '' : shortNumber(limit),
    ok === null ? 'information' : ok ? 'within' : 'beyond',
    [...new Set(sizes.map(({ what, count }) => `${count.toLocaleString('en')} ${what}`))].join(', '),
    day,
  ];
  return `| ${cells.join(' | ')} |`;
}
