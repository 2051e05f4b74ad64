import { describe, expect, it, onTestFinished } from 'vitest';
import { freeTurn } from '../../src/core/request-budget.ts';
import { createMarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { listAudit } from '../../src/rentals/audit.sql.ts';
import { listEvents } from '../../src/rentals/events.sql.ts';
import { changeInstance, switchActions } from '../../src/rentals/instances/change-instance.ts';
import { findPlan } from '../../src/rentals/instances/plans.sql.ts';
import { type Rented, rent } from '../../src/rentals/rent/rent.ts';
import { findRental, listRentalStates, listRentals } from '../../src/rentals/rent/rentals.sql.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, type TestAccount } from './test-account.ts';

const { sql } = await createTestDatabase();
const by = 'tester';

describe('a rent', () => {
  it('creates one instance, follows it until its SSH port accepts, stops, starts and destroys it', async () => {
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    const { rental, isReplay } = await rent(actor, account.request(0, { label: 'train' }), { key: 'k1', by });
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
    expect(states.slice(0, 4)).toEqual(['creating', 'provisioning', 'running', 'ready']);
    expect(states.at(-1)).toBe('destroyed');
    // The page gets an event for each.
    const told = (await listEvents(sql, 0)).filter(
      ({ marketId, kind }) => marketId === actor.market.id && kind === 'rental',
    );
    expect(told.map(({ data }) => data)).toEqual(
      (await listRentalStates(sql, rental.id)).map(({ state, reason }) => ({
        ...{ rentalId: rental.id, state, reason },
      })),
    );
    const actions = (await listAudit(sql, { afterSeq: 0, limit: 100 })).filter(
      ({ market }) => market === actor.market.name,
    );
    expect(actions.map(({ action, phase }) => `${action} ${phase}`)).toEqual(
      ['rent', 'stop', 'start', 'destroy'].flatMap((action) => [`${action} before`, `${action} after`]),
    );
  });

  it('returns the same rental for the same key, and refuses another request with it', async () => {
    const account = await createTestAccount(sql);
    const request = account.request(1);
    let quotes = 0;
    const searchOffers: typeof account.client.searchOffers = async (...args) => {
      const page = await account.client.searchOffers(...args);
      quotes += 1;
      // Neither is known to the other before both have their quotes.
      await expect.poll(() => quotes).toBe(2);
      return page;
    };
    const actor = { ...account.actor, account: account.accountOf({ searchOffers }) };
    const [first, second] = await Promise.all([
      rent(actor, request, { key: 'same', by }),
      rent(actor, { ...request }, { key: 'same', by }),
    ]);
    expect(first.rental.id).toBe(second.rental.id);
    expect([first.isReplay, second.isReplay].sort()).toEqual([false, true]);
    expect(account.simulator.instances()).toHaveLength(1);
    await expect(rent(account.actor, { ...request, diskGb: 21 }, { key: 'same', by })).rejects.toMatchObject({
      kind: 'key-reused',
    });
  });

  it('that the same request made while it asked the market is its own answer, no refusal', async () => {
    const account = await createTestAccount(sql);
    const request = account.request(1);
    let first: Promise<Rented> | undefined;
    const searchOffers: typeof account.client.searchOffers = async (...args) => {
      first ??= rent(account.actor, { ...request }, { key: 'twice', by });
      // The offer is gone by then.
      await first;
      return await account.client.searchOffers(...args);
    };
    const slower = { ...account.actor, account: account.accountOf({ searchOffers }) };
    const second = await rent(slower, request, { key: 'twice', by });
    expect([second.isReplay, second.rental.id]).toEqual([true, (await first)?.rental.id]);
    expect(account.simulator.instances()).toHaveLength(1);
    const phases = (await listAudit(sql, { afterSeq: 0, limit: 1_000 })).flatMap(({ market, phase }) =>
      market === account.actor.market.name ? [phase] : [],
    );
    expect(phases).toEqual(['before', 'after']);
  });

  it('with a lost answer is found by its label, and is sent once', async () => {
    const account = await createTestAccount(sql);
    account.simulator.setFaults(['lost-create#1']);
    const request = account.request(2, { label: 'lost', maxHours: 1, costCenter: 'research' });
    const { rental } = await rent(account.actor, request, { key: 'lost', by });
    expect(rental).toMatchObject({ state: 'settling', instanceId: null });
    expect((await rent(account.actor, request, { key: 'lost', by })).rental.state).toBe('settling');
    await account.pass(10);
    const settled = await findRental(sql, rental.id);
    expect(settled).toMatchObject({
      state: 'provisioning',
      instanceId: account.simulator.instances()[0]?.id,
    });
    expect(account.simulator.instances()).toHaveLength(1);
    const plan = await findPlan(sql, account.actor.market.id, settled?.instanceId ?? 0);
    expect(plan).toMatchObject({ maxHours: 1, endAction: 'stop', costCenter: 'research' });
    await account.pass(3_660, 610);
    expect(account.simulator.instances()[0]?.phase).toBe('stopped');
  });

  it('whose instance is listed only after it failed keeps its end time', async () => {
    const account = await createTestAccount(sql);
    account.simulator.setFaults(['lost-create#1', 'lagging-instances=400']);
    const request = account.request(2, { maxHours: 1, endAction: 'destroy' });
    const { rental } = await rent(account.actor, request, { key: 'late', by });
    await account.pass(200);
    expect((await findRental(sql, rental.id))?.state).toBe('failed');
    await account.pass(300, 50);
    expect(await findRental(sql, rental.id)).toMatchObject({ state: 'ready', endedAt: null });
    account.simulator.setFaults([]);
    await account.pass(3_200, 400);
    expect(account.simulator.instances()[0]?.phase).toBe('destroyed');
  });

  it('that never reached the market fails after the settling time, and keeps its key', async () => {
    const account = await createTestAccount(sql);
    account.simulator.setFaults(['reset-before@PUT /api/v0/asks#1']);
    const request = account.request(0);
    const { rental } = await rent(account.actor, request, { key: 'never', by });
    await account.pass(170);
    expect((await findRental(sql, rental.id))?.state).toBe('settling');
    await account.pass(20);
    expect((await findRental(sql, rental.id))?.state).toBe('failed');
    expect(await rent(account.actor, request, { key: 'never', by })).toMatchObject({
      isReplay: true,
      rental: { state: 'failed' },
    });
    expect(account.simulator.instances()).toEqual([]);
  });

  it('above its cap, or of an offer that is gone, is refused, and its key can be used again', async () => {
    const account = await createTestAccount(sql);
    const request = account.request(5);
    await expect(
      rent(account.actor, { ...request, maxUsdPerHour: 0.0001 }, { key: 'cap', by }),
    ).rejects.toMatchObject({ kind: 'price-above-cap' });
    await expect(
      rent(account.actor, { ...request, offerId: 999_999_999 }, { key: 'cap', by }),
    ).rejects.toMatchObject({ kind: 'offer-gone' });
    expect(account.simulator.instances()).toEqual([]);
    expect((await rent(account.actor, request, { key: 'cap', by })).rental.state).toBe('provisioning');
  });
});

describe('the next best', () => {
  it('is rented on request if the offer is above the cap, gone, or taken just then', async () => {
    const account = await createTestAccount(sql, { simulated: { offersPerType: 400 } });
    const { actor, simulator, client } = account;
    await account.crawl();
    const rows = simulator
      .offersAt(undefined, { storageGb: 20 })
      .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= 20);
    const alike = [...Map.groupBy(rows, (row) => `${row.gpu_name} ${row.num_gpus}`).values()].find(
      (group) => new Set(group.map(({ machine_id }) => machine_id)).size > 5,
    );
    const [cheap, ...others] = (alike ?? []).sort((a, b) => Number(a.dph_base) - Number(b.dph_base));
    const dear = others.at(-1);
    const request = account.request(0, { offerId: Number(dear?.id) });
    const capped = { ...request, maxUsdPerHour: Number(cheap?.dph_base) * 1.2 };
    await expect(rent(actor, capped, { key: 'cap', by })).rejects.toMatchObject({ kind: 'price-above-cap' });
    const { rental } = await rent(actor, { ...capped, nextBest: true }, { key: 'cap', by });
    expect(rental).toMatchObject({ gpuName: dear?.gpu_name, numGpus: dear?.num_gpus });
    expect(rental.offerId).not.toBe(dear?.id);
    expect(Number(rental.usdPerHour)).toBeLessThanOrEqual(capped.maxUsdPerHour);
    // Taken between the quote and the create: the key has one rental, of the next.
    const createInstance: typeof client.createInstance = async (offerId, request, options) => {
      if (offerId === dear?.id) await client.createInstance(offerId, { image: 'theirs', diskGb: 20 });
      return await client.createInstance(offerId, request, options);
    };
    const racing = { ...actor, account: account.accountOf({ createInstance }) };
    const raced = (await rent(racing, { ...request, nextBest: true }, { key: 'race', by })).rental;
    expect(raced).toMatchObject({ gpuName: dear?.gpu_name, numGpus: dear?.num_gpus, state: 'provisioning' });
    expect(raced.offerId).not.toBe(dear?.id);
    const query = { marketId: actor.market.id, before: null, limit: 10, open: false };
    expect(await listRentals(sql, query)).toHaveLength(2);
    // Gone altogether by now.
    await expect(rent(actor, request, { key: 'gone', by })).rejects.toMatchObject({ kind: 'offer-gone' });
    const next = (await rent(actor, { ...request, nextBest: true }, { key: 'gone', by })).rental;
    expect(next).toMatchObject({ gpuName: dear?.gpu_name, state: 'provisioning' });
    expect(simulator.instances().filter(({ image }) => image === 'ubuntu:24.04')).toHaveLength(3);
  });
});

