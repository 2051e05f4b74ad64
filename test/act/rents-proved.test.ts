import { expect, it } from 'vitest';
import { proveRents } from '../../prove/act/rents.ts';
import { createTestDatabase } from '../support/test-database.ts';

it('one key makes one instance at most, labels and lists or not, under faults, two processes and a kill', async () => {
  const { target } = await createTestDatabase();
  const { failures, counts } = await proveRents({ seed: 11, server: target, rents: 6, kills: 1 });
  expect(failures).toEqual([]);
  expect(counts['keys with two instances']).toBe(0);
  // With ignored labels, with lists that fail, and with lists that lag behind without labels.
  expect([counts.rents, counts.weathers]).toEqual([6, 3]);
  expect(counts['wishes that run']).toBe(6);
}, 900_000);
