import { expect, it } from 'vitest';
import { proveRents } from '../../prove/act/rents.ts';
import { createTestDatabase } from '../support/test-database.ts';

it('one key creates at most one instance, with or without labels and lists, under faults, two processes and kills', async () => {
  const { target } = await createTestDatabase();
  const { failures, counts } = await proveRents({ seed: 12, server: target, rents: 12, kills: 6 });
  expect(failures).toEqual([]);
  expect(counts['keys with two instances']).toBe(0);
  // With labels or without, with lists that fail, and with lists that lag behind.
  expect([counts.rents, counts.weathers]).toEqual([12, 6]);
  expect(counts['requests that run']).toBe(12);
  // Unless answers were lost, and kills came before, at and after the create, nothing is proved.
  expect(counts['unclear answers']).toBeGreaterThan(0);
  expect(counts['of them before anything was kept']).toBeGreaterThan(0);
  expect(counts['of them with a create that had made nothing']).toBeGreaterThan(0);
  expect(counts['of them with an instance that nobody knew of']).toBeGreaterThan(0);
}, 900_000);
