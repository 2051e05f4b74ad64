import { proveOrders } from '../orders/orders.ts';
import type { Topic } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';

const promisedOrders = 1_000;

/** Standing orders under faults, by two workers and processes that are killed. */
export const ordersTopic: Topic = {
  promise:
    'an order never rents more machines than asked, nor above its price or budget, and none is unaccounted for',
  prove: async ({ seed, log, server, runs = promisedOrders }) => {
    const databases = await openProofDatabases(server, log);
    try {
      const { target } = await databases.create();
      const onOrders = (done: number): void => log.info({ done }, 'orders');
      return await proveOrders({ seed, server: target, orders: runs, onOrders });
    } finally {
      await databases.close();
    }
  },
};
