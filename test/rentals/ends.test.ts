import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { listAudit } from '../../src/rentals/audit.sql.ts';
import { listEvents } from '../../src/rentals/events.sql.ts';
import { changeInstance } from '../../src/rentals/instances/change-instance.ts';
import { noEndLimits } from '../../src/rentals/instances/end-limits.ts';
import { extendLimit, extension } from '../../src/rentals/instances/extend-limit.ts';
import { nameInstance } from '../../src/rentals/instances/name-instance.ts';
import { findPlan } from '../../src/rentals/instances/plans.sql.ts';
import { pollInstances } from '../../src/rentals/instances/poll-instances.ts';
import { reconcileAccount } from '../../src/rentals/instances/reconcile-account.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();
const by = 'tester';

/** A rented instance whose GPU use the test sets; null: the market does not state it. */
async function rentMeasured(fields: Partial<RentRequest> = {}) {
  const account = await createTestAccount(sql);
  const { actor, client, clock, simulator } = account;
  const use: { percent: number | null } = { percent: 50 };
  const { rental } = await rent(actor, account.request(0, fields), { key: 'one', by });
  const instanceId = rental.instanceId ?? 0;
  const listInstances: typeof client.listInstances = async (options) => {
    const list = await client.listInstances(options);
    return { ...list, instances: list.instances.map((one) => ({ ...one, gpuUtilPercent: use.percent })) };
  };
  /** A poll of each minute, or of each `everyS` seconds. */
  const pass = async (minutes: number, everyS = 60): Promise<void> => {
    for (let left = minutes * 60; left > 0; left -= everyS) {
      clock.now = new Date(clock.now.getTime() + everyS * 1_000);
      const poller = { sql, account: { listInstances }, marketId: actor.market.id, log: silentLog };
      await pollInstances(
        { ...poller, now: () => clock.now },
        { crawlId: crypto.randomUUID(), cause: 'cron' },
      );
      await reconcileAccount(actor);
    }
  };
  await pass(3);
  return {
    ...{ account, actor, clock, use, pass, rental, instanceId },
    phase: () => simulator.instances().find(({ id }) => id === instanceId)?.phase,
    plan: async () => await findPlan(sql, actor.market.id, instanceId),
    endings: async () =>
      (await listEvents(sql, 0, 100_000)).filter(
        ({ marketId, data }) => marketId === actor.market.id && 'ending' in data,
      ),
  };
}

const readings = async ({ actor }: { actor: TestAccount['actor'] }) =>
  (await listAudit(sql, { afterSeq: 0, limit: 10_000 }))
    .filter(
      ({ market, phase, actor: who }) => market === actor.market.name && phase === 'before' && who !== by,
    )
    .map(({ actor: who, action, detail }) => [
      who,
      action,
      (JSON.parse(detail) as { reading?: string }).reading,
    ]);

describe('idle minutes', () => {
  it('end an instance in the poll that completes them, with a warning before, and not one before', async () => {
    const it = await rentMeasured({ idleMinutes: 30, idlePercent: 10, endAction: 'destroy' });
    it.use.percent = 9;
    // The first of these polls begins the idle time; 30 minutes are over in the 31st.
    await it.pass(15);
    expect((await it.plan())?.ending).toBeNull();
    await it.pass(15);
    expect([it.phase(), (await it.plan())?.ending?.limit]).toEqual(['running', 'idleMinutes']);
    await it.pass(1);
    expect([it.phase(), (await it.plan())?.ending]).toEqual(['destroyed', null]);
    expect(await readings(it)).toEqual([['idleMinutes', 'destroy', 'GPUs under 10% for 30 minutes']]);
    expect((await it.endings()).map(({ data }) => data.ending !== null)).toEqual([true, false]);
  });

  it.each<[what: string, disturb: (it: Awaited<ReturnType<typeof rentMeasured>>) => Promise<void>]>([
    [
      'one poll without GPU use',
      async ({ use, pass }) => {
        use.percent = null;
        await pass(1);
        use.percent = 0;
      },
    ],
    [
      'one busy poll',
      async ({ use, pass }) => {
        use.percent = 5;
        await pass(1);
        use.percent = 0;
      },
    ],
    [
      'seven minutes without a poll',
      async ({ pass }) => {
        await pass(7, 420);
      },
    ],
    [
      'a stop and a start elsewhere',
      async ({ account, instanceId, pass }) => {
        await account.client.stopInstance(instanceId);
        await pass(1);
        await account.client.startInstance(instanceId);
      },
    ],
  ])('begin again after %s', async (_, disturb) => {
    const it = await rentMeasured({ idleMinutes: 20 });
    it.use.percent = 0;
    await it.pass(19);
    await disturb(it);
    await it.pass(19);
    expect(it.phase()).toBe('running');
    await it.pass(6);
    expect(it.phase()).toBe('stopped');
  });

  it('never end an instance whose use no poll knows', async () => {
    const it = await rentMeasured({ idleMinutes: 5 });
    it.use.percent = null;
    await it.pass(60);
    expect([it.phase(), (await it.plan())?.wantedAt, (await it.plan())?.ending]).toEqual([
      'running',
      null,
      null,
    ]);
  });

  it('count since they were set, and again after a person has started it', async () => {
    const it = await rentMeasured();
    it.use.percent = 0;
    await it.pass(40);
    await nameInstance(it.actor, it.instanceId, { idleMinutes: 10 }, { by });
    await it.pass(10);
    expect(it.phase()).toBe('running');
    await it.pass(1);
    expect(it.phase()).toBe('stopped');
    await it.pass(3);
    await changeInstance(it.actor, it.instanceId, { wanted: 'running', by });
    await it.pass(10);
    expect(it.phase()).toBe('running');
    await it.pass(3);
    expect(it.phase()).toBe('stopped');
  });
});

