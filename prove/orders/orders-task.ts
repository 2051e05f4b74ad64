import { fileURLToPath } from 'node:url';
import type { DatabaseTarget } from '../../src/database/connection.ts';
import { runKilled } from '../act/rent-task.ts';

/** Steps at which a process hangs: with its attempt stored and nothing asked, and those of a rent. */
export const orderSteps = ['stored', 'quoted', 'listed', 'kept', 'answered'] as const;
export type OrderStep = (typeof orderSteps)[number];

/** A round of orders for a process of its own. */
export interface OrdersTask {
  target: DatabaseTarget;
  url: string;
  apiKey: string;
  market: string;
  settleMinutes: number;
  maxInstances: number | null;
  /** The market's time, ISO 8601. */
  now: string;
  /** The step at which it hangs until it is killed; null: none. */
  standsAt: OrderStep | null;
  /** How often it passes that step before. */
  passes: number;
}

const script = fileURLToPath(new URL('./orders-child.ts', import.meta.url));

/** Carries out a round in a process that is killed; null: it was, else its duration in ms. */
export const runOrdersChild = async (task: OrdersTask, afterMs: number): Promise<number | null> =>
  await runKilled(script, task, afterMs);
