import { describe, expect, it } from 'vitest';
import type { OrderBid } from '../../src/orders/order.ts';
import type { TrueInstance } from '../../src/simulator/truth.ts';
import { createTestAccount, type TestAccount } from '../rentals/test-account.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { armNew, carryOut, look, makeWatch } from './test-orders.ts';

const { sql } = await createTestDatabase();
const bid: OrderBid = { abovePercent: 0, stepPercent: 10, whenOutbid: 'wait' };
const diskGb = 20;

/** An order that bids for machines of one GPU, and an on-demand choice behind it. */
async function armBids(
  account: TestAccount,
  { how = bid, cap, count = 4, onDemand }: { how?: OrderBid; cap: number; count?: number; onDemand?: number },
) {
  const watchId = (await makeWatch(account, { numGpus: [1], type: ['bid', 'on-demand'] })).id;
  const choices = [
    { watchId, maxUsdPerGpuHour: cap, bid: how },
    ...(onDemand === undefined ? [] : [{ watchId, maxUsdPerGpuHour: onDemand }]),
  ];
  const endsAt = new Date(account.clock.now.getTime() + 10 * 86_400_000).toISOString();
  return await armNew(account, { count, choices, endsAt });
}

/** Lets hours pass with a poll and a round of orders every few minutes, and a book of each type every two hours. */
async function live(account: TestAccount, hours: number): Promise<void> {
  for (let minute = 0; minute < hours * 60; minute += 10) {
    await account.pass(600, 600);
    if (minute % 120 === 0) {
      await account.crawl('bid');
      await account.crawl();
    }
    await carryOut(account.actor);
  }
}

const bidsOf = ({ steps }: TrueInstance): number[] => [
  ...new Set(steps.map(({ usdPerHour }) => Number(usdPerHour))),
];

