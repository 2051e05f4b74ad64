import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { peakMemoryMb } from './peak-memory.ts';

/** How a command ended, seen from outside. */
export interface CommandProcessEnd {
  /** null: ended by a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** From its start to its end. */
  ms: number;
  /** Its maximum memory, MB; null if the system does not show it. */
  memoryMb: number | null;
  /** Whether it had to be killed. */
  isHung: boolean;
}

interface CommandProcessOptions {
  env: Record<string, string>;
  /** When it receives a SIGTERM, ms after its start; omitted: never. */
  stopAfterMs?: number | undefined;
  /** When it is killed. */
  killAfterMs: number;
}

const program = fileURLToPath(new URL('../../bin/offerbook.mjs', import.meta.url));
const betweenLooksMs = 20;

/** Runs `offerbook` in a separate process with only this environment. */
export async function runCommandProcess(
  args: readonly string[],
  { env, stopAfterMs, killAfterMs }: CommandProcessOptions,
): Promise<CommandProcessEnd> {
  const { PATH = '', HOME = '/' } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...env },
  });
  const end = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (part: string) => {
      end[stream] += part;
    });
  }
  let memoryMb: number | null = null;
  let isHung = false;
  const looks = setInterval(() => {
    memoryMb = peakMemoryMb(child.pid) ?? memoryMb;
  }, betweenLooksMs);
  const stop = stopAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGTERM'), stopAfterMs);
  const kill = setTimeout(() => {
    isHung = true;
    child.kill('SIGKILL');
  }, killAfterMs);
  await once(child, 'close');
  clearInterval(looks);
  clearTimeout(stop);
  clearTimeout(kill);
  return { ...end, code: child.exitCode, ms: performance.now() - startedAt, memoryMb, isHung };
}
