import { writeSync } from 'node:fs';
import type { MarketClient } from '../../src/market/vast/client.ts';
import { type RentStep, standing } from './rent-task.ts';

/** Hangs for ever at `step` if that is where the process is to be killed. */
export async function hangAt<Step extends string>(step: Step, standsAt: Step | null): Promise<void> {
  if (standsAt !== step) return;
  writeSync(1, `${standing}\n`);
  await new Promise(() => setInterval(() => {}, 60_000));
}

/** Returns the client with a stop wherever a rent has done something visible to others; `pass` is called there. */
export function createStoppingClient(
  client: MarketClient,
  pass: (step: RentStep) => Promise<void>,
): MarketClient {
  return {
    ...client,
    searchOffers: async (...args) => {
      const page = await client.searchOffers(...args);
      await pass('quoted');
      return page;
    },
    listInstances: async (...args) => {
      const list = await client.listInstances(...args);
      await pass('listed');
      return list;
    },
    createInstance: async (...args) => {
      await pass('kept');
      const [answer] = await Promise.allSettled([client.createInstance(...args)]);
      await pass('answered');
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    },
  };
}
