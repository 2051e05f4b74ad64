import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/database/connection.ts';
import { listAudit } from '../../src/rentals/audit.sql.ts';
import { changeInstance, switchActions } from '../../src/rentals/instances/change-instance.ts';
import { nameInstance } from '../../src/rentals/instances/name-instance.ts';
import { quoteRequest } from '../../src/rentals/rent/quote-request.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import type { Rental } from '../../src/rentals/rental.ts';
import { changeBudget, insertBudget } from '../../src/spend/budgets/budgets.sql.ts';
import { landBills, makeCharge } from '../support/made-bills.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, machinesApart } from './test-account.ts';

const { sql, target } = await createTestDatabase();
const by = 'tester';

describe('nothing is rented', () => {
  it.each([
    ['actions', { actions: false }],
    ['max-usd-per-hour', { maxUsdPerHour: 0.000_1 }],
    ['max-total-usd-per-hour', { maxTotalUsdPerHour: 0.000_1 }],
    ['max-instances', { maxInstances: 0 }],
  ])('if the guard %s refuses, and the key stays free', async (guard, limits) => {
    const account = await createTestAccount(sql, { limits });
    const request = account.request();
    await expect(rent(account.actor, request, { key: 'k', by })).rejects.toMatchObject({ guard });
    expect(account.simulator.instances()).toEqual([]);
    const entries = await listAudit(sql, { afterSeq: 0, limit: 1_000 });
    expect(entries.filter(({ market }) => market === account.actor.market.name)).toMatchObject([
      {
        actor: by,
        action: 'rent',
        phase: 'refused',
        detail: expect.stringMatching(/guard refused: (?!.*\d\.\d{7})/),
      },
    ]);
    account.actor.limits.actions = true;
    Object.assign(account.actor.limits, { maxUsdPerHour: 99, maxTotalUsdPerHour: 99, maxInstances: 1 });
    expect((await rent(account.actor, request, { key: 'k', by })).rental.state).toBe('provisioning');
  });

  it('while the account cannot be listed, or the list does not identify all instances', async () => {
    const account = await createTestAccount(sql);
    account.simulator.setFaults(['500@GET /api/v0/instances']);
    await expect(rent(account.actor, account.request(), { key: 'k', by })).rejects.toMatchObject({
      guard: 'account-listed',
    });
    expect(account.simulator.instances()).toEqual([]);
  });

  it('on a blocked machine or host', async () => {
    const account = await createTestAccount(sql);
    const request = account.request();
    const offer = account.simulator.offersAt().find(({ id }) => id === request.offerId);
    await sql`insert into blocklist_entry (id, market_id, kind, host_id, added_at)
      values (gen_random_uuid(), ${account.actor.market.id}, 'block', ${Number(offer?.host_id)}, now())`;
    await expect(rent(account.actor, request, { key: 'k', by })).rejects.toMatchObject({
      guard: 'block-list',
    });
  });

  it('once a blocking budget is used up, of its label or of everything', async () => {
    const account = await createTestAccount(sql);
    const { actor, clock } = account;
    const marketId = actor.market.id;
    const used = { start: '2026-03-01T00:00:00Z', end: '2026-03-01T10:00:00Z', label: 'training' };
    await landBills(sql, marketId, 'charge', '2026-03-01T12:00:00Z', [
      makeCharge(900, { ...used, amountUsd: '50' }),
    ]);
    const budget = { monthlyUsd: '50', alertAt: [1], blockRentals: true, timeZone: 'UTC' };
    const set = async (label: string | null, monthlyUsd: string) =>
      (await insertBudget(sql, marketId, {
        ...{ ...budget, label, monthlyUsd, id: uuidv7(), createdAt: clock.now },
      })) ?? { id: '' };
    const { id } = await set('training', '50');
    const ask = async (place: number, label: string | null, key: string) =>
      (await rent(actor, account.request(place, label === null ? {} : { label }), { key, by })).rental.state;
    const refused = { guard: 'budget', limit: '50', value: '50' };
    await expect(ask(0, 'training', 'one')).rejects.toMatchObject(refused);
    expect(await ask(0, 'other', 'two')).toBe('provisioning');
    await changeBudget(sql, id, { monthlyUsd: '50.01' });
    expect(await ask(1, 'training', 'one')).toBe('provisioning');
    await set(null, '50');
    await expect(ask(2, null, 'three')).rejects.toMatchObject(refused);
    // The next month has money of its own.
    clock.now = new Date('2026-04-01T00:00:00Z');
    expect(await ask(2, null, 'three')).toBe('provisioning');
  });

  it('while the kill switch is on; stopping and destroying stay possible', async () => {
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    const { rental } = await rent(actor, account.request(), { key: 'before', by });
    await switchActions(actor, { enabled: false, by });
    await expect(rent(actor, account.request(1), { key: 'after', by })).rejects.toMatchObject({
      guard: 'kill-switch',
    });
    const instanceId = rental.instanceId ?? 0;
    await changeInstance(actor, instanceId, { wanted: 'stopped', by });
    expect(simulator.instances()[0]?.phase).toBe('stopped');
    await changeInstance(actor, instanceId, { wanted: 'destroyed', by });
    expect(simulator.instances()[0]?.phase).toBe('destroyed');
    await switchActions(actor, { enabled: true, by });
    expect((await rent(actor, account.request(1), { key: 'after', by })).rental.state).toBe('provisioning');
    const log = await sql<{ phase: string; detail: string }[]>`
      select phase, detail from audit_log where action = 'actions' and market = ${actor.market.name}
        and actor = ${by} order by seq`;
    expect(log.map(({ phase, detail }) => [phase, JSON.parse(detail)])).toEqual([
      ['after', { enabled: false }],
      ['after', { enabled: true }],
    ]);
  });

  it('beyond MAX_INSTANCES=3, with 20 requests in two processes and one instance rented elsewhere', async () => {
    const account = await createTestAccount(sql, {
      ...{ limits: { maxInstances: 3 }, simulated: { offersPerType: 400 } },
    });
    const { actor, simulator } = account;
    const [foreign, ...requests] = machinesApart(account, 21);
    await account.client.createInstance(foreign?.offerId ?? 0, { image: 'other', diskGb: 10 });
    const other = connect(target, { max: 4 });
    const actors = [actor, { ...actor, sql: other }];
    const ask = async () =>
      await Promise.allSettled(
        requests.map((request, index) =>
          rent(actors[index % 2] ?? actor, request, { key: `many-${index}`, by }),
        ),
      );
    const asked = await ask();
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const refused = asked.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
    for (const reason of refused) {
      expect(reason).toMatchObject({ guard: 'max-instances', limit: '3', value: '3' });
    }
    expect(simulator.instances()).toHaveLength(3);
    // Nothing but the guard was in their way.
    actor.limits.maxInstances = 21;
    expect((await ask()).map(({ status }) => status)).toEqual(requests.map(() => 'fulfilled'));
    expect(simulator.instances()).toHaveLength(21);
    await other.end();
  });

  it('beyond MAX_TOTAL_USD_PER_HOUR, with many requests at once', async () => {
    const account = await createTestAccount(sql, { simulated: { offersPerType: 400 } });
    const { actor, simulator } = account;
    const requests = machinesApart(account, 8);
    const quotes = await Promise.all(requests.map((request) => quoteRequest(actor, request)));
    const prices = quotes.map(({ usdPerHour }) => Number(usdPerHour));
    const limit = prices.reduce((sum, price) => sum + price, 0) / 2;
    actor.limits.maxTotalUsdPerHour = limit;
    const asked = await Promise.allSettled(
      requests.map((request, index) => rent(actor, request, { key: `sum-${index}`, by })),
    );
    const rented = asked.flatMap(({ status }, index) => (status === 'fulfilled' ? [prices[index] ?? 0] : []));
    const total = rented.reduce((sum, price) => sum + price, 0);
    expect(rented.length).toBeGreaterThan(0);
    expect(simulator.instances()).toHaveLength(rented.length);
    expect(total).toBeLessThanOrEqual(limit);
    for (const [index, one] of asked.entries()) {
      if (one.status === 'fulfilled') continue;
      expect(one.reason).toMatchObject({ guard: 'max-total-usd-per-hour' });
      expect(total + (prices[index] ?? 0)).toBeGreaterThan(limit - 1e-9);
    }
    expect(rented.length).toBeLessThan(requests.length);
  });

  it('beyond the limits through creates with an unknown outcome, which count at their caps', async () => {
    const account = await createTestAccount(sql, { limits: { maxTotalUsdPerHour: 10 } });
    account.simulator.setFaults(['reset-before@PUT /api/v0/asks#1']);
    const open = await rent(account.actor, account.request(0, { maxUsdPerHour: 9.9999 }), {
      key: 'open',
      by,
    });
    expect(open.rental.state).toBe('settling');
    await expect(
      rent(account.actor, account.request(1, { maxUsdPerHour: 9.9999 }), { key: 'next', by }),
    ).rejects.toMatchObject({ guard: 'max-total-usd-per-hour' });
  });
});

