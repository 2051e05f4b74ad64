import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { createBills } from '../../src/market/vast/bills.ts';
import { agree } from '../../src/prices/explain/explained-figures.ts';
import { changeInstance } from '../../src/rentals/instances/change-instance.ts';
import { type LedgerInstance, readLedger } from '../../src/rentals/instances/ledger.ts';
import { pollInstances } from '../../src/rentals/instances/poll-instances.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import { crawlBilling } from '../../src/spend/bills/crawl-bills.ts';
import { explainInstance, explainInstances } from '../../src/spend/explain-instance.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();
const by = 'tester';

async function shown({ actor, clock }: TestAccount): Promise<LedgerInstance | undefined> {
  const [one] = await readLedger(sql, actor.market.id, clock.now);
  return one;
}

describe('a GPU', () => {
  it('is idle once every poll of an hour saw it under 5% busy, and not before', async () => {
    const account = await createTestAccount(sql);
    const { actor, client, clock } = account;
    await rent(actor, account.request(0), { key: 'idle', by });
    await account.pass(90);
    let busyPercent: number | null = 3;
    const listInstances: typeof client.listInstances = async (options) => {
      const list = await client.listInstances(options);
      return {
        ...list,
        instances: list.instances.map((one) => ({ ...one, gpuUtilPercent: busyPercent })),
      };
    };
    const pass = async (minutes: number): Promise<boolean | null | undefined> => {
      for (let passed = 0; passed < minutes; passed += 5) {
        clock.now = new Date(clock.now.getTime() + 300_000);
        await pollInstances(
          {
            sql,
            account: { listInstances },
            marketId: actor.market.id,
            log: silentLog,
            now: () => clock.now,
          },
          { crawlId: uuidv7(), cause: 'cron' },
        );
      }
      return (await shown(account))?.idle;
    };
    expect([await pass(55), await pass(10)]).toEqual([false, true]);
    busyPercent = 5;
    expect(await pass(5)).toBe(false);
    busyPercent = 0;
    expect([await pass(55), await pass(5)]).toEqual([false, true]);
    busyPercent = null;
    expect(await pass(5)).toBe(false);
  });
});

describe('a cheaper equal machine', () => {
  it('is the cheapest in the newest book that lacks nothing, with its saving, and never a blocked one', async () => {
    const account = await createTestAccount(sql, { simulated: { offersPerType: 400 } });
    const { actor, simulator } = account;
    const tiers = ['deverified', 'unverified', 'verified'];
    const price = (row: Row): number => Number(row.dph_base) + (Number(row.storage_cost) * 20) / 720;
    type Row = ReturnType<typeof simulator.offersAt>[number];
    const rows = (): Row[] =>
      simulator
        .offersAt(undefined, { storageGb: 20 })
        .filter((row) => row.rentable === true && Number(row.disk_space) >= 20);
    const equals = (own: Row): Row[] =>
      rows()
        .filter((row) => row.machine_id !== own.machine_id && row.gpu_name === own.gpu_name)
        .filter((row) => row.num_gpus === own.num_gpus)
        .filter((row) => tiers.indexOf(String(row.verification)) >= tiers.indexOf(String(own.verification)))
        .filter((row) => Number(row.reliability2) >= Number(own.reliability2) - 0.01)
        .filter((row) => price(row) <= 0.95 * price(own))
        .sort((a, b) => price(a) - price(b));
    await account.crawl();
    // None so much cheaper that its price would be an outlier.
    const own = rows()
      .filter((row) => row.vms_enabled !== true)
      .find((row) => equals(row).length >= 2 && price(row) < 3 * price(equals(row)[0] ?? row));
    if (own === undefined) throw new Error('the market has no such machine');
    await rent(actor, account.request(0, { offerId: Number(own.id) }), { key: 'dear', by });
    await account.pass(90);
    await account.crawl();
    const [best, second] = equals(own);
    expect((await shown(account))?.cheaper).toMatchObject({
      machineId: best?.machine_id,
      usdPerHour: expect.closeTo(price(best ?? own), 9),
      savesUsdPerDay: expect.stringMatching(/^\d+(\.\d+)?$/),
    });
    const saves = 24 * (price(own) - price(best ?? own));
    expect(Number((await shown(account))?.cheaper?.savesUsdPerDay)).toBeCloseTo(saves, 5);
    await sql`insert into blocklist_entry (id, market_id, kind, machine_id, added_at)
      values (gen_random_uuid(), ${actor.market.id}, 'block', ${Number(best?.machine_id)}, now())`;
    expect((await shown(account))?.cheaper?.machineId).toBe(second?.machine_id);
  });
});