describe('a limit on the cost', () => {
  it('ends an instance in the first poll in which it has cost so much, whatever it did before', async () => {
    const it = await rentMeasured();
    await it.pass(57);
    const usdPerHour = Number(it.rental.usdPerHour);
    // As it costs from the moment it runs, two hours are over within three.
    const maxUsd = Number((usdPerHour * 2).toFixed(4));
    await nameInstance(it.actor, it.instanceId, { maxUsd, warnMinutes: 10 }, { by });
    const chargedUsd = () =>
      it.account.simulator.charges().reduce((sum, { amountUsd }) => sum + Number(amountUsd), 0);
    let before = 0;
    let warned = false;
    for (let minute = 0; minute < 120 && it.phase() === 'running'; minute += 1) {
      before = chargedUsd();
      await it.pass(1);
      warned ||= (await it.plan())?.ending?.limit === 'maxUsd';
    }
    expect([it.phase(), warned]).toEqual(['stopped', true]);
    // Within the half minute to which lists can date the beginning.
    const minute = usdPerHour / 60;
    expect(before).toBeLessThan(maxUsd + minute);
    expect(chargedUsd()).toBeGreaterThan(maxUsd - minute);
    expect((await it.plan())?.spentAt).not.toBeNull();
    const [[who, action, reading] = []] = await readings(it);
    expect([who, action]).toEqual(['maxUsd', 'stop']);
    expect(reading).toContain(`of $${maxUsd}`);
    // A person who starts it again decides; a new limit counts from the beginning too.
    await it.pass(2);
    await changeInstance(it.actor, it.instanceId, { wanted: 'running', by });
    await it.pass(10);
    expect(it.phase()).toBe('running');
    await nameInstance(it.actor, it.instanceId, { maxUsd: maxUsd + 0.0001 }, { by });
    await it.pass(1);
    expect(it.phase()).toBe('stopped');
  });
});

describe('an extension', () => {
  it.each<[limit: string, fields: object, extended: object]>([
    ['hours by one', { maxHours: 0.3 }, { maxHours: 1.3 }],
    ['a moment by an hour', { endsAt: '2026-03-02T00:18:00Z' }, { endsAt: new Date('2026-03-02T01:18:00Z') }],
    ['idle minutes from now', { idleMinutes: 20 }, { idleFrom: new Date('2026-03-02T00:16:00Z') }],
  ])('puts %s off, once', async (_, fields, extended) => {
    const it = await rentMeasured({ ...fields, warnMinutes: 10 });
    it.use.percent = 0;
    await expect(extendLimit(it.actor, it.instanceId, { by })).rejects.toThrow('No limit ends instance');
    await it.pass(13);
    expect((await it.plan())?.ending).not.toBeNull();
    const both = await Promise.allSettled([
      extendLimit(it.actor, it.instanceId, { by }),
      extendLimit(it.actor, it.instanceId, { by }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await it.plan()).toMatchObject({ ...extended, ending: null });
    await it.pass(10);
    expect(it.phase()).toBe('running');
  });

  it('of dollars adds those of an hour, rounded up to the cent', () => {
    const limits = { ...noEndLimits, maxUsd: '12.5' };
    expect(extension(limits, 'maxUsd', new Decimal('0.4211'))).toEqual({ maxUsd: 12.93 });
    expect(() => extension(limits, 'maxUsd', null)).toThrow('set `maxUsd` yourself');
  });
});

describe('a moment', () => {
  it('ends an instance that was rented elsewhere, once, and warns before', async () => {
    const it = await rentMeasured();
    const endsAt = new Date(it.clock.now.getTime() + 20 * 60_000).toISOString();
    await nameInstance(it.actor, it.instanceId, { endsAt, endAction: 'stop', warnMinutes: 5 }, { by });
    await it.pass(15);
    expect((await it.plan())?.ending).toBeNull();
    await it.pass(1);
    expect((await it.plan())?.ending).toMatchObject({ limit: 'endsAt', at: endsAt });
    // Another round over the same list, as after a crash, tells nobody again.
    await reconcileAccount(it.actor);
    expect(await it.endings()).toHaveLength(1);
    await it.pass(3);
    expect(it.phase()).toBe('running');
    await it.pass(1);
    expect(it.phase()).toBe('stopped');
    await it.pass(10);
    expect(await readings(it)).toHaveLength(1);
  });

  it('that has passed is refused before anything is rented', async () => {
    const account = await createTestAccount(sql);
    const request = account.request(0, { endsAt: '2026-03-01T00:00:00Z' });
    await expect(rent(account.actor, request, { key: 'late', by })).rejects.toThrow('`endsAt` has passed');
    expect(account.simulator.instances()).toEqual([]);
  });
});
