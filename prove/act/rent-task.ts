import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DatabaseTarget } from '../../src/database/connection.ts';
import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';

/**
 * Steps at which a process can hang: with its quote, with the account's list, before the create's first byte, with its
 * response.
 */
export const rentSteps = ['quoted', 'listed', 'kept', 'answered'] as const;
export type RentStep = (typeof rentSteps)[number];

/** A rent for a separate process. */
export interface RentTask {
  target: DatabaseTarget;
  url: string;
  apiKey: string;
  /** Name of the requester. */
  market: string;
  key: string;
  request: RentRequest;
  settleMinutes: number;
  /** The market's time, ISO 8601. */
  now: string;
  /** The step at which it hangs until it is killed; null: none. */
  standsAt: RentStep | null;
}

/** Line printed by a process that hangs. */
export const standing = 'stands';

const script = fileURLToPath(new URL('./rent-child.ts', import.meta.url));

/**
 * Rents in a process that is killed with SIGKILL where it hangs, or `afterMs` after it reported its start. Returns null
 * if it was killed, else its duration in ms.
 */
export const runRentChild = async (task: RentTask, afterMs: number): Promise<number | null> =>
  await runKilled(script, task, afterMs);

/** The same for any script that takes its task as JSON and hangs at one of its steps. */
export async function runKilled(
  path: string,
  task: { standsAt: string | null },
  afterMs: number,
): Promise<number | null> {
  const child = spawn(process.execPath, [path, JSON.stringify(task)], {
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
