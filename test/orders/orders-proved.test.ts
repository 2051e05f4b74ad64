import { expect, it } from 'vitest';
import { proveOrders } from '../../prove/orders/orders.ts';
import { sendsTwice } from '../../prove/orders/sends-twice.ts';
import { createTestDatabase } from '../support/test-database.ts';

it('orders rent what was asked and no more, under faults, by two workers and processes that are killed', async () => {
  const { target } = await createTestDatabase();
  const { failures, counts } = await proveOrders({ seed: 4, server: target, orders: 8 });
  expect(failures).toEqual([]);
  expect(counts.orders).toBe(8);
  expect([counts['orders with too many machines'], counts['instances above the price']]).toEqual([0, 0]);
  // Unless machines were rented, processes died on the way, and answers were unclear, nothing is proved.
  expect(counts['instances made for them']).toBeGreaterThan(5);
  expect(counts['processes killed']).toBeGreaterThan(0);
  expect(counts['unclear answers']).toBeGreaterThan(0);
  expect(counts['offers that fitted two books']).toBeGreaterThan(0);
}, 900_000);

it('the proof finds out a program that sends a create again after an unclear answer', async () => {
  const { target } = await createTestDatabase();
  const { ok, failures } = await proveOrders({
    ...{ seed: 4, server: target, orders: 5, spoil: sendsTwice },
  });
  expect(ok).toBe(false);
  expect(failures.join('\n')).toMatch(/instances of|is in no attempt|claims instance/);
}, 900_000);