describe('a start', () => {
  it('costs like a rent, and is checked like one', async () => {
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    const { limits } = actor;
    const [one, two] = [
      (await rent(actor, account.request(0), { key: 'one', by })).rental,
      (await rent(actor, account.request(1), { key: 'two', by })).rental,
    ];
    await account.pass(90, 30);
    const instanceId = one.instanceId ?? 0;
    await changeInstance(actor, instanceId, { wanted: 'stopped', by });
    await account.pass(10);
    const start = async () => await changeInstance(actor, instanceId, { wanted: 'running', by });
    limits.maxTotalUsdPerHour = Number(two.usdPerHour) + Number(one.usdPerHour) * 0.99;
    await expect(start()).rejects.toMatchObject({ guard: 'max-total-usd-per-hour' });
    limits.maxTotalUsdPerHour = null;
    limits.maxUsdPerHour = Number(one.usdPerHour) * 0.99;
    await expect(start()).rejects.toMatchObject({ guard: 'max-usd-per-hour' });
    limits.maxUsdPerHour = null;
    await switchActions(actor, { enabled: false, by });
    await expect(start()).rejects.toMatchObject({ guard: 'kill-switch' });
    await switchActions(actor, { enabled: true, by });
    simulator.setFaults(['500@GET /api/v0/instances']);
    await expect(start()).rejects.toMatchObject({ guard: 'account-listed' });
    simulator.setFaults([]);
    expect(simulator.instances()[0]?.phase).toBe('stopped');
    const refused = (await listAudit(sql, { afterSeq: 0, limit: 1_000 })).filter(
      (entry) => entry.market === actor.market.name && entry.phase === 'refused',
    );
    expect(refused.map(({ action }) => action)).toEqual(['start', 'start', 'start', 'start']);
    // At exactly their sum it is allowed.
    limits.maxTotalUsdPerHour = Number(two.usdPerHour) + Number(one.usdPerHour) + 1e-9;
    await start();
    expect(simulator.instances()[0]?.intended).toBe('running');
  });
});

