import { readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Sql } from '../src/database/connection.ts';
import type { Measurement } from './figure.ts';
import { type JudgedFigure, shortNumber } from './judge.ts';

const file = fileURLToPath(new URL('./RESULTS.md', import.meta.url));
const columns = ['figure', 'value', 'yardstick', 'ratio', 'limit', 'verdict', 'sizes', 'when'];

/** The machine of the measurement, in one line. */
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

/** Writes the figures of a full run into `bench/RESULTS.md`. */
export async function writeResults(machine: string, figures: NewResults[1], day: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '');
  const [load = 0] = loadavg();
  await writeFile(file, mergeResults(before, machine, figures, `${day}, load ${load.toFixed(1)}`));
}

type NewResults = [
  machine: string,
  figures: readonly { judged: JudgedFigure; measured: Pick<Measurement, 'sizes'> }[],
  /** The day, and how busy the machine was. */
  when: string,
];

/** Returns the page with these figures; existing ones stay if they are from the same machine. */
export function mergeResults(before: string, ...[machine, figures, when]: NewResults): string {
  const rows = new Map<string, string>();
  if (before.includes(machine)) {
    for (const line of before.split('\n')) {
      const name = /^\| ([\w-]+) \|/.exec(line)?.[1];
      if (name !== undefined && name !== columns[0]) rows.set(name, line);
    }
  }
  for (const { judged, measured } of figures) rows.set(judged.name, rowOf(judged, measured.sizes, when));
  return [
    '# Measured figures',
    '',
    'Written by `npm run bench -- --results`. Limits are those of `bench/limits.json`: on the ratio where there is a',
    'yardstick, which is measured in the same run, else on the value. `load` is the number of tasks that wanted a core in',
    'the last minute of the run: above the cores there are, times are longer than the program needs.',
    '',
    `${machine}.`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => '---').join('|')}|`,
    ...[...rows.values()].sort(),
    '',
  ].join('\n');
}

function rowOf(judged: JudgedFigure, sizes: Measurement['sizes'], when: string): string {
  const { name, value, unit, yardstick, ratio, limit, ok } = judged;
  const cells = [
    name,
    `${shortNumber(value)} ${unit}`,
    yardstick === null ? '' : `${shortNumber(yardstick)} ${unit}`,
    ratio === null ? '' : shortNumber(ratio),
    limit === null ? '' : shortNumber(limit),
    ok === null ? 'information' : ok ? 'within' : 'beyond',
    [...new Set(sizes.map(({ what, count }) => `${count.toLocaleString('en')} ${what}`))].join(', '),
    when,
  ];
  return `| ${cells.join(' | ')} |`;
}
