import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RentWish } from '../../src/act/wish.ts';
import type { DatabaseTarget } from '../../src/db/connection.ts';

/** A rent for a process of its own. */
export interface RentTask {
  target: DatabaseTarget;
  url: string;
  apiKey: string;
  /** Its name. */
  market: string;
  key: string;
  wish: RentWish;
  settleMinutes: number;
  /** The market's time, ISO 8601. */
  now: string;
}

const script = fileURLToPath(new URL('./rent-child.ts', import.meta.url));

/** Rents in a process that gets SIGKILL `afterMs` after it said that it begins; false: it had ended before. */
export async function runRentChild(task: RentTask, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let timer: NodeJS.Timeout | undefined;
  child.stdout.once('data', () => {
    timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  await once(child, 'close');
  clearTimeout(timer);
  return child.signalCode === 'SIGKILL';
}
