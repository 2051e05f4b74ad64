import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DatabaseTarget } from '../../src/database/connection.ts';

/** The service in a separate process. */
export interface ServiceProcess {
  child: ChildProcess;
  /** Resolves when it has ended. */
  gone: Promise<unknown>;
  /** Its log, one line per entry. */
  log: string[];
  /** Its output, one line per entry. */
  said: string[];
  /** Stops it as a supervisor would; returns the seconds until it ended. */
  end: () => Promise<number>;
}

const program = fileURLToPath(new URL('../../bin/offerbook.mjs', import.meta.url));

/** Starts `offerbook start` on a database with only these settings. */
export async function startServiceProcess(
  target: DatabaseTarget,
  settings: Record<string, string>,
): Promise<ServiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-process-'));
  const { PATH = '', HOME = '/' } = process.env;
  const child = spawn(process.execPath, [program, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH, HOME, DATA_DIR: dataDir, DATABASE_URL: addressOf(target) },
      ...{ PORT: '0', OFFERBOOK_TOKEN: 'a-token-of-the-proofs', ...settings },
    },
  });
  const [log, said] = [linesOf(child.stderr), linesOf(child.stdout)];
  const gone = once(child, 'close').then(() => rm(dataDir, { recursive: true, force: true }));
  return {
    ...{ child, gone, log, said },
    end: async () => {
      const begunAt = performance.now();
      child.kill('SIGTERM');
      await gone;
      return (performance.now() - begunAt) / 1_000;
    },
  };
}

/** The lines of a stream, growing as they arrive. */
function linesOf(stream: Readable): string[] {
  const lines: string[] = [];
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return lines;
}

/** The target as a DATABASE_URL. */
export function addressOf(target: DatabaseTarget): string {
  if ('url' in target) return target.url;
  const { socketDir, port, user, database } = target;
  return `postgres:///${database}?host=${encodeURIComponent(socketDir)}&port=${port}&user=${user}`;
}

/** Waits until `holds` is true; throws after `seconds`. */
export async function waitUntil(what: string, seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + seconds * 1_000;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error(`not within ${seconds} s: ${what}`);
    await sleep(200);
  }
}
