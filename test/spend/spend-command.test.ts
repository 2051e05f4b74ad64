import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { loadConfig } from '../../src/service/config.ts';
import type { BudgetsAnswer } from '../../src/spend/budgets/budgets.routes.ts';
import type { SpendVsMarketAnswer } from '../../src/spend/reconciliation/spend-checks.routes.ts';
import type { SpendAnswer } from '../../src/spend/spend.routes.ts';
import { landBills, makeCharge, makeInvoice } from '../support/made-bills.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

const charge = (amountUsd: string) =>
  makeCharge(1, { start: '2026-03-01T00:00:00Z', end: '2026-03-03T00:00:00Z', amountUsd, label: 'tests' });
const payment = makeInvoice(1, {
  ...{ start: '2026-03-02T00:00:00Z', end: '2026-03-02T00:00:00Z', amountUsd: '-20.5' },
});

let folder: string;
let sql: Sql;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-spend-'));
  const database = await createTestDatabase();
  ({ sql } = database);
  env = {
    DATABASE_URL: databaseUrl(database.target),
    DATA_DIR: join(folder, 'data'),
    SECRETS_KEY: 'a-key-of-the-tests',
  };
  const { id } = await ensureMarket(sql, 'simulator', 'simulated');
  await landBills(sql, id, 'charge', '2026-03-04T00:00:00Z', [charge('3')]);
  await landBills(sql, id, 'invoice', '2026-03-04T00:00:00Z', [payment]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...args: string[]) => runInProcess(['spend', ...args], loadConfig(env));
const march = ['--from', '2026-03-01', '--to', '2026-04-01'];

describe('offerbook spend', () => {
  it("prints exact sums by group and in total, as a table and as the API's JSON", async () => {
    const table = await run(...march, '--group-by', 'day', '--stack-by', 'label');
    expect([table.code, table.notes]).toEqual([0, []]);
    expect(table.stdout).toMatch(/2026-03-02 +tests +consumption +charged +1.5 +1/);
    expect(table.stdout).toMatch(/Total +consumption +charged +3 +1/);
    expect(table.stdout).toMatch(/Total +payment +charged +-20.5 +1/);
    expect(table.stdout).toMatch(
      /Balance: unknown. No balance was recorded yet: .*\n`offerbook spend set-balance` records a balance\./,
    );
    expect(table.stdout).toMatch(/Synced: charges until 2026-03-04 00:00 UTC, invoices until 2026-03-04/);
    expect(table.stdout).toContain(
      '\nNot compared with the period before: known spend begins only at 2026-03-01 00:00 UTC.\n',
    );
    const after = await run('--from', '2026-03-03', '--to', '2026-03-05');
    expect(after.stdout).toMatch(
      /Nothing was spent in this range; in the period before, from .*, it was 3 USD\./,
    );
    const less = await run('--from', '2026-03-02', '--to', '2026-03-03');
    expect(less.stdout).toMatch(/As much as the 1.5 USD from 2026-03-01 .*, the period before\./);
    const before = await run('--from', '2025-03-01', '--to', '2025-04-01', '--as-of', '2026-03-01T00:00:00Z');
    expect(before.stdout).toMatch(/Spend is unknown: no bills were read yet/);
    const { stdout } = await run('report', ...march, '--json');
    expect((JSON.parse(stdout) as SpendAnswer).items).toEqual([
      { key: '2026-03', subkey: null, category: 'consumption', basis: 'charged', amountUsd: '3', entries: 1 },
      { key: '2026-03', subkey: null, category: 'payment', basis: 'charged', amountUsd: '-20.5', entries: 1 },
    ]);
  });

  it('continues a balance from the recorded one', async () => {
    const set = await run('set-balance', '10.25', '--at', '2026-03-02T00:00:00Z');
    expect([set.code, set.stdout]).toEqual([0, 'Balance at 2026-03-02 00:00 UTC: 10.25 USD.\n']);
    expect((await run(...march)).stdout).toMatch(/Balance at 2026-03-04 00:00 UTC: 29.25 USD/);
    expect((await run('balances')).stdout).toMatch(/10.25 +administrator[\s\S]*: 29.25 USD/);
  });

  it('compares instance costs with the market, and names what it cannot compare', async () => {
    const { code, stdout, notes } = await run('vs-market', ...march);
    expect([code, notes]).toEqual([0, []]);
    expect(stdout).toMatch(/^Source +Model +GPUs +Type +Paid, USD/);
    expect(stdout).toMatch(/instance-1 +3 +unknown +unknown +unknown +unknown +the market has no books/);
    expect(stdout).toMatch(
      /None of the 3 USD for GPUs and disk can be compared: no market prices of those hours are stored/,
    );
    const none = await run('vs-market', '--from', '2025-03-01', '--to', '2025-04-01');
    expect(none.stdout).toMatch(/No instance was charged in this range/);
    const out = join(folder, 'compared.csv');
    await runInProcess(['export', 'spend-vs-market', ...march, '--out', out], loadConfig(env));
    expect(await readFile(out, 'utf8')).toMatch(
      /overEqualMachineUsd,.*,overMarketMedianUsd,overMarketLowestUsd,/,
    );
    const { items } = JSON.parse((await run('vs-market', ...march, '--json')).stdout) as SpendVsMarketAnswer;
    expect(items.map(({ source, paidUsd, hours }) => [source, paidUsd, hours.length])).toEqual([
      ['instance-1', '3', 48],
    ]);
  });

  it('lists the differences between charges, invoices, balances and the ledger with their reasons', async () => {
    const { code, stdout, notes } = await run('reconciliation', ...march);
    expect([code, notes]).toEqual([0, []]);
    expect(stdout).toMatch(/invoices +2026-03 +3 +20.5 +17.5 +/);
    expect(stdout).toMatch(/ledger +instance-1 +0 +3 +3 +it was gone before/);
    const none = await run('reconciliation', '--from', '2025-03-01', '--to', '2025-04-01');
    expect(none.stdout).toMatch(/^No differences/);
  });

  it('prints what changed in closed months', async () => {
    const none = await run('adjustments', ...march);
    expect([none.code, none.stdout.trimEnd()]).toEqual([0, 'No closed month in this range has changed.']);
    const [market] = await sql<{ id: number }[]>`select id from market`;
    const land = (kind: 'charge' | 'invoice', at: string, bills: Parameters<typeof landBills>[4]) =>
      landBills(sql, market?.id ?? 0, kind, at, bills);
    await land('invoice', '2026-04-05T00:00:00Z', [payment]);
    await land('charge', '2026-04-05T00:00:00Z', [charge('3')]);
    await land('charge', '2026-04-06T00:00:00Z', [charge('3.5')]);
    const { stdout } = await run('adjustments', ...march);
    expect(stdout).toMatch(
      /2026-03 +\d+ +changed +consumption +instance-1 +2026-04-06T00:00:00.000Z +3 +3.5 +0.5/,
    );
    expect((await run(...march)).stdout).toMatch(/2026-03 was closed; 0.5 USD of adjustments came later/);
  });

  it('says that nothing was spent in the period before, once spend before it is known', async () => {
    const [market] = await sql<{ id: number }[]>`select id from market`;
    const dates = { start: '2025-12-01T00:00:00Z', end: '2025-12-02T00:00:00Z' };
    const earlier = makeCharge(2, { ...dates, amountUsd: '1' });
    const charges = [earlier, charge('3.5')];
    await landBills(sql, market?.id ?? 0, 'charge', '2026-04-07T00:00:00Z', charges);
    expect((await run(...march)).stdout).toContain('\nNothing was spent in the period before.\n');
  });

  it('exits with 2 for an invalid amount or grouping', async () => {
    expect((await run('set-balance', 'much')).code).toBe(2);
    expect((await run('--group-by', 'gpu')).code).toBe(2);
  });
});

