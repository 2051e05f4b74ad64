import { describe, expect, inject, it } from 'vitest';
import { proveSums } from '../../prove/spend/sums.ts';
import { totalSpend } from '../../src/db/spend/sums.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { crawlBills, createBillingCrawler } from '../crawl/test-billing.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('sums of spend', () => {
  it('are exact by every grouping in several zones, and days what their parts come to', {
    timeout: 240_000,
  }, async () => {
    const { failures, counts } = await proveSums({
      ...{ seed: 1, log: silentLog, server: inject('server'), entries: 300 },
    });
    expect(failures).toEqual([]);
    expect(counts['groupings and days compared']).toBeGreaterThan(300);
    expect(counts['of them negative']).toBeGreaterThan(20);
  });

  it('are what the simulator billed and was paid', async () => {
    const { sql } = await createTestDatabase();
    const simulator = createSimulator({ seed: 3, offersPerType: 20, autoTopUp: null, pastPayments: 40 });
    const { url } = await simulator.listen();
    try {
      const place = { url, apiKey: simulator.apiKey };
      const crawler = await createBillingCrawler(sql, place, { now: simulator.now });
      await crawlBills(crawler);
      const now = simulator.now();
      const scope = {
        marketId: crawler.marketId,
        timeZone: 'Europe/Berlin',
        asOf: new Date(now.getTime() + 1),
      };
      const range = { from: new Date('2000-01-01T00:00:00Z'), to: new Date(now.getTime() + 86_400_000) };
      const totals = await totalSpend(sql, { ...scope, ...range });
      const micro = (amounts: readonly string[]) =>
        amounts.reduce((sum, amount) => sum + BigInt(Math.round(Number(amount) * 1e6)), 0n);
      expect(micro(totals.map(({ amountUsd }) => amountUsd))).toBe(
        micro(simulator.invoices().map(({ amountUsd }) => String(amountUsd))),
      );
      expect(totals.map(({ category }) => category)).toEqual(['payment', 'payout', 'refund', 'transfer']);
    } finally {
      await simulator.close();
    }
  });
});
