import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

/** Returns what npm prints. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await runFile('npm', args, { cwd, env: npmEnv(), maxBuffer: 1e8 });
  return stdout;
}

/** The environment, in which npm finds its registry, without what `npm run` adds: npm would take that for its settings. */
export const npmEnv = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('npm_') || name === 'npm_config_registry',
    ),
  );

/** What `npm pack --json` wrote: a list, or by later npm an object by package name. */
export function readPacked(json: string): { filename: string; size: number; files: string[] } {
  const answer = JSON.parse(json) as Record<
    string,
    { filename: string; size: number; files: { path: string }[] }
  >;
  const [packed] = Object.values(answer);
  if (packed === undefined) throw new Error('npm pack packed nothing');
  return { ...packed, files: packed.files.map(({ path }) => path) };
}