describe('a choice that bids', () => {
  it('rents interruptible machines at its first bid, and raises each that is outbid, step by step, up to its cap', async () => {
    const account = await createTestAccount(sql, { simulated: { seed: 3 } });
    await account.crawl('bid');
    await account.crawl();
    const order = await armBids(account, { cap: 0.12 });
    expect(order.dryRun).toMatchObject({
      wouldRent: 4,
      bidChances: [{ hours: 1 }, { hours: 6 }, { hours: 24 }],
    });
    await carryOut(account.actor);
    const first = await look(account, order.id);
    expect(first.machines).toHaveLength(4);
    await live(account, 12);
    const { state, waitingFor, attempts } = await look(account, order.id);
    expect([state, waitingFor]).toEqual(['armed', 'bids']);
    const truth = account.simulator.instances();
    expect(truth.map(({ isBid }) => isBid)).toEqual(Array(4).fill(true));
    for (const instance of truth) {
      const bids = bidsOf(instance);
      expect(bids.every((usd, at) => at === 0 || usd > (bids[at - 1] ?? 0))).toBe(true);
      const attempt = attempts.find(({ rental }) => rental?.instanceId === instance.id);
      expect(Number(attempt?.bidUsdPerHour)).toBe(bids.at(-1));
      expect(Number(attempt?.bidUsdPerHour)).toBeLessThan(0.12);
      for (const [at, usd] of bids.slice(1).entries()) expect(usd / (bids[at] ?? 0)).toBeLessThan(1.11);
    }
    // Unless some were outbid and run again, nothing is shown.
    expect(truth.filter((one) => bidsOf(one).length > 1).length).toBeGreaterThan(0);
    const notices = await sql<{ words: string }[]>`select data ->> 'words' as words from event
      where kind = 'order' and data ->> 'step' = 'raised' and data ->> 'orderId' = ${order.id}`;
    expect(notices.length).toBe(truth.reduce((sum, one) => sum + bidsOf(one).length - 1, 0));
  });

  it('is replaced by an on-demand machine once its highest bid is outbid, never with more than were asked', async () => {
    const account = await createTestAccount(sql, { simulated: { seed: 3 } });
    await account.crawl('bid');
    await account.crawl();
    const listed = account.simulator
      .offersAt(undefined, { type: 'bid', storageGb: diskGb })
      .filter((row) => row.rentable === true && Number(row.num_gpus) === 1)
      .map((row) => Number(row.dph_base) + (Number(row.storage_cost) * diskGb) / 720)
      .sort((a, b) => a - b);
    // The cap leaves hardly any room above the minimum bids.
    const how = { ...bid, whenOutbid: 'replace' as const };
    const order = await armBids(account, { how, cap: (listed[2] ?? 0) * 1.02, count: 3, onDemand: 1 });
    await carryOut(account.actor);
    await live(account, 12);
    const { attempts, machines } = await look(account, order.id);
    const truth = account.simulator.instances();
    const givenUp = attempts.filter(({ outcome }) => outcome === 'given-up');
    expect(givenUp.length).toBeGreaterThan(0);
    expect(machines).toHaveLength(3);
    for (const { rental } of givenUp) {
      const instance = truth.find(({ id }) => id === rental?.instanceId);
      expect(instance).toMatchObject({ isBid: true, phase: 'destroyed' });
      expect(instance?.steps.some(({ phase }) => phase === 'outbid')).toBe(true);
    }
    expect(truth.filter(({ isBid }) => !isBid).length).toBeGreaterThan(0);
    for (const { createdS } of truth) {
      const alive = truth.filter(
        (one) => one.createdS <= createdS && (one.destroyedS === null || one.destroyedS > createdS),
      );
      expect(alive.length).toBeLessThanOrEqual(3);
    }
  });

  it('keeps its bid and says why when the market or a guard refuses the raise, and raises it later', async () => {
    const account = await createTestAccount(sql, { simulated: { seed: 3 } });
    await account.crawl('bid');
    await account.crawl();
    const order = await armBids(account, { cap: 0.12 });
    await carryOut(account.actor);
    const bids = async () =>
      (await look(account, order.id)).attempts.map(({ bidUsdPerHour }) => bidUsdPerHour);
    const first = await bids();
    const isOutbid = () => account.simulator.instances().some(({ phase }) => phase === 'outbid');
    for (let polls = 0; !isOutbid() && polls < 200; polls += 1) await account.pass(600, 600);
    expect(isOutbid()).toBe(true);
    await account.pass(180, 60);
    account.simulator.setFaults(['429-json@PUT /api/v0/instances/bid_price:1']);
    await carryOut(account.actor);
    account.simulator.setFaults([]);
    expect(await look(account, order.id)).toMatchObject({
      waitingFor: 'market',
      waitingReason: expect.stringContaining('cannot be raised to $'),
    });
    const capped = { ...account.actor, limits: { ...account.actor.limits, maxUsdPerHour: 0.0001 } };
    await carryOut(capped);
    expect(await look(account, order.id)).toMatchObject({
      waitingFor: 'guard',
      waitingReason: expect.stringContaining('MAX_USD_PER_HOUR=0.0001'),
    });
    expect(await bids()).toEqual(first);
    await carryOut(account.actor);
    expect(await bids()).not.toEqual(first);
  });

  it('does not stop other orders when its instance has vanished from the market since the last list', async () => {
    const account = await createTestAccount(sql, { simulated: { seed: 3 } });
    await account.crawl('bid');
    await account.crawl();
    const bidder = await armBids(account, { cap: 0.12 });
    await carryOut(account.actor);
    const outbid = () => account.simulator.instances().find(({ phase }) => phase === 'outbid');
    for (let polls = 0; outbid() === undefined && polls < 200; polls += 1) await account.pass(600, 600);
    await account.pass(180, 60);
    for (const { id, phase } of account.simulator.instances())
      if (phase === 'outbid') await account.client.destroyInstance(id);
    await account.crawl();
    const other = await armNew(account, { count: 1 });
    await carryOut(account.actor);
    expect(await look(account, bidder.id)).toMatchObject({
      waitingFor: 'rentals',
      waitingReason: expect.stringContaining('The account has no instance'),
    });
    expect((await look(account, other.id)).machines).toHaveLength(1);
  });
});