describe('a create that waits for its request permit', () => {
  /** Rents while `meanwhile` happens between the stored rental and its first byte. */
  async function rentMeanwhile(account: TestAccount, key: string, meanwhile: () => Promise<void>) {
    const { simulator, actor, url } = account;
    const client = createMarketClient({
      ...{
        baseUrl: url,
        apiKey: simulator.apiKey,
        dialect: withoutIntervals(defaultDialect),
        maxBodyBytes: 64_000_000,
      },
      log: silentLog,
      budget: {
        awaitTurn: async (endpoint) => {
          if (endpoint === 'createInstance') await meanwhile();
          return freeTurn;
        },
        noteThrottled: () => {},
      },
    });
    onTestFinished(() => client.close());
    return await rent({ ...actor, account: account.accountOf(client) }, account.request(0), { key, by });
  }

  it.each<[what: string, meanwhile: (account: TestAccount) => Promise<void>, refusal: object]>([
    [
      'the kill switch is thrown',
      async ({ actor }) => await switchActions(actor, { enabled: false, by }),
      { guard: 'kill-switch' },
    ],
    [
      'the process stands still',
      async ({ clock }) => {
        clock.now = new Date(clock.now.getTime() + 21_000);
      },
      { name: 'UserError', message: expect.stringContaining('nothing was rented') },
    ],
    [
      'its lock is taken away',
      async () => {
        await sql`select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and objsubid = 2 and granted and pid <> pg_backend_pid()
            and database = (select oid from pg_database where datname = current_database())`;
      },
      { name: 'UserError', message: expect.stringContaining('Another process took over') },
    ],
  ])('is not sent when %s meanwhile, and its key stays free', async (what, meanwhile, refusal) => {
    const account = await createTestAccount(sql);
    const asked = rentMeanwhile(account, 'waits', async () => await meanwhile(account));
    await expect(asked).rejects.toMatchObject(refusal);
    expect(account.simulator.instances()).toEqual([]);
    await switchActions(account.actor, { enabled: true, by });
    const { rental } = await rentMeanwhile(account, 'waits', async () => {});
    expect([what, rental.state]).toEqual([what, 'provisioning']);
  });

  it('keeps its clear answer, even if another process has given it up meanwhile', async () => {
    const account = await createTestAccount(sql);
    const { client } = account;
    const createInstance: typeof client.createInstance = async (...args) => {
      const made = await client.createInstance(...args);
      await sql`update rental set state = 'failed', ended_at = now(), reason = 'no list has its instance'
        where market_id = ${account.actor.market.id} returning id`;
      return made;
    };
    const actor = { ...account.actor, account: account.accountOf({ createInstance }) };
    const { rental } = await rent(actor, account.request(0, { maxHours: 2 }), { key: 'slow', by });
    expect(rental).toMatchObject({ state: 'provisioning', endedAt: null });
    expect(rental.instanceId).toBe(account.simulator.instances()[0]?.id);
  });
});
