import { describe, expect, it } from 'vitest';
import { connect } from '../../src/database/connection.ts';
import { listAudit } from '../../src/rentals/audit.sql.ts';
import { changeInstance } from '../../src/rentals/instances/change-instance.ts';
import { listRateSteps } from '../../src/rentals/instances/instance-rates.sql.ts';
import { nameInstance } from '../../src/rentals/instances/name-instance.ts';
import { findPlan } from '../../src/rentals/instances/plans.sql.ts';
import { reconcileAccount } from '../../src/rentals/instances/reconcile-account.ts';
import { estimateCost } from '../../src/rentals/instances/rental-cost.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import { findRental, listRentals } from '../../src/rentals/rent/rentals.sql.ts';
import type { Rental } from '../../src/rentals/rental.ts';
import { reply, startScriptedServer } from '../market/scripted-server.ts';
import { createTestClient } from '../market/test-client.ts';
import { breakSimulator } from '../simulator/mutants/break-simulator.ts';
import { mutantOf } from '../simulator/mutants/mutants.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

const { sql, target } = await createTestDatabase();
const by = 'tester';

async function rentReady(account: TestAccount, fields = {}) {
  const { rental } = await rent(account.actor, account.request(0, fields), { key: 'one', by });
  await account.pass(90);
  expect((await findRental(sql, rental.id))?.state).toBe('ready');
  return { rental, instanceId: rental.instanceId ?? 0 };
}

const phaseOf = ({ simulator }: TestAccount, id: number) =>
  simulator.instances().find((one) => one.id === id)?.phase;

describe('an instance that has run is not destroyed automatically', () => {
  it('after a stop that ends as exited', async () => {
    const account = await createTestAccount(sql);
    const { rental, instanceId } = await rentReady(account, { onFailure: 'replace' });
    await changeInstance(account.actor, instanceId, { wanted: 'stopped', by });
    account.simulator.setInstancePhase(instanceId, 'exited');
    await account.pass(1800, 300);
    expect(phaseOf(account, instanceId)).toBe('exited');
    expect((await findRental(sql, rental.id))?.state).toBe('stopped');
  });

  it('after it was stopped outside Offerbook', async () => {
    const account = await createTestAccount(sql);
    const { rental, instanceId } = await rentReady(account, { onFailure: 'replace' });
    await account.client.stopInstance(instanceId);
    await account.pass(1800, 300);
    expect([phaseOf(account, instanceId), (await findRental(sql, rental.id))?.state]).toEqual([
      'stopped',
      'stopped',
    ]);
  });

  it('when it goes offline and comes back', async () => {
    const account = await createTestAccount(sql);
    const { rental, instanceId } = await rentReady(account, { onFailure: 'replace' });
    account.simulator.setInstancePhase(instanceId, 'offline');
    await account.pass(600, 60);
    expect((await findRental(sql, rental.id))?.state).toBe('down');
    account.simulator.setInstancePhase(instanceId, 'running');
    await account.pass(60);
    expect([phaseOf(account, instanceId), (await findRental(sql, rental.id))?.state]).toEqual([
      'running',
      'ready',
    ]);
  });
});

