import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DatabaseTarget } from '../../src/database/connection.ts';
import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';

/** Where a process can be made to stand still: with its quote, with the account's list, before the create's first byte, with its answer. */
export const rentSteps = ['quoted', 'listed', 'kept', 'answered'] as const;
export type RentStep = (typeof rentSteps)[number];

/** A rent for a process of its own. */
export interface RentTask {
  target: DatabaseTarget;
  url: string;
  apiKey: string;
  /** Its name. */
  market: string;
  key: string;
  request: RentRequest;
  settleMinutes: number;
  /** The market's time, ISO 8601. */
  now: string;
  /** Where it stands still until it is killed; null: nowhere. */
  standsAt: RentStep | null;
}

/** What a process says where it stands still. */
export const standing = 'stands';

const script = fileURLToPath(new URL('./rent-child.ts', import.meta.url));

/**
 * Rents in a process that gets SIGKILL where it stands still, or `afterMs` after it said that it begins. null: it was
 * killed, else the milliseconds after which it had ended by itself.
 */
export async function runRentChild(task: RentTask, afterMs: number): Promise<number | null> {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let timer: NodeJS.Timeout | undefined;
  let begunAt = performance.now();
  const said = createInterface({ input: child.stdout });
  said.on('line', (line) => {
    if (line === standing) child.kill('SIGKILL');
    else {
      begunAt = performance.now();
      if (task.standsAt === null) timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    }
  });
  await once(child, 'close');
  clearTimeout(timer);
  return child.signalCode === 'SIGKILL' ? null : performance.now() - begunAt;
}
