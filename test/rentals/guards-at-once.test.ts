import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { connect, type Sql } from '../../src/database/connection.ts';
import { putOnBlocklist, removeFromBlocklist } from '../../src/prices/rankings/blocklist.sql.ts';
import { withAccountLock } from '../../src/rentals/account-lock.sql.ts';
import type { ActLimits, Actor } from '../../src/rentals/actor.ts';
import { switchActions } from '../../src/rentals/instances/change-instance.ts';
import { quoteRequest } from '../../src/rentals/rent/quote-request.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';
import { deleteBudget, insertBudget } from '../../src/spend/budgets/budgets.sql.ts';
import { landBills, makeCharge } from '../support/made-bills.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount, machinesApart, type TestAccount } from './test-account.ts';

const { sql, target } = await createTestDatabase();
const by = 'tester';

/** Asks for all requests at once, by the connections of two processes in turn. */
async function askAll(actor: Actor, requests: readonly RentRequest[], other: Sql) {
  const actors = [actor, { ...actor, sql: other }];
  return await Promise.allSettled(
    requests.map((request, index) =>
      rent(actors[index % 2] ?? actor, request, { key: `request-${index}`, by }),
    ),
  );
}

/** Does something with the connections of another process beside the test's. */
async function withOther<T>(work: (other: Sql) => Promise<T>): Promise<T> {
  const other = connect(target, { max: 4 });
  try {
    return await work(other);
  } finally {
    await other.end();
  }
}

const rentedElsewhere = async ({ client }: TestAccount, offerId: number): Promise<() => Promise<void>> => {
  const { instanceId } = await client.createInstance(offerId, { image: 'theirs', diskGb: 20 });
  return async () => void (await client.destroyInstance(instanceId));
};

interface Case {
  /** Makes it forbidden; gives what allows it again. */
  forbid: (
    account: TestAccount,
    requests: readonly RentRequest[],
    spare: number,
  ) => Promise<() => Promise<unknown>>;
  limits?: (cheapestUsdPerHour: number) => Partial<ActLimits>;
}

describe('six rents that two processes have begun are all refused', () => {
  it.each<[guard: string, of: Case]>([
    [
      'kill-switch',
      {
        forbid: async ({ actor }) => {
          await switchActions(actor, { enabled: false, by });
          return async () => await switchActions(actor, { enabled: true, by });
        },
      },
    ],
    [
      'account-listed',
      {
        forbid: async ({ simulator }) => {
          simulator.setFaults(['500@GET /api/v0/instances']);
          return async () => simulator.setFaults([]);
        },
      },
    ],
    [
      'max-instances',
      {
        forbid: async (account, _, spare) => await rentedElsewhere(account, spare),
        limits: () => ({ maxInstances: 1 }),
      },
    ],
    [
      'max-total-usd-per-hour',
      {
        forbid: async (account, _, spare) => await rentedElsewhere(account, spare),
        limits: (cheapest) => ({ maxTotalUsdPerHour: cheapest + 1e-9 }),
      },
    ],
    [
      'block-list',
      {
        forbid: async ({ actor, simulator }, requests) => {
          const ids = new Set(requests.map(({ offerId }) => offerId));
          const blocked = simulator
            .offersAt()
            .filter(({ id }) => ids.has(Number(id)))
            .map(({ machine_id }) => ({ machineId: Number(machine_id), hostId: null }));
          const entry = { marketId: actor.market.id, kind: 'block' as const, note: null, at: actor.now() };
          const made = await Promise.all(blocked.map((place) => putOnBlocklist(sql, { ...entry, ...place })));
          return async () => await Promise.all(made.map(({ id }) => removeFromBlocklist(sql, id)));
        },
      },
    ],
    [
      'budget',
      {
        forbid: async ({ actor, clock }) => {
          clock.now = new Date(clock.now.getTime() + 1_000);
          const time = { start: '2026-03-01T10:00:00Z', end: '2026-03-01T11:00:00Z' };
          const charge = makeCharge(1, { ...time, amountUsd: '5' });
          await landBills(sql, actor.market.id, 'charge', '2026-03-02T00:00:00Z', [charge]);
          const id = uuidv7();
          await insertBudget(sql, actor.market.id, {
            ...{ id, label: null, monthlyUsd: '5', alertAt: [], blockRentals: true, timeZone: 'UTC' },
            createdAt: actor.now(),
          });
          return async () => await deleteBudget(sql, id);
        },
      },
    ],
  ])('if a later %s stops them, and their keys stay free', async (guard, { forbid, limits }) => {
    const account = await createTestAccount(sql, { simulated: { offersPerType: 400 } });
    const { actor, simulator, client } = account;
    const [spare, ...requests] = machinesApart(account, 7);
    const quotes = await Promise.all(requests.map((request) => quoteRequest(actor, request)));
    const prices = quotes.map(({ usdPerHour }) => Number(usdPerHour));
    const cheapest = prices.indexOf(Math.min(...prices));
    Object.assign(actor.limits, limits?.(prices[cheapest] ?? 0));
    let undo: (() => Promise<unknown>) | null = null;
    // The account is listed when a rent has its quote and the lock.
    const listInstances: typeof client.listInstances = async (options) => {
      undo ??= await forbid(account, requests, spare?.offerId ?? 0);
      return await client.listInstances(options);
    };
    const asked = await withOther(
      async (other) =>
        await askAll({ ...actor, account: account.accountOf({ listInstances }) }, requests, other),
    );
    const reasons = asked.map((one) => (one.status === 'rejected' ? one.reason : one.value) as unknown);
    for (const reason of reasons) expect(reason).toMatchObject({ name: 'GuardRefusal', guard });
    expect(simulator.instances().filter(({ image }) => image !== 'theirs')).toEqual([]);
    await (undo as (() => Promise<unknown>) | null)?.();
    // Nothing but the guard was in the way.
    const key = `request-${cheapest}`;
    const { rental } = await rent(actor, requests[cheapest] ?? account.request(), { key, by });
    expect(rental.state).toBe('provisioning');
  });
});

