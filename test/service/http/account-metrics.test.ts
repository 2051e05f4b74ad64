import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { marketKinds } from '../../../src/market/registry.ts';
import { pollInstances } from '../../../src/rentals/instances/poll-instances.ts';
import type { BudgetsAnswer } from '../../../src/spend/budgets/budgets.routes.ts';
import type { SpendAnswer } from '../../../src/spend/spend.routes.ts';
import { createTestPoller, startListMarket } from '../../rentals/test-poller.ts';
import { landBills, makeCharge, makeInvoice } from '../../support/made-bills.ts';
import { readSamples, type Sample } from '../../support/scraped-metrics.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

const isOfAccount = ({ name }: Sample): boolean =>
  /^offerbook_(account|instance|spend|balance|budget)_/.test(name);
const valuesOf = (samples: readonly Sample[], name: string): [Record<string, string>, number][] =>
  samples.filter((each) => each.name === name).map(({ labels, value }) => [labels, value]);

const scrape = async ({ app }: TestApp, token: string | null): Promise<Response> =>
  await app.request('/metrics', { headers: token === null ? {} : { authorization: `Bearer ${token}` } });

async function scrapeAccount(test: TestApp): Promise<Sample[]> {
  let samples: Sample[] = [];
  await expect
    .poll(async () => {
      samples = readSamples(await (await scrape(test, test.tokens.viewer)).text()).filter(isOfAccount);
      return samples.length;
    })
    .toBeGreaterThan(0);
  return samples;
}