describe('the cost of an instance', () => {
  it('is charged as far as charges reach and estimated after that, with the difference between the two', async () => {
    const traffic = { downGbPerHour: 5, upGbPerHour: 2 };
    const account = await createTestAccount(sql, { simulated: { traffic } });
    const { actor, simulator, clock, client } = account;
    const { rental } = await rent(actor, account.request(0), { key: 'cost', by });
    await account.pass(90);
    clock.now = new Date(clock.now.getTime() + 6 * 3_600_000);
    await account.list();
    const before = (await shown(account))?.cost;
    expect(before).toMatchObject({ chargedUsd: null, differenceUsd: null, usd: before?.estimatedUsd });
    const explained = async () => {
      const scope = { marketId: actor.market.id, asOf: clock.now };
      const [all, one] = [
        await explainInstances(sql, scope),
        await explainInstance(sql, scope, rental.instanceId ?? 0),
      ];
      for (const { value, recomputed } of [all, one]) expect(agree(value, recomputed)).toBe(true);
      expect(all.value.usdPerHour).toBeCloseTo(Number(rental.usdPerHour), 9);
      return one;
    };
    expect((await explained()).value).toMatchObject({ costUsd: Number(before?.usd) });
    const run = { crawlId: uuidv7(), cause: 'command' as const, tickAt: null, jobId: null };
    const crawler = {
      sql,
      bills: createBills(client),
      marketId: actor.market.id,
      log: silentLog,
      now: () => clock.now,
    };
    const { kind } = await crawlBilling({ ...crawler, newId: uuidv7 }, { ...run, kind: 'charge' });
    expect(kind).toBe('complete');
    const charges = simulator.charges();
    const sum = charges.reduce((usd, { amountUsd }) => usd + Number(amountUsd), 0);
    const trafficUsd = charges
      .flatMap(({ items }) => items)
      .filter(({ type }) => type === 'bwd' || type === 'bwu')
      .reduce((usd, { amountUsd }) => usd + Number(amountUsd), 0);
    const chargedAt = clock.now;
    clock.now = new Date(clock.now.getTime() + 2 * 3_600_000);
    await account.list();
    const after = (await shown(account))?.cost;
    expect(after?.chargedUntil).toEqual(chargedAt);
    const entries = await explained();
    expect(entries.value).toMatchObject({ costUsd: Number(after?.usd) });
    expect(new Set(entries.taken.map(({ kind }) => kind))).toEqual(new Set(['consumption', 'estimate']));
    expect(Number(after?.chargedUsd)).toBeCloseTo(sum, 6);
    // Two hours at the price of the quote behind the last charge.
    expect(Number(after?.usd)).toBeCloseTo(sum + 2 * Number(rental.usdPerHour), 6);
    const estimatedBefore = Number(after?.estimatedUsd) - 2 * Number(rental.usdPerHour);
    expect(Number(after?.differenceUsd)).toBeCloseTo(sum - trafficUsd - estimatedBefore, 6);
    expect(trafficUsd).toBeGreaterThan(0);
    expect(Math.abs(Number(after?.differenceUsd))).toBeLessThan(0.01 * sum);
    await changeInstance(actor, rental.instanceId ?? 0, { wanted: 'destroyed', by });
  });
});

it('a rental has the state of the list that its price is of, before what looks after it has seen that', async () => {
  const account = await createTestAccount(sql);
  const { actor, clock, list } = account;
  await rent(actor, account.request(0), { key: 'state of the list', by });
  const seen = async () => {
    const one = await shown(account);
    return [one?.state, one?.rental?.state, one?.billedUsdPerHour === one?.runningUsdPerHour];
  };
  await account.pass(30);
  expect(await seen()).toEqual(['provisioning', 'provisioning', false]);
  clock.now = new Date(clock.now.getTime() + 60_000);
  await list();
  expect(await seen()).toEqual(['running', 'provisioning', true]);
  await account.poll();
  expect((await seen()).slice(1)).toEqual([expect.stringMatching(/running|ready/), true]);
  const stopped = { wanted: 'stopped', by } as const;
  await changeInstance(actor, (await shown(account))?.instanceId ?? 0, stopped);
  await account.pass(30);
  expect(await seen()).toEqual(['stopped', 'stopped', false]);
});
