import { describe, expect, inject, it } from 'vitest';
import { proveBilled } from '../../prove/spend/billed.ts';
import { proveSums } from '../../prove/spend/sums.ts';
import { silentLog } from '../support/silent-log.ts';

describe('sums of spend', () => {
  it('are exact by every grouping in several zones, and days equal the sum of their parts', {
    timeout: 240_000,
  }, async () => {
    const { failures, counts } = await proveSums({
      ...{ seed: 1, log: silentLog, server: inject('server'), entries: 300 },
    });
    expect(failures).toEqual([]);
    expect(counts['groupings and days compared']).toBeGreaterThan(300);
    expect(counts['of them negative']).toBeGreaterThan(20);
  });

  it('equal what the simulator billed and was paid, by its own account', { timeout: 240_000 }, async () => {
    const { failures, counts } = await proveBilled({
      ...{ seed: 3, log: silentLog, server: inject('server'), instances: 6, days: 25 },
    });
    expect(failures).toEqual([]);
    expect(counts['items of them']).toBeGreaterThan(40);
    expect(counts['invoices that it made']).toBeGreaterThan(40);
    expect(counts['sums compared with it']).toBeGreaterThan(150);
  });
});
