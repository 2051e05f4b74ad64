import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpendAnswer } from '../../src/api/spend.ts';
import { loadConfig } from '../../src/config.ts';
import type { Sql } from '../../src/db/connection.ts';
import { ensureMarket } from '../../src/db/markets.ts';
import { landBills, makeCharge, makeInvoice } from '../support/made-bills.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { runInProcess } from './run-in-process.ts';

let folder: string;
let sql: Sql;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-spend-'));
  const database = await createTestDatabase();
  ({ sql } = database);
  env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data') };
  const { id } = await ensureMarket(sql, 'simulator', 'simulated');
  const charge = {
    start: '2026-03-01T00:00:00Z',
    end: '2026-03-03T00:00:00Z',
    amountUsd: '3',
    label: 'tests',
  };
  const payment = { start: '2026-03-02T00:00:00Z', end: '2026-03-02T00:00:00Z', amountUsd: '-20.5' };
  await landBills(sql, id, 'charge', '2026-03-04T00:00:00Z', [makeCharge(1, charge)]);
  await landBills(sql, id, 'invoice', '2026-03-04T00:00:00Z', [makeInvoice(1, payment)]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...args: string[]) => runInProcess(['spend', ...args], loadConfig(env));
const march = ['--from', '2026-03-01', '--to', '2026-04-01'];

describe('offerbook spend', () => {
  it('prints exact sums by group and in all, as a table and as the answer of the API', async () => {
    const table = await run(...march, '--group-by', 'day', '--stack-by', 'label');
    expect([table.code, table.notes]).toEqual([0, []]);
    expect(table.stdout).toMatch(/2026-03-02 +tests +consumption +charged +1.5 +1/);
    expect(table.stdout).toMatch(/in all +consumption +charged +3 +1/);
    expect(table.stdout).toMatch(/in all +payment +charged +-20.5 +1/);
    expect(table.stdout).toMatch(/Balance: not known. No balance was entered/);
    const { stdout } = await run('report', ...march, '--json');
    expect((JSON.parse(stdout) as SpendAnswer).items).toEqual([
      { key: '2026-03', subkey: null, category: 'consumption', basis: 'charged', amountUsd: '3', entries: 1 },
      { key: '2026-03', subkey: null, category: 'payment', basis: 'charged', amountUsd: '-20.5', entries: 1 },
    ]);
  });

  it('counts a balance on from the one that was entered', async () => {
    const set = await run('set-balance', '10.25', '--at', '2026-03-02T00:00:00Z');
    expect([set.code, set.stdout]).toEqual([0, 'Balance at 2026-03-02T00:00:00.000Z: 10.25 USD.\n']);
    expect((await run(...march)).stdout).toMatch(/Balance at 2026-03-04T00:00:00.000Z: 29.25 USD/);
    expect((await run('balances')).stdout).toMatch(/10.25 +administrator[\s\S]*: 29.25 USD/);
  });

  it('prints what changed in closed months', async () => {
    const { code, stdout } = await run('adjustments', ...march);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^month +entry +change/)]);
  });

  it('ends with 2 for what is no sum of money or grouping', async () => {
    expect((await run('set-balance', 'much')).code).toBe(2);
    expect((await run('--group-by', 'gpu')).code).toBe(2);
  });
});
