import { describe, expect, it } from 'vitest';
import { changeInstance } from '../../src/act/change-instance.ts';
import { rent } from '../../src/act/rent.ts';
import { findRental, listRentals } from '../../src/db/acting/rentals.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();
const by = 'tester';

async function rentReady(account: TestAccount, fields = {}) {
  const { rental } = await rent(account.actor, account.wish(0, fields), { key: 'one', by });
  await account.pass(90);
  expect((await findRental(sql, rental.id))?.state).toBe('ready');
  return { rental, instanceId: rental.instanceId ?? 0 };
}

const phaseOf = ({ simulator }: TestAccount, id: number) =>
  simulator.instances().find((one) => one.id === id)?.phase;

describe('an instance that has run is not destroyed by itself', () => {
  it('after a stop that ends as exited', async () => {
    const account = await createTestAccount(sql);
    const { rental, instanceId } = await rentReady(account, { onFailure: 'replace' });
    await changeInstance(account.actor, instanceId, { wanted: 'stopped', by });
    account.simulator.setInstancePhase(instanceId, 'exited');
    await account.pass(1800, 60);
    expect(phaseOf(account, instanceId)).toBe('exited');
    expect((await findRental(sql, rental.id))?.state).toBe('stopped');
  });

  it('after it was stopped outside Offerbook', async () => {
    const account = await createTestAccount(sql);
    const { rental, instanceId } = await rentReady(account, { onFailure: 'replace' });
    await account.client.stopInstance(instanceId);
    await account.pass(1800, 60);
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
  it('only once a list proves it: not by a wrong key, a false success or while it is still listed', async () => {
    const account = await createTestAccount(sql);
    const { rental, instanceId } = await rentReady(account);
    const stateOf = async () => (await findRental(sql, rental.id))?.state;
    account.simulator.setFaults(['success-false@DELETE /api/v0/instances#2']);
    const end = await changeInstance(account.actor, instanceId, { wanted: 'destroyed', by });
    expect(end).toMatchObject({ outcome: 'pending', problem: expect.any(String) });
    await account.pass(20);
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

describe('what its owner set', () => {
  it('ends a rental when its hours are over, though the market fails and the process is another', async () => {
    const account = await createTestAccount(sql);
    const { instanceId } = await rentReady(account, { maxHours: 1, endAction: 'destroy' });
    await account.pass(3_300, 600);
    expect(phaseOf(account, instanceId)).toBe('running');
    account.simulator.setFaults(['500@DELETE /api/v0/instances#2']);
    await account.pass(600, 60);
    expect(phaseOf(account, instanceId)).toBe('destroyed');
  });

  it('replaces what failed to start, once it is proved gone, on another machine', async () => {
    const account = await createTestAccount(sql, { simulated: { bootSeconds: [600, 600] } });
    const { actor, simulator } = account;
    const wish = account.wish(0, { onFailure: 'replace', label: 'job' });
    const { rental } = await rent(actor, wish, { key: 'job', by });
    await account.pass(20);
    simulator.setInstancePhase(rental.instanceId ?? 0, 'exited');
    await account.pass(120);
    expect(phaseOf(account, rental.instanceId ?? 0)).toBe('destroyed');
    const all = await listRentals(sql, { marketId: actor.market.id, before: null, limit: 10, open: false });
    // No book was crawled, so that no other offer is known: it is told, and never tried again.
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ state: 'destroyed', replacementsLeft: 0 });
  });
});
