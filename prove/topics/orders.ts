import { proveOrders } from '../orders/orders.ts';
import { sendsTwice } from '../orders/sends-twice.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { topicOfParts } from '../topic-of-parts.ts';

const promisedOrders = 1_000;
const controlOrders = 25;

/** Standing orders under faults, by two workers and processes that are killed, and a control that must be found out. */
export const ordersTopic = topicOfParts(
  'an order never rents more machines than asked, nor above its price or budget, and none is unaccounted for',
  {
    orders: async (options) => await proveSome(options, options.runs ?? promisedOrders),
    control: async (options) => {
      const { failures: found } = await proveSome(options, controlOrders, sendsTwice);
      return {
        ok: found.length > 0,
        counts: { 'faults that the control was found out by': found.length },
        failures: found.length > 0 ? [] : ['a program that sends an unclear create again was not found out'],
      };
    },
  },
);

async function proveSome(
  { seed, log, server }: ProofOptions,
  orders: number,
  spoil?: typeof sendsTwice,
): Promise<Proof> {
  const databases = await openProofDatabases(server, log);
  try {
    const { target } = await databases.create();
    const onOrders = (done: number): void => log.info({ done }, 'orders');
    return await proveOrders({ seed, server: target, orders, onOrders, spoil });
  } finally {
    await databases.close();
  }
}
