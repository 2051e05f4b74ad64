import { describe, expect, it } from 'vitest';
import type { OrderChoice } from '../../src/orders/order.ts';
import type { NewOrder } from '../../src/orders/order-body.ts';
import { tryStored } from '../../src/orders/order-changes.ts';
import type { WatchFilters } from '../../src/watches/watch.ts';
import { createTestAccount, type TestAccount } from '../rentals/test-account.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { armNew, by, carryOut, look, makeWatch, publicUrl } from './test-orders.ts';

const { sql } = await createTestDatabase();
const hourMs = 3_600_000;

/** Lands books one by one with the orders armed, and returns what each rented and what its dry run says afterwards. */
async function replay(
  account: TestAccount,
  orders: Partial<NewOrder>[],
  { books, everyHours, armAfter = 0 }: { books: number; everyHours: number; armAfter?: number },
) {
  const next = async () => {
    account.clock.now = new Date(account.clock.now.getTime() + everyHours * hourMs);
    // What is over is destroyed and gone, as with a poll a minute.
    await account.pass(120, 60);
    await account.crawl();
  };
  for (let book = 0; book < armAfter; book += 1) await next();
  const endsAt = new Date(account.clock.now.getTime() + 100 * 86_400_000).toISOString();
  const ids: string[] = [];
  for (const fields of orders) ids.push((await armNew(account, { endsAt, ...fields })).id);
  const from = new Date(account.clock.now.getTime() + 1).toISOString();
  for (let book = armAfter; book < books; book += 1) {
    await next();
    await carryOut(account.actor);
    // Its machines run before the next book, as in a dry run.
    await account.pass(120, 60);
  }
  const to = new Date(account.clock.now.getTime() + 1).toISOString();
  const results = [];
  for (const id of ids) {
    const { machines, attempts } = await look(account, id);
    const dry = await tryStored({ actor: account.actor, publicUrl, by }, id, { from, to });
    const rounded = (usd: string | number) => Number(Number(usd).toFixed(9));
    results.push({
      attempts,
      dry,
      live: machines.map(({ bookId, choice, machineId, rental }) => [
        ...[String(bookId), choice, machineId, rounded(rental?.usdPerHour ?? 0)],
      ]),
      past: dry.rents.map(({ bookId, choice, machineId, usdPerHour }) => [
        ...[bookId, choice, machineId, rounded(usdPerHour)],
      ]),
    });
  }
  return results;
}

describe('a dry run over the past', () => {
  it('rents what the order itself rented when the same books landed one by one', async () => {
    const account = await createTestAccount(sql, { simulated: { seed: 5, offersPerType: 120 } });
    await account.crawl();
    // Orders that compete for an offer in the same book see it alone in their dry runs: these do not.
    const names = await sql<{ name: string }[]>`select name from country order by id`;
    const quarters = [0, 1, 2, 3].map((rest) =>
      names.flatMap(({ name }, at) => (at % 4 === rest ? [name] : [])),
    );
    const idOf = async (quarter: number, filters: WatchFilters = {}): Promise<string> =>
      (await makeWatch(account, { ...filters, country: quarters[quarter] ?? [] })).id;
    const all = await idOf(0);
    const pairs = await idOf(1, { numGpus: [2] });
    const big = await idOf(1, { minVramGb: 40 });
    const cheap = await idOf(2);
    const roomy = await idOf(3);
    const limited = { image: 'ubuntu:24.04', diskGb: 20, maxHours: 5, endAction: 'destroy' as const };
    const large = { image: 'ubuntu:24.04', diskGb: 400 };
    const orders: Partial<NewOrder>[] = [
      { count: 9, choices: [{ watchId: all, maxUsdPerGpuHour: 0.06 }] },
      {
        count: 7,
        choices: [
          { watchId: pairs, maxUsdPerGpuHour: 0.1 },
          { watchId: big, maxUsdPerGpuHour: 2 },
        ],
      },
      { count: 9, budgetUsd: '4', request: limited, choices: [{ watchId: cheap, maxUsdPerGpuHour: 0.3 }] },
      { count: 5, request: large, choices: [{ watchId: roomy, maxUsdPerGpuHour: 0.12 }] },
    ];
    const results = await replay(account, orders, { books: 10, everyHours: 3 });
    for (const { live, past } of results) expect(past).toEqual(live);
    // Unless they rented at different times, by several choices and within a budget, nothing is proved.
    expect(results.map(({ live }) => live.length).every((count) => count > 0)).toBe(true);
    expect(new Set(results.flatMap(({ live }) => live.map(([bookId]) => bookId))).size).toBeGreaterThan(2);
    expect(new Set(results[1]?.live.map(([, choice]) => choice)).size).toBe(2);
    expect(results[2]?.dry).toMatchObject({ state: 'out-of-budget' });
    expect(Number(results[2]?.dry.committedUsd)).toBeLessThanOrEqual(4);
  });

  it('judges percentiles by the history that there was at each book', async () => {
    const account = await createTestAccount(sql, { simulated: { seed: 7, offersPerType: 120 } });
    const watchId = (await makeWatch(account)).id;
    const days = 7 as const;
    const choices: OrderChoice[] = [{ watchId, maxPercentile: { percentile: 4, days } }];
    const [result] = await replay(account, [{ count: 20, choices }], {
      books: 16,
      everyHours: 12,
      armAfter: 11,
    });
    expect(result?.past).toEqual(result?.live);
    expect(result?.live.length).toBeGreaterThan(1);
  });

  it('says how long the order would have waited, and nothing without a book', async () => {
    const account = await createTestAccount(sql);
    const order = await armNew(account, { count: 2 });
    expect(order.dryRun).toMatchObject({ books: 0, wouldRent: 0, medianHoursToRent: null, state: null });
    await account.crawl();
    const from = new Date(account.clock.now.getTime() - 3 * hourMs).toISOString();
    const dry = await tryStored({ actor: account.actor, publicUrl, by }, order.id, { from });
    expect(dry).toMatchObject({ books: 1, wouldRent: 2, medianHoursToRent: 3, state: 'filled' });
  });
});