describe('offerbook budget', () => {
  it('sets, lists, changes and removes the budget of a label and of everything', async () => {
    const budget = (...args: string[]) => runInProcess(['budget', ...args], loadConfig(env));
    const lines = async (): Promise<string[]> =>
      (await budget('list')).stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim());
    expect((await budget('list')).stdout).toMatch(/^No budget yet: `offerbook budget set 200`/);
    const made = await budget('set', '200', '--label', 'tests', '--alert-at', '1', '0.8', '--block-rentals');
    expect([made.code, made.notes]).toEqual([0, []]);
    expect((await budget('set', '1000')).code).toBe(0);
    const month = new Date().toISOString().slice(0, 7);
    const both = await lines();
    expect(both[0]).toBe(
      'Label Budget, USD Month Spent Share Burn rate, $/hour Projected Alerts reached Blocks rentals',
    );
    expect(both).toContain(`everything 1000 ${month} 0 0.0% 0 0`);
    expect(both).toContain(`tests 200 ${month} 0 0.0% 0 0 rentals`);
    await budget('set', '300', '--label', 'tests', '--no-block-rentals');
    expect(await lines()).toContain(`tests 300 ${month} 0 0.0% 0 0`);
    const { items } = JSON.parse((await budget('list', '--json')).stdout) as BudgetsAnswer;
    expect(items.map(({ label, alertAt }) => [label, alertAt])).toEqual([
      [null, [0.5, 0.8, 1]],
      ['tests', [0.8, 1]],
    ]);
    // No channel is notified until one is named; naming it again adds no second rule.
    const silent = async () => (await lines()).find((line) => line.startsWith('No channel is notified'));
    expect(await silent()).toMatch(/of alerts of everything, tests:/);
    const add = ['--kind', 'webhook', '--name', 'desk', '--config', 'url=https://example.org/hook'];
    expect((await runInProcess(['channel', 'add', ...add], loadConfig(env))).code).toBe(0);
    expect((await budget('set', '300', '--label', 'tests', '--channel', 'nobody')).code).toBe(2);
    for (const usd of ['300', '301'])
      expect((await budget('set', usd, '--label', 'tests', '--channel', 'desk')).code).toBe(0);
    expect(await silent()).toMatch(/of alerts of everything:/);
    const { rules } = JSON.parse(
      (await runInProcess(['rule', 'list', '--json'], loadConfig(env))).stdout,
    ) as {
      rules: object[];
    };
    expect(rules).toMatchObject([{ kind: 'budget', params: { budgetId: items[1]?.id }, enabled: true }]);
    expect((await budget('remove', '--label', 'tests')).stdout).toBe('Deleted the budget.\n');
    expect((await budget('remove', '--label', 'tests')).code).toBe(2);
    expect((await lines()).filter((line) => /^(tests|everything) /.test(line))).toEqual([
      `everything 1000 ${month} 0 0.0% 0 0`,
    ]);
    expect((await budget('set', 'much')).code).toBe(2);
  });
});
