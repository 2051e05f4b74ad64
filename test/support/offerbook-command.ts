import { type ChildProcess, spawn } from 'node:child_process';
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
  return await startOfferbook(args, env).ended;
}

/** The same, to be sent signals while it runs. */
export function startOfferbook(
  args: readonly string[],
  env: Record<string, string>,
): { child: ChildProcess; ended: Promise<CommandEnd> } {
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
  const ended = once(child, 'close').then(() => ({
    code: child.exitCode,
    stdout: text.stdout,
    stderr: text.stderr.split('\n').filter((line) => line !== ''),
  }));
  return { child, ended };
}

/** Environment that breaks something in a command's process; see faults.ts. */
export const withFault = (fault: 'slow-disk' | 'deaf-sockets', gate?: string): Record<string, string> => ({
  NODE_OPTIONS: `--import ${new URL('faults.ts', import.meta.url).href}`,
  OFFERBOOK_TEST_FAULT: fault,
  ...(gate === undefined ? {} : { OFFERBOOK_TEST_GATE: gate }),
});
