import { describe, expect, inject, it } from 'vitest';
import { proveBilling } from '../../prove/crawl/billing.ts';
import { silentLog } from '../support/silent-log.ts';

describe('a changing invoice history, synced by processes that are killed', () => {
  it('equals the market, entry by entry, and a second full sync changes nothing', async () => {
    const { failures, counts } = await proveBilling({
      ...{ seed: 1, log: silentLog, server: inject('server'), entries: 700 },
      ...{ kills: { paging: 2, merge: 1 }, changeEveryMs: 30 },
    });
    expect(failures).toEqual([]);
    expect(counts['kills while pages were read']).toBeGreaterThanOrEqual(2);
    expect(counts['parts that the window was read again in']).toBeGreaterThan(5);
    expect(counts['invoices in a second reading of the whole']).toBeGreaterThan(600);
  });
});
