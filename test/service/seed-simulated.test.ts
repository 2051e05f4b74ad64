import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { listAccountInstances } from '../../src/rentals/instances/account-instances.sql.ts';
import { loadConfig } from '../../src/service/config.ts';
import { createBuiltInSimulator, openSimulator, prepareMarket } from '../../src/service/open-market.ts';
import { rentedHours, seedSimulated } from '../../src/service/seed-simulated.ts';
import { crawlBilling } from '../../src/spend/bills/crawl-bills.ts';
import { readSpend } from '../../src/spend/read-spend.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

it("books of a first history stand in every hour in which last week's rentals ran, and of no other week's", () => {
  const simulator = createBuiltInSimulator();
  const hours = rentedHours(simulator, new Date());
  const monday = Math.max(...simulator.instances().map(({ createdS }) => createdS)) - 5 * 86_400;
  for (const type of ['on-demand', 'bid'] as const) {
    const charged = simulator.charges().flatMap(({ source, startS, endS, items }) => {
      const of = simulator.instances().find(({ id }) => source === `instance-${id}`);
      const isGpu = items.some(({ type: item }) => item === 'gpu');
      return of === undefined || !isGpu || of.isBid !== (type === 'bid') || of.createdS < monday
        ? []
        : [[startS, endS]];
    });
    const times = (hours[type] ?? []).map((at) => at.getTime() / 1000);
    // Charges also cover the time in which a bid was outbid.
    const chargedHours = charged.reduce((sum, [from = 0, to = 0]) => sum + (to - from) / 3600, 0);
    expect(times.length).toBeGreaterThan(chargedHours / 3);
    expect(times.every((at) => at % 3600 === 0 && at >= monday)).toBe(true);
    expect(times.every((at) => charged.some(([from = 0, to = 0]) => at + 3600 > from && at < to))).toBe(true);
  }
});

it('the first start knows the ended rentals of past weeks, and the first crawl of bills what they cost', async () => {
  const { sql } = await createTestDatabase();
  const { id: marketId } = await ensureMarket(sql, 'simulator', 'simulated');
  const prepared = prepareMarket(loadConfig({}));
  const now = () => new Date();
  const common = { sql, marketId, log: silentLog, now, newId: uuidv7 };
  const seed = async () =>
    await seedSimulated({
      ...{ ...common, prepared, allocatedStorageGb: 8, statistics: pointStatistics },
      moments: [new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)],
      onProgress: () => {},
    });
  expect(await seed()).toBe(2);
  const simulator = createBuiltInSimulator();
  const truth = simulator.instances();
  const known = await listAccountInstances(sql, marketId, { gone: true });
  expect(truth.length).toBeGreaterThan(15);
  expect(known.map(({ instanceId, label }) => [instanceId, label])).toEqual(
    truth.map(({ id, label }) => [id, label]),
  );
  for (const [index, { goneAt, startedAt, lastSeenAt }] of known.entries()) {
    expect(startedAt?.getTime()).toBe(Number(truth[index]?.createdS) * 1000);
    expect(goneAt?.getTime()).toBe(Number(truth[index]?.destroyedS) * 1000);
    expect(Number(goneAt) - lastSeenAt.getTime()).toBeLessThanOrEqual(60_000);
  }
  const { market, close } = await openSimulator(prepared, simulator, silentLog);
  for (const kind of ['invoice', 'charge'] as const) {
    const crawl = { crawlId: uuidv7(), kind, cause: 'cron', tickAt: null, jobId: null } as const;
    expect(await crawlBilling({ ...common, bills: market.bills }, crawl)).toMatchObject({ kind: 'complete' });
  }
  await close();
  const all = { from: new Date(0), to: now(), timeZone: 'UTC', asOf: now(), marketId };
  const { totals } = await readSpend(sql, all, { groupBy: 'label', stackBy: null });
  const spent = simulator.charges().reduce((sum, { amountUsd }) => sum + Number(amountUsd), 0);
  expect(totals.map(({ category, basis }) => `${category} ${basis}`)).toEqual([
    'consumption charged',
    'payment charged',
  ]);
  expect(spent).toBeGreaterThan(50);
  expect(Number(totals[0]?.amountUsd)).toBeCloseTo(spent, 6);
  // A second seeding changes nothing.
  expect(await seed()).toBe(0);
  expect(await listAccountInstances(sql, marketId, { gone: true })).toEqual(known);
});