describe('twenty rents requested in two processes at once', () => {
  it('stop at the third if the kill switch is used then', async () => {
    const account = await createTestAccount(sql, { simulated: { offersPerType: 400 } });
    const { actor, simulator, client } = account;
    const requests = machinesApart(account, 20);
    await withOther(async (other) => {
      const createInstance: typeof client.createInstance = async (...args) => {
        const made = await client.createInstance(...args);
        if (simulator.instances().length === 3)
          await switchActions({ ...actor, sql: other }, { enabled: false, by });
        return made;
      };
      const asked = await askAll(
        { ...actor, account: account.accountOf({ createInstance }) },
        requests,
        other,
      );
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      for (const one of asked) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ guard: 'kill-switch' });
      }
      expect(simulator.instances()).toHaveLength(3);
      await switchActions(actor, { enabled: true, by });
      const again = await askAll(actor, requests, other);
      expect(again.map(({ status }) => status)).toEqual(requests.map(() => 'fulfilled'));
    });
    expect(simulator.instances()).toHaveLength(20);
  });
});

describe('the price cap', () => {
  it('holds for rents that waited for the account while the price rose', async () => {
    const account = await createTestAccount(sql, { simulated: { offersPerType: 400 } });
    const { actor, simulator, client, clock } = account;
    const plain = machinesApart(account, 3);
    const quotes = await Promise.all(plain.map((request) => quoteRequest(actor, request)));
    const requests = plain.map((request, index) => ({
      ...request,
      maxUsdPerHour: Number(quotes[index]?.usdPerHour),
    }));
    let factor = 1;
    let searches = 0;
    const searchOffers: typeof client.searchOffers = async (query, options) => {
      const page = await client.searchOffers(query, options);
      searches += 1;
      const offers = page.offers.map((offer) => ({
        ...offer,
        baseUsdPerHour: offer.baseUsdPerHour * factor,
      }));
      return { ...page, offers };
    };
    const waiting = { ...actor, account: account.accountOf({ searchOffers }) };
    const asked = await withOther(async (other) => {
      let begun: ReturnType<typeof askAll> | null = null;
      await withAccountLock(sql, actor.market.id, async () => {
        begun = askAll(waiting, requests, other);
        await expect.poll(() => searches).toBe(requests.length);
        // Quotes are good for a minute.
        clock.now = new Date(clock.now.getTime() + 61_000);
        factor = 1.01;
      });
      return (await begun) ?? [];
    });
    expect(asked).toHaveLength(3);
    for (const one of asked) {
      expect(one).toMatchObject({ status: 'rejected', reason: { kind: 'price-above-cap' } });
    }
    expect(simulator.instances()).toEqual([]);
    factor = 1;
    const [{ status } = { status: 'none' }] = await withOther((other) => askAll(waiting, requests, other));
    expect(status).toBe('fulfilled');
  });
});