describe('an instance counts as destroyed', () => {
  it('only once a list proves it: not after a wrong key, a false success or while it is still listed', async () => {
    const account = await createTestAccount(sql);
    const { actor } = account;
    const { rental, instanceId } = await rentReady(account);
    const stateOf = async () => (await findRental(sql, rental.id))?.state;
    // The market says 404 to a wrong key, as it does to an instance that is gone.
    const wrongKey = { success: false, error: 'not_found', msg: 'Invalid user key' };
    const { baseUrl } = await startScriptedServer(reply(404, wrongKey));
    const { destroyInstance } = createTestClient(baseUrl).client;
    const lockedOut = { ...actor, account: account.accountOf({ destroyInstance }) };
    const end = await changeInstance(lockedOut, instanceId, { wanted: 'destroyed', by });
    expect(end).toMatchObject({ outcome: 'pending', problem: expect.stringContaining('key') });
    await account.pass(20);
    expect([phaseOf(account, instanceId), await stateOf()]).toEqual(['running', 'destroying']);
    account.simulator.setFaults(['success-false@DELETE /api/v0/instances#1']);
    await account.pass(30);
    expect([phaseOf(account, instanceId), await stateOf()]).toEqual(['running', 'destroying']);
    await account.pass(90);
    expect([phaseOf(account, instanceId), await stateOf()]).toEqual(['destroyed', 'destroyed']);
  });

  it('not while lists lag behind', async () => {
    const account = await createTestAccount(sql);
    const { rental, instanceId } = await rentReady(account);
    account.simulator.setFaults(['lagging-instances=45']);
    await changeInstance(account.actor, instanceId, { wanted: 'destroyed', by });
    await account.pass(30);
    expect((await findRental(sql, rental.id))?.state).toBe('destroying');
    await account.pass(30);
    expect((await findRental(sql, rental.id))?.state).toBe('destroyed');
  });
});

describe('a stop', () => {
  const requestsOf = ({ simulator }: TestAccount, id: number, method: string) =>
    simulator.requests().filter((one) => one.method === method && one.path.includes(`/instances/${id}`));

  it('is done once a list shows it; an instance started elsewhere runs on, and costs, until its hours are over', async () => {
    const account = await createTestAccount(sql);
    const { rental, instanceId } = await rentReady(account, { maxHours: 3, onFailure: 'replace' });
    await changeInstance(account.actor, instanceId, { wanted: 'stopped', by });
    await account.pass(20);
    expect((await findRental(sql, rental.id))?.state).toBe('stopped');
    await account.client.startInstance(instanceId);
    await account.pass(120);
    expect([phaseOf(account, instanceId), (await findRental(sql, rental.id))?.state]).toEqual([
      'running',
      'ready',
    ]);
    // Stopped elsewhere an hour later: the lists date that stop, not the earlier one.
    await account.pass(3_600, 600);
    await account.client.stopInstance(instanceId);
    await account.pass(10);
    const steps = await listRateSteps(sql, account.actor.market.id, instanceId);
    const charged = account.simulator.charges().reduce((sum, { amountUsd }) => sum + Number(amountUsd), 0);
    expect(Number(estimateCost(steps, account.clock.now).usd) / charged).toBeCloseTo(1, 1);
    await account.client.startInstance(instanceId);
    await account.pass(7_200, 600);
    expect(phaseOf(account, instanceId)).toBe('stopped');
  });

  it('is repeated while lists show the instance running, even if the market said that it was accepted', async () => {
    const create = await breakSimulator(mutantOf('stop-without-effect'));
    const account = await createTestAccount(sql, { create });
    const { instanceId } = await rentReady(account);
    await changeInstance(account.actor, instanceId, { wanted: 'stopped', by });
    await account.pass(100);
    expect(requestsOf(account, instanceId, 'PUT').length).toBeGreaterThan(2);
  });

  it('of an instance that the market does not know is refused, and not taken for done', async () => {
    const account = await createTestAccount(sql);
    const { instanceId } = await rentReady(account);
    await account.client.destroyInstance(instanceId);
    for (const wanted of ['stopped', 'running'] as const) {
      await expect(changeInstance(account.actor, instanceId, { wanted, by })).rejects.toThrow();
    }
    const plan = await findPlan(sql, account.actor.market.id, instanceId);
    expect(plan).toMatchObject({ wanted: null, acceptedAt: null });
  });
});

