import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a process of the soak works with. */
export interface SoakTask {
  settings: Record<string, string>;
  clockFile: string;
}

/** A running process of the soak. */
export interface SoakProcess {
  url: string;
  /** Resolves when all ticks that are due by its clock have become jobs. */
  queueDue: () => Promise<void>;
  /** Bytes that it holds in memory now. */
  residentBytes: () => Promise<number>;
  end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
}

const child = join(import.meta.dirname, 'soak-child.ts');

/** Starts one and waits until it listens. */
export async function startSoakProcess(task: SoakTask): Promise<SoakProcess> {
  const started: ChildProcess = spawn(process.execPath, [child, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(started, 'exit');
  const whileAlive = async <T>(work: Promise<T>, what: string): Promise<T> =>
    await Promise.race([
      work,
      ended.then(() => {
        throw new Error(`a process of the soak ended before it ${what}`);
      }),
    ]);
  const printed = once(started.stdout as NodeJS.ReadableStream, 'data');
  const url = await whileAlive(
    printed.then(([line]) => String(line).trim()),
    'listened',
  );
  return {
    url,
    queueDue: async () => {
      const queued = once(started, 'message');
      started.send('queue what is due');
      await whileAlive(queued, 'had queued what is due');
    },
    residentBytes: async () => {
      const status = await readFile(`/proc/${started.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024;
    },
    end: async (signal) => {
      started.kill(signal);
      await ended;
    },
  };
}
