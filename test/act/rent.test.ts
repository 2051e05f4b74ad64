import { describe, expect, it } from 'vitest';
import { changeInstance } from '../../src/act/change-instance.ts';
import { rent } from '../../src/act/rent.ts';
import { listAudit } from '../../src/db/acting/audit.ts';
import { findRental, listRentalStates } from '../../src/db/acting/rentals.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();
const by = 'tester';

describe('a rent', () => {
  it('makes one instance, follows it until its SSH port accepts, stops, starts and destroys it', async () => {
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    const { rental, isReplay } = await rent(actor, account.wish(0, { label: 'train' }), { key: 'k1', by });
    expect(isReplay).toBe(false);
    expect(rental).toMatchObject({ state: 'provisioning', rentedBy: by, label: 'train', diskGb: 20 });
    const [truth] = simulator.instances();
    expect(rental.instanceId).toBe(truth?.id);
    expect(truth?.label).toBe(`train #${rental.id}`);
    await account.pass(90);
    const instanceId = rental.instanceId ?? 0;
    const stateOf = async () => (await findRental(sql, rental.id))?.state;
    expect(await stateOf()).toBe('ready');
    await changeInstance(actor, instanceId, { wanted: 'stopped', by });
    await account.pass(20);
    expect([await stateOf(), simulator.instances()[0]?.phase]).toEqual(['stopped', 'stopped']);
    await changeInstance(actor, instanceId, { wanted: 'running', by });
    await account.pass(90);
    expect([await stateOf(), simulator.instances()[0]?.phase]).toEqual(['ready', 'running']);
    await changeInstance(actor, instanceId, { wanted: 'destroyed', by });
    expect(await stateOf()).toBe('destroying');
    await account.pass(20);
    expect([await stateOf(), simulator.instances()[0]?.phase]).toEqual(['destroyed', 'destroyed']);
    const states = (await listRentalStates(sql, rental.id)).map(({ state }) => state);
    expect(states.slice(0, 3)).toEqual(['creating', 'provisioning', 'ready']);
    expect(states.at(-1)).toBe('destroyed');
    const actions = (await listAudit(sql, { afterSeq: 0, limit: 100 })).filter(
      ({ market }) => market === actor.market.name,
    );
    expect(actions.map(({ action, phase }) => `${action} ${phase}`)).toEqual(
      ['rent', 'stop', 'start', 'destroy'].flatMap((action) => [`${action} before`, `${action} after`]),
    );
  });

  it('is the same one for the same key, and a refusal for another wish under it', async () => {
    const account = await createTestAccount(sql);
    const wish = account.wish(1);
    const [first, second] = await Promise.all([
      rent(account.actor, wish, { key: 'same', by }),
      rent(account.actor, { ...wish }, { key: 'same', by }),
    ]);
    expect(first.rental.id).toBe(second.rental.id);
    expect([first.isReplay, second.isReplay].sort()).toEqual([false, true]);
    expect(account.simulator.instances()).toHaveLength(1);
    await expect(rent(account.actor, { ...wish, diskGb: 21 }, { key: 'same', by })).rejects.toMatchObject({
      kind: 'key-reused',
    });
  });

  it('whose answer is lost is found by its label, and is sent once', async () => {
    const account = await createTestAccount(sql);
    account.simulator.setFaults(['lost-create#1']);
    const wish = account.wish(2, { label: 'lost' });
    const { rental } = await rent(account.actor, wish, { key: 'lost', by });
    expect(rental).toMatchObject({ state: 'settling', instanceId: null });
    expect((await rent(account.actor, wish, { key: 'lost', by })).rental.state).toBe('settling');
    await account.pass(10);
    const settled = await findRental(sql, rental.id);
    expect(settled).toMatchObject({
      state: 'provisioning',
      instanceId: account.simulator.instances()[0]?.id,
    });
    expect(account.simulator.instances()).toHaveLength(1);
  });

  it('that never reached the market fails after the time to settle, and keeps its key', async () => {
    const account = await createTestAccount(sql);
    account.simulator.setFaults(['reset-before@PUT /api/v0/asks#1']);
    const wish = account.wish(0);
    const { rental } = await rent(account.actor, wish, { key: 'never', by });
    await account.pass(170);
    expect((await findRental(sql, rental.id))?.state).toBe('settling');
    await account.pass(20);
    expect((await findRental(sql, rental.id))?.state).toBe('failed');
    expect(await rent(account.actor, wish, { key: 'never', by })).toMatchObject({
      isReplay: true,
      rental: { state: 'failed' },
    });
    expect(account.simulator.instances()).toEqual([]);
  });

  it('above its cap, or of an offer that is gone, is refused, and its key can be used again', async () => {
    const account = await createTestAccount(sql);
    const wish = account.wish(5);
    await expect(
      rent(account.actor, { ...wish, maxUsdPerHour: 0.0001 }, { key: 'cap', by }),
    ).rejects.toMatchObject({ kind: 'price-above-cap' });
    await expect(
      rent(account.actor, { ...wish, offerId: 999_999_999 }, { key: 'cap', by }),
    ).rejects.toMatchObject({ kind: 'offer-gone' });
    expect(account.simulator.instances()).toEqual([]);
    expect((await rent(account.actor, wish, { key: 'cap', by })).rental.state).toBe('provisioning');
  });
});
