import { describe, expect, it } from 'vitest';
import type { Instance } from '../../src/market/instance.ts';
import type { Actor } from '../../src/rentals/actor.ts';
import { changeInstance } from '../../src/rentals/instances/change-instance.ts';
import { quoteRequest } from '../../src/rentals/rent/quote-request.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();
const by = 'tester';

/** What acts on an account whose list leaves something out. */
function hiding({ actor, client, accountOf }: TestAccount, hidden: Partial<Instance>): Actor {
  const listInstances: typeof client.listInstances = async (options) => {
    const list = await client.listInstances(options);
    return { ...list, instances: list.instances.map((one) => ({ ...one, ...hidden })) };
  };
  return { ...actor, account: accountOf({ listInstances }) };
}

describe('nothing that costs money is done while its cost is unknown', () => {
  it('such as a rent next to an instance without a price while MAX_TOTAL_USD_PER_HOUR is set', async () => {
    const account = await createTestAccount(sql, { limits: { maxTotalUsdPerHour: 99 } });
    const { instanceId } = await account.client.createInstance(account.request(0).offerId ?? 0, {
      ...{ image: 'theirs', diskGb: 20 },
    });
    const actor = hiding(account, { baseUsdPerHour: null });
    const request = account.request(1);
    const refused = { guard: 'max-total-usd-per-hour', limit: '99', value: null };
    await expect(rent(actor, request, { key: 'k', by })).rejects.toMatchObject({
      ...{ ...refused, reason: expect.stringContaining(`what instance ${instanceId} costs`) },
    });
    actor.limits.maxTotalUsdPerHour = null;
    expect((await rent(actor, request, { key: 'k', by })).rental.state).toBe('provisioning');
  });

  it('such as a start whose disk has no price while MAX_USD_PER_HOUR is set', async () => {
    const account = await createTestAccount(sql);
    const { rental } = await rent(account.actor, account.request(0), { key: 'one', by });
    await account.pass(90, 30);
    const instanceId = rental.instanceId ?? 0;
    await changeInstance(account.actor, instanceId, { wanted: 'stopped', by });
    await account.pass(10);
    const actor = hiding(account, { storageUsdPerGbMonth: null });
    const start = async () => await changeInstance(actor, instanceId, { wanted: 'running', by });
    actor.limits.maxUsdPerHour = 99;
    await expect(start()).rejects.toMatchObject({ guard: 'max-usd-per-hour', limit: '99', value: null });
    actor.limits.maxUsdPerHour = null;
    expect((await start()).outcome).toBe('accepted');
  });

  it('such as a rent while a list counts more instances than it identifies', async () => {
    const account = await createTestAccount(sql);
    const { client } = account;
    const listInstances: typeof client.listInstances = async (options) => ({
      ...(await client.listInstances(options)),
      found: 1,
    });
    const actor = { ...account.actor, account: account.accountOf({ listInstances }) };
    const asked = rent(actor, account.request(0), { key: 'k', by });
    await expect(asked).rejects.toMatchObject({ guard: 'account-listed' });
    expect(account.simulator.instances()).toEqual([]);
  });
});

it('and a create with an unknown outcome counts as an instance', async () => {
  const account = await createTestAccount(sql, { limits: { maxInstances: 1 } });
  account.simulator.setFaults(['reset-before@PUT /api/v0/asks#1']);
  expect((await rent(account.actor, account.request(0), { key: 'open', by })).rental.state).toBe('settling');
  await expect(rent(account.actor, account.request(1), { key: 'next', by })).rejects.toMatchObject({
    ...{ guard: 'max-instances', limit: '1', value: '1' },
  });
});

it('and while actions are off a rent asks the market nothing, and a quote says so', async () => {
  const account = await createTestAccount(sql, { limits: { actions: false } });
  const request = account.request(0);
  await expect(rent(account.actor, request, { key: 'k', by })).rejects.toMatchObject({ guard: 'actions' });
  expect(account.simulator.requests()).toEqual([]);
  expect((await quoteRequest(account.actor, request)).guards).toMatchObject([{ guard: 'actions' }]);
});
