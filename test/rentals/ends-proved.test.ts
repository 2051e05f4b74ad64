import { expect, it } from 'vitest';
import { proveEnds } from '../../prove/act/ends.ts';
import { createTestDatabase } from '../support/test-database.ts';

it('limits of every kind end instances within one poll and never before, in both ways of billing', async () => {
  const { target } = await createTestDatabase();
  const { failures, counts } = await proveEnds({ seed: 5, server: target, lives: 8, hours: 0.7 });
  expect(failures).toEqual([]);
  expect(counts).toMatchObject({
    ...{ 'life cycles': 8, 'ended within a poll of their limit': 8, 'ended before it': 0, 'ended late': 0 },
    ...{ 'ended by idle minutes': 2, 'ended by dollars': 2, 'ended by time': 4, 'ways of billing': 2 },
    ...{ 'instances of unknown use': 2, 'of them running at the end': 2 },
  });
  // Unless polls failed and uses were unknown, nothing is proved.
  expect(counts['polls that failed']).toBeGreaterThan(8);
  expect(counts['uses that were not known']).toBeGreaterThan(8);
}, 600_000);

it('a market that states 0 for an unknown use is found out', async () => {
  const { target } = await createTestDatabase();
  const { ok, counts } = await proveEnds({ seed: 5, server: target, lives: 2, hours: 0.5, isControl: true });
  expect(ok).toBe(false);
  expect(counts['ended before it']).toBeGreaterThan(0);
}, 600_000);
