// A round of standing orders as a process of its own, to be killed. Arguments: an OrdersTask as JSON.
import { writeSync } from 'node:fs';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { connect } from '../../src/database/connection.ts';
import { createStoppingClient, hangAt } from '../act/stopping-client.ts';
import { carryOutRound, createOrderActor, openClient } from './order-actor.ts';
import type { OrderStep, OrdersTask } from './orders-task.ts';

const task = JSON.parse(process.argv[2] ?? '{}') as OrdersTask;
const sql = connect(task.target, { max: 4, applicationName: 'offerbook-orders-child' });
const client = openClient(task.url, task.apiKey);
let passed = 0;
const pass = async (step: OrderStep): Promise<void> => {
  if (step !== task.standsAt) return;
  passed += 1;
  if (passed > task.passes) await hangAt(step, task.standsAt);
};
const stopping = createStoppingClient(client, pass);
const market = await ensureMarket(sql, task.market, 'live');
writeSync(1, 'begins\n');
const actor = createOrderActor(sql, {
  client: {
    ...stopping,
    searchOffers: async (...args) => {
      await pass('stored');
      return await stopping.searchOffers(...args);
    },
  },
  ...{ market, now: () => new Date(task.now) },
  ...{ settleMinutes: task.settleMinutes, maxInstances: task.maxInstances },
});
await carryOutRound(actor).catch(() => {});
await client.close();
await sql.end({ timeout: 2 });
