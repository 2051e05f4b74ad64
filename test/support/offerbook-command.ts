import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface CommandEnd {
  code: number | null;
  stdout: string;
  /** Its lines. */
  stderr: string[];
}

const program = fileURLToPath(new URL('../../bin/offerbook.mjs', import.meta.url));

/** Runs `offerbook` as a process of its own with this environment and nothing of the tests'. */
export async function runOfferbook(
  args: readonly string[],
  env: Record<string, string>,
): Promise<CommandEnd> {
  const { PATH = '', HOME = '/' } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...env },
  });
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (part: string) => {
      text[stream] += part;
    });
  }
  await once(child, 'close');
  return {
    code: child.exitCode,
    stdout: text.stdout,
    stderr: text.stderr.split('\n').filter((line) => line !== ''),
  };
}
