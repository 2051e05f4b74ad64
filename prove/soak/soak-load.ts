import { setTimeout as delay } from 'node:timers/promises';
import type { SoakProcess } from './soak-task.ts';

/** Readers of a service that is killed and started again. */
export interface SoakLoad {
  /** Each reader makes its reads of one virtual hour, during that hour's work. */
  readHour: () => Promise<void>;
  /** Answers so far, and those with a status of 400 or more while the process lived. */
  counts: () => { answered: number; failed: number };
}

/** Reads of each reader in a virtual hour; the last is an export. */
const readsPerHour = 50;
const pauseMs = 100;

/** Returns readers with a stated load per virtual hour, so that its cost does not depend on how long the hour takes. */
export function createSoakLoad(readers: number, current: () => SoakProcess | null): SoakLoad {
  let [answered, failed] = [0, 0];
  const paths = [
    ...['/api/market?type=on-demand', '/api/rankings?by=usdPerGpuHour&limit=50', '/api/trends?bucket=1h'],
    ...['/api/offers?limit=50', '/api/instances', '/api/status'],
  ];
  const read = async (path: string): Promise<void> => {
    let process = current();
    for (; process === null; process = current()) await delay(pauseMs);
    try {
      const answer = await fetch(process.url + path, { signal: AbortSignal.timeout(60_000) });
      await answer.arrayBuffer();
      answered += 1;
      // Without a book yet, and while a killed process starts, there is nothing to read.
      if (answer.status >= 400 && answer.status !== 404 && answer.status !== 503) failed += 1;
    } catch {
      if (current() === process) failed += 1;
    }
    await delay(pauseMs);
  };
  const readAll = async (): Promise<void> => {
    for (let turn = 0; turn < readsPerHour - 1; turn += 1) await read(paths[turn % paths.length] ?? '');
    await read('/api/exports/charges.csv');
  };
  return {
    counts: () => ({ answered, failed }),
    readHour: async () => {
      await Promise.all(Array.from({ length: readers }, readAll));
    },
  };
}
