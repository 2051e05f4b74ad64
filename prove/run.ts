// npm run prove -- TOPIC [--part P]… [--seed S] [--runs N] [--days N]: runs a topic's long proof, prints the counts, exits with 1 on any failure.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Log } from '../src/core/log.ts';
import { topicRegistry } from './topics/registry.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const write = (fields: object, message: string): void =>
  void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
const log: Log = { debug: () => {}, info: write, warn: write, error: write };

async function prove(args: string[]): Promise<number> {
  const options = {
    seed: { type: 'string' },
    part: { type: 'string', multiple: true },
    runs: { type: 'string' },
    days: { type: 'string' },
    help: { type: 'boolean', default: false },
  } as const;
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) {
    print(usage());
    return 0;
  }
  const topic = topicRegistry[positionals[0] ?? ''];
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  const { part: parts } = values;
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  const days = values.days === undefined ? undefined : Number(values.days);
  const areKnown = (parts ?? []).every((part) => topic?.parts?.includes(part));
  const areNumbers =
    Number.isInteger(seed) &&
    (runs === undefined || (Number.isInteger(runs) && runs > 0)) &&
    (days === undefined || days > 0);
  if (topic === undefined || positionals.length !== 1 || !areKnown || !areNumbers) {
    print(usage());
    return 2;
  }
  print(`${topic.promise}\nseed ${seed}`);
  const startedAt = performance.now();
  const url = process.env.TEST_DATABASE_URL;
  const { ok, counts, failures } = await topic.prove({
    seed,
    log,
    bookFiles: recordedBooks(),
    server: url === undefined ? null : { url },
    parts,
    runs,
    days,
  });
  const width = Math.max(...Object.keys(counts).map((name) => name.length));
  for (const [name, count] of Object.entries(counts)) print(`${name.padEnd(width)}  ${count}`);
  for (const failure of failures) print(`FAILED: ${failure}`);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  print(`${ok ? 'proved' : 'NOT proved'} in ${minutes} minutes`);
  return ok ? 0 : 1;
}

function usage(): string {
  const topics = Object.entries(topicRegistry).map(([name, { parts }]) =>
    parts === undefined ? name : `${name} (parts: ${parts.join(', ')})`,
  );
  return `usage: npm run prove -- TOPIC [--part PART]… [--seed WHOLE-NUMBER] [--runs NUMBER] [--days NUMBER]\ntopics: ${topics.join(', ')}`;
}

/** The recorded market books; none where the recordings are not beside the checkout. */
function recordedBooks(): string[] {
  const folder = join(
    process.env.OFFERBOOK_DATA ?? join(import.meta.dirname, '../../shared/data'),
    'market-books',
  );
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'));
  return names.sort().map((name) => join(folder, name));
}

try {
  process.exitCode = await prove(process.argv.slice(2));
} catch (error) {
  if (!String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw error;
  print(`${(error as Error).message}\n${usage()}`);
  process.exitCode = 2;
}
