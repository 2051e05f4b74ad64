import { describe, expect, inject, it } from 'vitest';
import { proveDatabaseAway } from '../../prove/crawl/database-away.ts';
import { proveTicks } from '../../prove/crawl/ticks.ts';
import { silentLog } from '../support/silent-log.ts';

// A share of `npm run prove -- crawl`.
describe('services as processes', () => {
  it('make one crawl per tick even if one of them is killed', async () => {
    const proof = await proveTicks({
      ...{ seed: 11, log: silentLog, server: inject('server'), seconds: 12, withStopped: false, backlog: 0 },
      // Of no interest here: on a busy machine the ticks alone are work enough.
      searchesPerMinute: 2_000,
    });
    expect(proof.failures).toEqual([]);
    expect(proof.counts).toMatchObject({ 'successful runs of bid': 12, 'successful runs of on-demand': 12 });
    expect(proof.counts['of them killed']).toBe(1);
  });

  it('stay up without their database, report it, and recover when it is back', async () => {
    const proof = await proveDatabaseAway({ seed: 12, log: silentLog, awaySeconds: 4 });
    expect(proof.failures).toEqual([]);
    expect(proof.counts['complete runs']).toBeGreaterThan(5);
  });
});
