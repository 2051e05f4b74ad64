import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import drizzle from '../drizzle.config.ts';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache');

/** Returns the SQL that is missing from the migrations for the schema of the code, or null if none is. */
async function findDrift(): Promise<string | null> {
  await mkdir(cache, { recursive: true });
  const copy = await mkdtemp(join(cache, 'migrations-'));
  try {
    await cp(join(root, drizzle.out ?? 'migrations'), copy, { recursive: true });
    const known = await readdir(copy);
    const output = await generate(copy);
    const made = (await readdir(copy)).filter((name) => name.endsWith('.sql') && !known.includes(name));
    if (made.length > 0) return await readFile(join(copy, made[0] ?? ''), 'utf8');
    if (!output.includes('No schema changes'))
      throw new Error(`drizzle-kit said neither yes nor no:\n${output}`);
    return null;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function generate(out: string): Promise<string> {
  const flags = [
    `--dialect=${drizzle.dialect}`,
    `--schema=${String(drizzle.schema)}`,
    `--out=./${relative(root, out)}`,
  ];
  const program = join(root, 'node_modules/drizzle-kit/bin.cjs');
  const run = promisify(execFile)(process.execPath, [program, 'generate', '--name=drift', ...flags], {
    cwd: root,
  });
  // drizzle-kit asks about a change that could be a rename; without a terminal it fails instead.
  run.child.stdin?.end();
  const { stdout, stderr } = await run;
  return `${stdout}${stderr}`;
}

const drift = await findDrift();
if (drift === null) {
  process.stdout.write('The migrations are at the schema of the code.\n');
} else {
  process.stderr.write(`The schema has changed without a migration: npm run db:generate -- NAME\n${drift}\n`);
  process.exitCode = 1;
}
