import { expect, it } from 'vitest';
import { isProvisioning } from '../../src/rentals/instances/provisioning.ts';

const minute = 60_000;

it.each<[actual: string | null, intended: string | null, unchangedMs: number, expected: boolean]>([
  [null, null, 0, true],
  [null, 'running', 60 * minute, true],
  ['loading', 'running', 60 * minute, true],
  ['created', null, 0, true],
  ['scheduling', 'running', 0, true],
  ['rebooting', 'running', 0, true],
  ['loading', 'stopped', 0, false],
  [null, 'stopped', 0, false],
  ['running', 'running', 0, false],
  ['running', null, 0, false],
  ['stopped', 'running', 9 * minute, true],
  ['stopped', 'running', 10 * minute, false],
  ['frozen', 'running', 0, true],
  ['never heard of', 'running', 0, true],
  ['never heard of', null, 0, false],
  ['stopped', 'stopped', 0, false],
  ['exited', 'running', 0, false],
  ['unknown', 'running', 0, false],
  ['offline', 'running', 0, false],
])('status %j, wanted %j, for %i ms: provisioning %s', (actualStatus, intendedStatus, ms, expected) => {
  expect(isProvisioning({ actualStatus, intendedStatus }, ms)).toBe(expected);
});