describe('a destroy', () => {
  it('is repeated on request, and then nothing else is accepted', async () => {
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    const { instanceId } = await rentReady(account);
    simulator.setFaults(['reset-before@DELETE /api/v0/instances#1']);
    const first = await changeInstance(actor, instanceId, { wanted: 'destroyed', by });
    expect([first.outcome, phaseOf(account, instanceId)]).toEqual(['pending', 'running']);
    const entries = await listAudit(sql, { afterSeq: 0, limit: 1_000 });
    await expect(changeInstance(actor, instanceId, { wanted: 'stopped', by })).rejects.toThrow(
      'is being destroyed',
    );
    expect(await listAudit(sql, { afterSeq: 0, limit: 1_000 })).toEqual(entries);
    const again = await changeInstance(actor, instanceId, { wanted: 'destroyed', by });
    expect([again.outcome, phaseOf(account, instanceId)]).toEqual(['accepted', 'destroyed']);
  });
});

describe("the settings of a rental's owner", () => {
  it('end it when its hours are over, though the market fails and the process is another one', async () => {
    const account = await createTestAccount(sql);
    const { instanceId } = await rentReady(account, { maxHours: 1, endAction: 'destroy' });
    await account.pass(3_300, 600);
    expect(phaseOf(account, instanceId)).toBe('running');
    account.simulator.setFaults(['500@DELETE /api/v0/instances#2']);
    await account.pass(600, 60);
    expect(phaseOf(account, instanceId)).toBe('destroyed');
  });

  it('destroy an instance that a person stopped, after its hours were over', async () => {
    const account = await createTestAccount(sql);
    const { actor, clock } = account;
    const { instanceId } = await rentReady(account, { maxHours: 1, endAction: 'destroy' });
    clock.now = new Date(clock.now.getTime() + 3_600_000);
    await changeInstance(actor, instanceId, { wanted: 'stopped', by });
    await account.pass(60);
    expect(phaseOf(account, instanceId)).toBe('destroyed');
  });

  it('end its hours even if another process ran for most of them', async () => {
    const account = await createTestAccount(sql);
    const { instanceId } = await rentReady(account, { maxHours: 2 });
    // Another process, with another pool, has nothing but the database.
    const other = connect(target, { max: 2 });
    account.clock.now = new Date(account.clock.now.getTime() + 7_200_000);
    await account.list();
    await reconcileAccount({ ...account.actor, sql: other });
    await other.end();
    expect(phaseOf(account, instanceId)).toBe('stopped');
  });

  it('end its hours before ports are checked, which happens for all together', async () => {
    const account = await createTestAccount(sql);
    const { actor } = account;
    actor.accepts = async () => false;
    const rentals: Rental[] = [];
    for (const [index, maxHours] of [undefined, undefined, 0.05].entries()) {
      rentals.push((await rent(actor, account.request(index, { maxHours }), { key: `${index}`, by })).rental);
    }
    const ended = rentals.at(-1)?.instanceId ?? 0;
    await account.pass(90, 45);
    const { promise: allAreAsked, resolve } = Promise.withResolvers<void>();
    const phases: unknown[] = [];
    actor.accepts = async () => {
      if (phases.push(phaseOf(account, ended)) === rentals.length) resolve();
      await allAreAsked;
      return true;
    };
    await account.pass(90, 90);
    expect(phases).toEqual(['stopped', 'stopped', 'stopped']);
    expect((await findRental(sql, rentals[0]?.id ?? ''))?.state).toBe('ready');
  });

  it('keep the unchanged one of hours and end action', async () => {
    const account = await createTestAccount(sql);
    const { instanceId } = await rentReady(account, { maxHours: 5, endAction: 'destroy' });
    const { actor } = account;
    const endOf = async () => {
      const plan = await findPlan(sql, actor.market.id, instanceId);
      return [plan?.maxHours, plan?.endAction];
    };
    await nameInstance(actor, instanceId, { maxHours: 10 }, { by });
    expect(await endOf()).toEqual([10, 'destroy']);
    await nameInstance(actor, instanceId, { endAction: 'stop' }, { by });
    expect(await endOf()).toEqual([10, 'stop']);
    await nameInstance(actor, instanceId, { maxHours: null }, { by });
    expect(await endOf()).toEqual([null, null]);
    const alone = nameInstance(actor, instanceId, { endAction: 'destroy' }, { by });
    await expect(alone).rejects.toMatchObject({ kind: 'invalid-request' });
    const log = await sql<{ detail: string }[]>`
      select detail from audit_log where action = 'change' and market = ${actor.market.name}
        and instance_id = ${instanceId} and actor = ${by} order by seq`;
    expect(log.map(({ detail }) => JSON.parse(detail))).toEqual([
      { maxHours: 10 },
      { endAction: 'stop' },
      { maxHours: null },
    ]);
  });

  it('replace an instance that failed to start on another machine, once it is proved gone', async () => {
    const account = await createTestAccount(sql, { simulated: { bootSeconds: [600, 600] } });
    const { actor, simulator } = account;
    await account.crawl();
    const request = account.request(0, { onFailure: 'replace', label: 'job', nextBest: true });
    const { rental } = await rent(actor, request, { key: 'job', by });
    await account.pass(20);
    simulator.setInstancePhase(rental.instanceId ?? 0, 'exited');
    // The market cannot be searched when it is to be replaced: that is tried again.
    simulator.setFaults(['500@POST /api/v0/bundles']);
    await account.pass(60);
    expect(phaseOf(account, rental.instanceId ?? 0)).toBe('destroyed');
    const all = async () =>
      await listRentals(sql, { marketId: actor.market.id, before: null, limit: 10, open: false });
    expect(await all()).toHaveLength(1);
    simulator.setFaults([]);
    await account.pass(60);
    const [next, first, ...more] = await all();
    expect(more).toEqual([]);
    expect(first).toMatchObject({ id: rental.id, state: 'destroyed', replacementsLeft: 0 });
    expect(next).toMatchObject({ replacesId: rental.id, gpuName: rental.gpuName, label: 'job' });
    expect(next?.machineId).not.toBe(rental.machineId);
    expect(phaseOf(account, next?.instanceId ?? 0)).not.toBe('destroyed');
  });

  it('replace it as often as requested and no more', async () => {
    const account = await createTestAccount(sql, {
      simulated: { bootSeconds: [600, 600], offersPerType: 400 },
    });
    const { actor, simulator } = account;
    await account.crawl();
    const request = account.request(0, { onFailure: 'replace', replacements: 2 });
    await rent(actor, request, { key: 'job', by });
    for (let failures = 0; failures < 4; failures += 1) {
      const booting = simulator.instances().find(({ phase }) => phase !== 'destroyed' && phase !== 'exited');
      if (booting !== undefined) simulator.setInstancePhase(booting.id, 'exited');
      await account.pass(60);
    }
    const all = await listRentals(sql, { marketId: actor.market.id, before: null, limit: 10, open: false });
    expect(all.map(({ state, onFailure }) => [state, onFailure])).toEqual([
      ['start-failed', 'notify'],
      ['destroyed', 'replace'],
      ['destroyed', 'replace'],
    ]);
  });

  it('report a failed start if no other offer exists, and request nothing again', async () => {
    const account = await createTestAccount(sql, { simulated: { bootSeconds: [600, 600] } });
    const { actor, simulator } = account;
    const request = account.request(0, { onFailure: 'replace', label: 'job' });
    const { rental } = await rent(actor, request, { key: 'job', by });
    await account.pass(20);
    simulator.setInstancePhase(rental.instanceId ?? 0, 'exited');
    await account.pass(120);
    expect(phaseOf(account, rental.instanceId ?? 0)).toBe('destroyed');
    const all = await listRentals(sql, { marketId: actor.market.id, before: null, limit: 10, open: false });
    // No book was crawled, so that no other offer is known.
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ state: 'destroyed', replacementsLeft: 0 });
  });
});
