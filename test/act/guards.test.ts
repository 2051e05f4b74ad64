import { describe, expect, it } from 'vitest';
import { changeInstance, switchActions } from '../../src/act/change-instance.ts';
import { rent } from '../../src/act/rent.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();
const by = 'tester';

describe('nothing is rented', () => {
  it.each([
    ['actions', { actions: false }],
    ['max-usd-per-hour', { maxUsdPerHour: 0.000_1 }],
    ['max-total-usd-per-hour', { maxTotalUsdPerHour: 0.000_1 }],
    ['max-instances', { maxInstances: 0 }],
  ])('against the guard %s, and its key stays free', async (guard, limits) => {
    const account = await createTestAccount(sql, { limits });
    const wish = account.wish();
    await expect(rent(account.actor, wish, { key: 'k', by })).rejects.toMatchObject({ guard });
    expect(account.simulator.instances()).toEqual([]);
    account.actor.limits.actions = true;
    Object.assign(account.actor.limits, { maxUsdPerHour: 99, maxTotalUsdPerHour: 99, maxInstances: 1 });
    expect((await rent(account.actor, wish, { key: 'k', by })).rental.state).toBe('provisioning');
  });

  it('while the account cannot be listed, or the list does not identify all of it', async () => {
    const account = await createTestAccount(sql);
    account.simulator.setFaults(['500@GET /api/v0/instances']);
    await expect(rent(account.actor, account.wish(), { key: 'k', by })).rejects.toMatchObject({
      guard: 'account-listed',
    });
    expect(account.simulator.instances()).toEqual([]);
  });

  it('on a machine or host of the block list', async () => {
    const account = await createTestAccount(sql);
    const wish = account.wish();
    const offer = account.simulator.offersAt().find(({ id }) => id === wish.offerId);
    await sql`insert into blocklist_entry (id, market_id, kind, host_id, added_at)
      values (gen_random_uuid(), ${account.actor.market.id}, 'block', ${Number(offer?.host_id)}, now())`;
    await expect(rent(account.actor, wish, { key: 'k', by })).rejects.toMatchObject({ guard: 'block-list' });
  });

  it('once the kill switch is off, while stop and destroy stay allowed', async () => {
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    const { rental } = await rent(actor, account.wish(), { key: 'before', by });
    await switchActions(actor, { enabled: false, by });
    await expect(rent(actor, account.wish(1), { key: 'after', by })).rejects.toMatchObject({
      guard: 'kill-switch',
    });
    const instanceId = rental.instanceId ?? 0;
    await changeInstance(actor, instanceId, { wanted: 'stopped', by });
    expect(simulator.instances()[0]?.phase).toBe('stopped');
    await changeInstance(actor, instanceId, { wanted: 'destroyed', by });
    expect(simulator.instances()[0]?.phase).toBe('destroyed');
    await switchActions(actor, { enabled: true, by });
    expect((await rent(actor, account.wish(1), { key: 'after', by })).rental.state).toBe('provisioning');
  });

  it('beyond MAX_INSTANCES=3, though 20 ask at once and others have rented one elsewhere', async () => {
    const account = await createTestAccount(sql, { limits: { maxInstances: 3 } });
    const foreign = account.wish(30);
    await account.client.createInstance(foreign.offerId ?? 0, { image: 'other', diskGb: 10 });
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        rent(account.actor, account.wish(index), { key: `many-${index}`, by }),
      ),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const refused = asked.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
    // One whose machine another had taken before is gone; every other one met the guard.
    for (const reason of refused) expect(reason).toMatchObject({ name: /GuardRefusal|RentRefusal/ });
    expect(account.simulator.instances()).toHaveLength(3);
  });

  it('beyond the limits by creates whose outcome is not known: they count at their caps', async () => {
    const account = await createTestAccount(sql, { limits: { maxTotalUsdPerHour: 10 } });
    account.simulator.setFaults(['reset-before@PUT /api/v0/asks#1']);
    const open = await rent(account.actor, account.wish(0, { maxUsdPerHour: 9.9999 }), { key: 'open', by });
    expect(open.rental.state).toBe('settling');
    await expect(
      rent(account.actor, account.wish(1, { maxUsdPerHour: 9.9999 }), { key: 'next', by }),
    ).rejects.toMatchObject({ guard: 'max-total-usd-per-hour' });
  });
});

describe('a bid', () => {
  it('is judged by itself, not by the price on demand, and is not sent below the minimum', async () => {
    const account = await createTestAccount(sql);
    const wish = account.wish(3, { type: 'bid' });
    const offer = account.simulator
      .offersAt(undefined, { type: 'bid', storageGb: 20 })
      .find(({ id }) => id === wish.offerId);
    const bid = Math.max(0.01, Number(offer?.min_bid)) * 2;
    const disk = (Number(offer?.storage_cost) * 20) / 720;
    const low = { ...wish, bidUsdPerHour: Number(offer?.min_bid) / 2 };
    await expect(rent(account.actor, low, { key: 'low', by })).rejects.toMatchObject({ kind: 'wrong-wish' });
    const dear = { ...wish, bidUsdPerHour: bid, maxUsdPerHour: bid };
    await expect(rent(account.actor, dear, { key: 'dear', by })).rejects.toMatchObject({
      kind: 'price-above-cap',
    });
    const fair = { ...wish, bidUsdPerHour: bid, maxUsdPerHour: bid + disk + 1e-9 };
    const { rental } = await rent(account.actor, fair, { key: 'fair', by });
    expect(Number(rental.usdPerHour)).toBeCloseTo(bid + disk, 9);
    expect(account.simulator.instances()[0]).toMatchObject({ isBid: true });
  });
});

describe('a new volume', () => {
  it('counts in the price that cap and guards compare', async () => {
    const account = await createTestAccount(sql);
    const rows = account.simulator
      .offersAt(undefined, { storageGb: 20 })
      .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.avail_vol_size) >= 50);
    const [offer] = rows;
    const wish = account.wish(0, { offerId: Number(offer?.id) });
    const plain = (await rent(account.actor, wish, { key: 'plain', by })).rental;
    await changeInstance(account.actor, plain.instanceId ?? 0, { wanted: 'destroyed', by });
    const volume = {
      ...{ kind: 'new' as const, volumeOfferId: Number(offer?.avail_vol_ask_id) },
      ...{ sizeGb: 50, mountPath: '/data' },
    };
    const capped = { ...wish, volume, maxUsdPerHour: Number(plain.usdPerHour) };
    await expect(rent(account.actor, capped, { key: 'with', by })).rejects.toMatchObject({
      kind: 'price-above-cap',
    });
    const { rental } = await rent(account.actor, { ...wish, volume }, { key: 'with', by });
    const more = Number(rental.usdPerHour) - Number(plain.usdPerHour);
    expect(more).toBeCloseTo(50 * Number(offer?.avail_vol_dph), 9);
  });
});
