import { z } from 'zod';
import type { JobQueue } from '../jobs/job-queue.ts';
import { jobPriority } from '../jobs/queues.ts';
import { tickId } from '../jobs/tick-id.ts';
import type { JobEnd, JobHandler } from '../jobs/worker.ts';
import { carryOutOrders } from '../orders/carry-out-orders.ts';
import { createVerdictPools } from '../prices/verdicts/verdict-pools.ts';
import { createUsualPrices } from '../watches/rules/outlier-prices.ts';
import { createActorOf } from './market-actor.ts';
import type { Runtime } from './runtime.ts';

const ordersJob = z.object({ marketId: z.int() });

/** Queues a round of the standing orders of a market; what is queued in the same second is one round. */
export async function queueOrders(queue: JobQueue, marketId: number, now: Date): Promise<void> {
  const key = `${marketId}|orders`;
  const at = new Date(Math.floor(now.getTime() / 1_000 + 1) * 1_000);
  const job = { id: tickId(key, at), key, startAfter: at, priority: jobPriority.asked, data: { marketId } };
  await queue.add('carry-out-orders', [job]);
}

/** Carries out the armed orders of the market where this program rents. */
export function createOrdersHandler(runtime: Runtime): JobHandler {
  const actorOf = createActorOf(runtime);
  const sources = { usualPrices: createUsualPrices(), poolsAt: createVerdictPools() };
  const done: JobEnd = { kind: 'done' };
  return async (jobs, signal) => {
    const ends = new Map(jobs.map(({ id }) => [id, done]));
    // Books were imported since the round was queued: they are shown in place of the simulated market, and never rented.
    if ((await runtime.defaultMarket()).kind === 'recorded') return ends;
    const { id: marketId } = await runtime.crawledMarket();
    const { account } = await runtime.marketFor('person');
    const { maxDataAgeMinutes, publicUrl } = runtime.config;
    for (const { data } of jobs) {
      if (account === null || ordersJob.parse(data).marketId !== marketId) continue;
      try {
        await carryOutOrders(await actorOf(), { maxDataAgeMinutes, publicUrl, sources, signal });
      } catch (error) {
        // Not retried: the next book or poll begins the next round.
        if (!signal.aborted) runtime.log.error({ err: error }, 'standing orders could not be carried out');
      }
    }
    return ends;
  };
}
