import { setTimeout as delay } from 'node:timers/promises';
import type { SoakProcess } from './soak-task.ts';

/** Readers of a service that is killed and started again. */
export interface SoakLoad {
  /** Answers so far, and those with a status of 400 or more while the process lived. */
  counts: () => { answered: number; failed: number };
  stop: () => Promise<void>;
}

const exportEvery = 50;

/** Reads without pause; every 50th read of each reader is an export. */
export function startSoakLoad(readers: number, current: () => SoakProcess | null): SoakLoad {
  let [isStopped, answered, failed] = [false, 0, 0];
  const paths = [
    ...['/api/market?type=on-demand', '/api/rankings?by=usdPerGpuHour&limit=50', '/api/trends?bucket=1h'],
    ...['/api/offers?limit=50', '/api/instances', '/api/status'],
  ];
  const read = async (): Promise<void> => {
    for (let turn = 0; !isStopped; turn += 1) {
      const process = current();
      const path =
        turn % exportEvery === exportEvery - 1
          ? '/api/exports/charges.csv'
          : (paths[turn % paths.length] ?? '');
      if (process === null) await delay(100);
      else {
        try {
          const answer = await fetch(process.url + path, { signal: AbortSignal.timeout(60_000) });
          await answer.arrayBuffer();
          answered += 1;
          // Without a book yet, and while a killed process starts, there is nothing to read.
          if (answer.status >= 400 && answer.status !== 404 && answer.status !== 503) failed += 1;
        } catch {
          if (current() === process) failed += 1;
        }
        await delay(50);
      }
    }
  };
  const reading = Array.from({ length: readers }, read);
  return {
    counts: () => ({ answered, failed }),
    stop: async () => {
      isStopped = true;
      await Promise.all(reading);
    },
  };
}
