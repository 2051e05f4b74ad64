import { expect, it } from 'vitest';
import { proveRents } from '../../prove/act/rents.ts';
import { createTestDatabase } from '../support/test-database.ts';

it('one key makes one instance at most under faults, doubled requests and a killed process', async () => {
  const { target } = await createTestDatabase();
  const { failures, counts } = await proveRents({ seed: 11, server: target, rents: 8, kills: 1 });
  expect(failures).toEqual([]);
  expect(counts['keys with two instances']).toBe(0);
  expect(counts.rents).toBe(8);
  expect(counts['instances made for them']).toBeGreaterThan(2);
}, 900_000);
