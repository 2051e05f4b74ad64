import { expect, it } from 'vitest';
import { proveOneFailing } from '../../prove/markets/one-failing.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

/** A share of `npm run prove -- markets`: fewer ways of failing, the same services and comparisons. */
it.each([
  ['vast', 'first'],
  ['clore', 'second'],
] as const)(
  'beside a market that fails another one is crawled at its times, with books and figures as if alone: %s, %s',
  async (fails, place) => {
    const { target: server } = await createTestDatabase();
    const options = { seed: 20_261_124, log: silentLog, server, fails, place };
    const { failures, counts } = await proveOneFailing({ ...options, runs: 8, ways: 2 });
    expect(failures).toEqual([]);
    expect(counts[`${fails} ${place}: crawls of the other market`]).toBeGreaterThanOrEqual(8);
    expect(counts[`${fails} ${place}: requests that they struck`]).toBeGreaterThan(0);
  },
  240_000,
);