describe('a bid', () => {
  it('can only be raised within the limits, also when two are raised at once', async () => {
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    const offers = simulator.offersAt(undefined, { type: 'bid', storageGb: 20 });
    const made: Rental[] = [];
    for (const [index, { offerId, ...request }] of machinesApart(account, 2, 'bid').entries()) {
      const minimum = Number(offers.find(({ id }) => id === offerId)?.min_bid);
      const bid = { ...request, offerId, bidUsdPerHour: Math.max(0.01, minimum) * 2 };
      made.push((await rent(actor, bid, { key: `bid-${index}`, by })).rental);
    }
    const total = made.reduce((sum, { usdPerHour }) => sum + Number(usdPerHour), 0);
    const raise = async (index: number, usd: number) => {
      const rental = made[index];
      const bidUsdPerHour = Number(rental?.bidUsdPerHour) + usd;
      await nameInstance(actor, rental?.instanceId ?? 0, { bidUsdPerHour }, { by });
    };
    actor.limits.maxTotalUsdPerHour = total + 1.5;
    const raised = await Promise.allSettled([raise(0, 1), raise(1, 1)]);
    expect(raised.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = raised.filter((one) => one.status === 'rejected');
    expect(refused?.reason).toMatchObject({ guard: 'max-total-usd-per-hour' });
    const bids = simulator.instances().map(({ steps }) => Number(steps.at(-1)?.usdPerHour));
    const before = made.reduce((sum, { bidUsdPerHour }) => sum + Number(bidUsdPerHour), 0);
    expect(bids.reduce((sum, bid) => sum + bid, 0)).toBeCloseTo(before + 1, 6);
  });

  it('is checked by itself, not by the on-demand price, and is not sent below the minimum', async () => {
    const account = await createTestAccount(sql);
    const request = account.request(3, { type: 'bid' });
    const offer = account.simulator
      .offersAt(undefined, { type: 'bid', storageGb: 20 })
      .find(({ id }) => id === request.offerId);
    const bid = Math.max(0.01, Number(offer?.min_bid)) * 2;
    const disk = (Number(offer?.storage_cost) * 20) / 720;
    const low = { ...request, bidUsdPerHour: Number(offer?.min_bid) / 2 };
    await expect(rent(account.actor, low, { key: 'low', by })).rejects.toMatchObject({
      kind: 'invalid-request',
    });
    const dear = { ...request, bidUsdPerHour: bid, maxUsdPerHour: bid };
    await expect(rent(account.actor, dear, { key: 'dear', by })).rejects.toMatchObject({
      kind: 'price-above-cap',
    });
    const fair = { ...request, bidUsdPerHour: bid, maxUsdPerHour: bid + disk + 1e-9 };
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
    const request = account.request(0, { offerId: Number(offer?.id) });
    const plain = (await rent(account.actor, request, { key: 'plain', by })).rental;
    await changeInstance(account.actor, plain.instanceId ?? 0, { wanted: 'destroyed', by });
    const volume = {
      ...{ kind: 'new' as const, volumeOfferId: Number(offer?.avail_vol_ask_id) },
      ...{ sizeGb: 50, mountPath: '/data' },
    };
    const capped = { ...request, volume, maxUsdPerHour: Number(plain.usdPerHour) };
    await expect(rent(account.actor, capped, { key: 'with', by })).rejects.toMatchObject({
      kind: 'price-above-cap',
    });
    const { rental } = await rent(account.actor, { ...request, volume }, { key: 'with', by });
    const more = Number(rental.usdPerHour) - Number(plain.usdPerHour);
    expect(more).toBeCloseTo(50 * Number(offer?.avail_vol_dph), 9);
  });
});