async function post(test: TestApp, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${test.tokens.operator}`, 'content-type': 'application/json' };
  const answer = await test.app.request(path, { method: 'POST', body: JSON.stringify(body), headers });
  expect(answer.status).toBe(201);
}

async function fill(test: TestApp, instances: number): Promise<void> {
  const { sql, market } = test;
  await landBills(sql, market.id, 'charge', '2026-07-31T01:00:00Z', [
    makeCharge(1, {
      start: '2026-07-30T00:00:00Z',
      end: '2026-07-31T00:00:00Z',
      amountUsd: '12.34',
      label: 'a',
    }),
    makeCharge(2, { start: '2026-06-02T00:00:00Z', end: '2026-06-03T00:00:00Z', amountUsd: '500' }),
  ]);
  await landBills(sql, market.id, 'invoice', '2026-07-31T01:10:00Z', [
    makeInvoice(1, { start: '2026-07-02T00:00:00Z', amountUsd: '-100' }),
  ]);
  await post(test, '/api/balances', { at: '2026-07-01T00:00:00Z', amountUsd: '50' });
  await post(test, '/api/budgets', { monthlyUsd: '10' });
  await post(test, '/api/budgets', { monthlyUsd: '90', label: 'a' });
  const rows = Array.from({ length: instances }, (_, index) => ({
    ...{ id: 100 + index, gpu_name: 'RTX 4090', num_gpus: 1, machine_id: 7_777, host_id: 8_888 },
    ...{ actual_status: index === 0 ? 'exited' : 'running', label: `job "${index}"`, disk_space: 10 },
    ...(index === 1 ? {} : { dph_base: 0.1 + index / 100, storage_cost: 0.1 }),
  }));
  const { poller } = await createTestPoller(sql, await startListMarket({ rows }));
  await pollInstances(
    { ...poller, marketId: market.id, now: () => new Date('2026-07-31T01:59:00Z') },
    { crawlId: uuidv7(), cause: 'cron' },
  );
}

const openLive = async (): Promise<TestApp> => await createTestApp({ openMetrics: true }, 'live');

it('equals what the API says of spend, budgets, balance and instances', async () => {
  const test = await openLive();
  await fill(test, 5);
  const samples = await scrapeAccount(test);
  const market = 'test-market';
  const spend = await test.json<SpendAnswer>('/api/spend?from=2026-07-01&to=2026-08-01');
  expect(spend.totals.length).toBeGreaterThan(1);
  expect(valuesOf(samples, 'offerbook_spend_month_usd')).toEqual(
    spend.totals.map(({ category, basis, amountUsd }) => [{ market, category, basis }, Number(amountUsd)]),
  );
  expect(spend.balance.amountUsd).not.toBeNull();
  expect(valuesOf(samples, 'offerbook_balance_usd')).toEqual([[{ market }, Number(spend.balance.amountUsd)]]);
  const { items: budgets } = await test.json<BudgetsAnswer>('/api/budgets');
  const label = (of: string | null) => (of === null ? { market } : { market, label: of });
  expect(valuesOf(samples, 'offerbook_budget_usd')).toEqual([
    [{ market }, 10],
    [{ market, label: 'a' }, 90],
  ]);
  expect(valuesOf(samples, 'offerbook_budget_spent_usd')).toEqual(
    budgets.map((budget) => [label(budget.label), Number(budget.state.spentUsd)]),
  );
  expect(valuesOf(samples, 'offerbook_budget_projected_usd')).toEqual(
    budgets.map((budget) => [label(budget.label), Number(budget.state.projectedUsd)]),
  );
  const instances = await test.json<{
    items: { instanceId: number; usdPerHour: string | null; label: string; cost: { usd: string } }[];
    totalUsdPerHour: string;
    unpriced: number;
  }>('/api/instances');
  expect(valuesOf(samples, 'offerbook_account_usd_per_hour')).toEqual([
    [{ market }, Number(instances.totalUsdPerHour)],
  ]);
  expect([instances.unpriced, valuesOf(samples, 'offerbook_account_unpriced_instances')]).toEqual([
    1,
    [[{ market }, 1]],
  ]);
  expect(valuesOf(samples, 'offerbook_account_instances')).toEqual([
    [{ market, state: 'start-failed' }, 1],
    [{ market, state: 'running' }, 4],
  ]);
  const priced = instances.items.filter(({ usdPerHour }) => usdPerHour !== null);
  const ofInstance = ({ instanceId, label: of }: (typeof priced)[number]) => ({
    ...{ market, instance_id: String(instanceId), gpu_name: 'RTX 4090', label: of },
  });
  expect(priced).toHaveLength(4);
  expect(new Map(valuesOf(samples, 'offerbook_instance_usd_per_hour'))).toEqual(
    new Map(priced.map((one) => [ofInstance(one), Number(one.usdPerHour)])),
  );
  expect(valuesOf(samples, 'offerbook_instance_cost_usd')).toHaveLength(5);
});

it('has 30 instances at most, the dearest, and no machine or host', async () => {
  const test = await openLive();
  await fill(test, 40);
  const samples = await scrapeAccount(test);
  const ids = valuesOf(samples, 'offerbook_instance_usd_per_hour').map(([{ instance_id: id }]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 30 }, (_, place) => 139 - place));
  expect(valuesOf(samples, 'offerbook_account_instances').map(([, count]) => count)).toEqual([1, 39]);
  expect([...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))].sort()).toEqual([
    ...['basis', 'category', 'gpu_name', 'instance_id', 'label', 'market', 'state'],
  ]);
});

it('needs a token of the role viewer for figures of the account, also where the rest is open', async () => {
  const test = await openLive();
  await fill(test, 2);
  await scrapeAccount(test);
  const open = await scrape(test, null);
  expect(open.status).toBe(200);
  expect(readSamples(await open.text()).filter(isOfAccount)).toEqual([]);
  expect((await scrape(test, test.tokens.feed)).status).toBe(403);
  expect((await scrape(test, 'not-a-token')).status).toBe(401);
});

it('has no figures of an account where the market has none', async () => {
  const marketKind = marketKinds.find(({ parts }) => !parts.includes('account'));
  if (marketKind === undefined) throw new Error('every kind of market has an account');
  const test = await createTestApp({ openMetrics: true, marketKind }, 'live');
  const samples = readSamples(await (await scrape(test, test.tokens.viewer)).text());
  expect(samples.length).toBeGreaterThan(0);
  expect(samples.filter(isOfAccount)).toEqual([]);
});
