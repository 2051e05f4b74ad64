import { describe, expect, it } from 'vitest';
import { volumeMeters } from '../../src/simulator/account/meters.ts';
import { bookOf, offer, openMarket, rent, rowsOf, type TestMarket } from './market-account.ts';

interface LifeCycle {
  name: string;
  /** What happens, by seconds since the rent. */
  events: readonly (readonly [atS: number, what: string])[];
  /** Seconds since the rent when the bill is read. @default the last event's */
  readS?: number;
  /** By hand: rate × seconds. */
  bySecondUsd: number;
  byHourUsd: number;
  /** @default 0.36 $/h and 36 GB at 7.2 $/GB/month, which is 0.36 $/h too: 0.0001 $ a second each */
  offer?: Record<string, unknown>;
  rent?: object;
  options?: object;
}

// It runs from second 120 on, after a restart from 105 seconds after it: the first 15 were waiting for the pull.
const lifeCycles: readonly LifeCycle[] = [
  {
    // disk 100 × 0.0001 · 1 h of disk
    name: 'destroyed while loading',
    events: [[100, 'destroy']],
    bySecondUsd: 0.01,
    byHourUsd: 0.36,
  },
  {
    // gpu 3600 × 0.0001 = 0.36, disk 3720 × 0.0001 = 0.372 · 1 h + 2 h
    name: 'destroyed after running an hour to the second',
    events: [[3720, 'destroy']],
    bySecondUsd: 0.732,
    byHourUsd: 1.08,
  },
  {
    // gpu 3601 × 0.0001 = 0.3601, disk 0.3721 · 2 h + 2 h
    name: 'destroyed after running an hour and a second',
    events: [[3721, 'destroy']],
    bySecondUsd: 0.7322,
    byHourUsd: 1.44,
  },
  {
    // gpu 1800 s = 0.18, disk 3600 s = 0.36 · 1 h + 1 h
    name: 'stopped after half an hour, destroyed after one',
    events: [
      [1920, 'stop'],
      [3600, 'destroy'],
    ],
    bySecondUsd: 0.54,
    byHourUsd: 0.72,
  },
  {
    // disk 7200 s = 0.72 · 2 h of disk
    name: 'stopped while loading',
    events: [
      [60, 'stop'],
      [7200, 'destroy'],
    ],
    bySecondUsd: 0.72,
    byHourUsd: 0.72,
  },
  {
    // runs 120-1920 and 3705-5505: gpu 3600 s = 0.36, disk 5505 s = 0.5505 · 1 h + 1 h, 2 h of disk
    name: 'stopped and started again',
    events: [
      [1920, 'stop'],
      [3600, 'start'],
      [5505, 'destroy'],
    ],
    bySecondUsd: 0.9105,
    byHourUsd: 1.44,
  },
  {
    // gpu 1000 s = 0.1, disk 10800 s = 1.08 · 1 h + 3 h
    name: 'exited and left alone',
    events: [[1120, 'exited']],
    readS: 10_800,
    bySecondUsd: 1.18,
    byHourUsd: 1.44,
  },
  {
    // gpu 600 s = 0.06, disk 3600 s = 0.36 · 1 h + 1 h
    name: 'unknown, then destroyed',
    events: [
      [720, 'unknown'],
      [3600, 'destroy'],
    ],
    bySecondUsd: 0.42,
    byHourUsd: 0.72,
  },
  {
    // gpu 600 s = 0.06, disk 3600 s = 0.36 · 1 h + 1 h
    name: 'offline, where its disk is billed',
    events: [[720, 'offline']],
    readS: 3600,
    bySecondUsd: 0.42,
    byHourUsd: 0.72,
  },
  {
    // gpu 600 s = 0.06, disk 720 s = 0.072 · 1 h + 1 h
    name: 'offline, where its disk is not billed',
    events: [[720, 'offline']],
    readS: 7200,
    bySecondUsd: 0.132,
    byHourUsd: 0.72,
    options: { storageWhileOffline: false },
  },
  {
    // disk 3600 s = 0.36
    name: 'never started',
    events: [],
    readS: 3600,
    bySecondUsd: 0.36,
    byHourUsd: 0.36,
    rent: { target_state: 'stopped' },
  },
  {
    // gpu 60 × 0.1 / 3600 = 0.0016666… → 0.001667, disk 180 s = 0.018 · 0.1 + 0.36
    name: 'a minute at a price that does not divide',
    events: [[180, 'destroy']],
    bySecondUsd: 0.019667,
    byHourUsd: 0.46,
    offer: { dph_base: 0.1 },
  },
  {
    // gpu 7080 s = 0.708, disk 7200 s = 0.72 · 2 h + 2 h
    name: 'two hours over midnight',
    events: [[7200, 'destroy']],
    bySecondUsd: 1.428,
    byHourUsd: 1.44,
    options: { startAt: new Date('2026-03-02T23:00:00Z') },
  },
  {
    // gpu 259080 s = 25.908, disk 259200 s = 25.92 · 72 h + 72 h
    name: 'three days',
    events: [[259_200, 'destroy']],
    bySecondUsd: 51.828,
    byHourUsd: 51.84,
  },
  {
    // gpu 1800 × 0.0002 = 0.36 and 1800 × 0.0004 = 0.72, disk 3720 s = 0.372 · 0.72 + 1.44 + 2 h of disk
    name: 'a bid that is doubled',
    events: [
      [1920, 'bid 1.44'],
      [3720, 'destroy'],
    ],
    bySecondUsd: 1.452,
    byHourUsd: 2.88,
    rent: { price: 0.72 },
  },
  {
    // gpu 1200 s = 0.12, disk 3600 s = 0.36 · 1 h + 1 h
    name: 'stopped twice',
    events: [
      [1320, 'stop'],
      [2000, 'stop'],
      [3600, 'destroy'],
    ],
    bySecondUsd: 0.48,
    byHourUsd: 0.72,
  },
  {
    // as if nothing had been: gpu 3600 s = 0.36, disk 3720 s = 0.372 · 1 h + 2 h
    name: 'started while it runs',
    events: [
      [1000, 'start'],
      [3720, 'destroy'],
    ],
    bySecondUsd: 0.732,
    byHourUsd: 1.08,
  },
  {
    // runs 120-1120 and 1226-2226: gpu 2000 s = 0.2, disk 3600 s = 0.36 · 1 h + 1 h, 1 h of disk
    name: 'two short runs within an hour',
    events: [
      [1120, 'stop'],
      [1121, 'start'],
      [2226, 'stop'],
      [3600, 'destroy'],
    ],
    bySecondUsd: 0.56,
    byHourUsd: 1.08,
  },
  {
    // gpu 0.36, disk 8 × 0.15 / 720 × 3720 / 3600 = 0.0017222… → 0.001722 · 0.36 + 2 × 0.0016666… → 0.003333
    name: 'a small and cheap disk',
    events: [[3720, 'destroy']],
    bySecondUsd: 0.361722,
    byHourUsd: 0.363333,
    offer: { storage_cost: 0.15 },
    rent: { disk: 8 },
  },
  {
    // gpu 3480 s = 0.348, disk 3600 s = 0.36 · 1 h + 1 h
    name: 'read while it runs',
    events: [],
    readS: 3600,
    bySecondUsd: 0.708,
    byHourUsd: 0.72,
  },
  {
    // gpu 0.36, disk 0.372, down 10 × 0.02 = 0.2, up 5 × 0.04 = 0.2 · 0.36 + 0.72 + 0.2 + 0.2
    name: 'with traffic',
    events: [[3720, 'destroy']],
    bySecondUsd: 1.132,
    byHourUsd: 1.48,
    options: { traffic: { downGbPerHour: 10, upGbPerHour: 5 } },
  },
];

async function live(market: TestMarket, cycle: LifeCycle): Promise<number[]> {
  const id = await rent(market, 1, cycle.rent);
  for (const [atS, what] of cycle.events) {
    market.goTo(atS);
    await happen(market, id, what);
  }
  // Time goes on after a destruction: it must cost nothing.
  market.goTo(cycle.readS ?? Number(cycle.events.at(-1)?.[0]) + 90_000);
  const selection = encodeURIComponent(JSON.stringify({ day: { gte: 0, lte: 4_000_000_000 } }));
  const charges = rowsOf(await market.call('GET', `/api/v0/charges/?select_filters=${selection}`), 'results');
  for (const { amount, items } of charges) {
    const parts = (items as { amount: number }[]).map((item) => Math.round(item.amount * 1e6));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(Math.round(Number(amount) * 1e6));
  }
  return charges.map(({ amount }) => Number(amount));
}

async function happen(market: TestMarket, id: number, what: string): Promise<void> {
  const path = `/api/v0/instances/${id}/`;
  const [word = '', operand] = what.split(' ');
  if (word === 'exited' || word === 'unknown' || word === 'offline')
    return market.simulator.setInstancePhase(id, word);
  const answers = {
    stop: () => market.call('PUT', path, { state: 'stopped' }),
    start: () => market.call('PUT', path, { state: 'running' }),
    destroy: () => market.call('DELETE', path),
    bid: () =>
      market.call('PUT', `/api/v0/instances/bid_price/${id}/`, { client_id: 'me', price: Number(operand) }),
  };
  expect(await answers[word as keyof typeof answers]()).toEqual({ status: 200, body: { success: true } });
}

const sumOf = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 1e6), 0) / 1e6;

describe('the bill of an instance, computed by hand', () => {
  it('covers at least twenty lives', () => {
    expect(lifeCycles.length).toBeGreaterThanOrEqual(20);
  });

  for (const billing of ['second', 'hour'] as const) {
    it.each(lifeCycles)(`by the ${billing}: $name`, async (cycle) => {
      const replay = bookOf([offer(1, cycle.offer)]);
      const market = await openMarket({ replay, billing, ...cycle.options });
      const amounts = await live(market, cycle);
      expect(sumOf(amounts)).toBe(billing === 'second' ? cycle.bySecondUsd : cycle.byHourUsd);
    });
  }

  it('has one charge per UTC day, and days add up', async () => {
    const overMidnight = lifeCycles.find(({ name }) => name === 'two hours over midnight');
    const threeDays = lifeCycles.find(({ name }) => name === 'three days');
    if (overMidnight === undefined || threeDays === undefined) throw new Error('no such life cycle');
    const replay = bookOf([offer(1)]);
    // Newest first: 0:00-1:00 is 3600 s of both; 23:00-24:00 is 3480 s of gpu and 3600 s of disk.
    expect(await live(await openMarket({ replay, ...overMidnight.options }), overMidnight)).toEqual([
      0.72, 0.708,
    ]);
    expect(await live(await openMarket({ replay }), threeDays)).toEqual([17.28, 17.28, 17.268]);
  });

  it('of a volume is its size for as long as it exists', async () => {
    const market = await openMarket();
    // 0.0001 $/GB/h × 50 GB × 10 h = 0.05
    const made = await market.call('PUT', '/api/v0/volumes/', { id: 1001, size: 50 });
    expect(made.body.success).toBe(true);
    market.goTo(36_000);
    const [volume] = rowsOf(await market.call('GET', '/api/v0/volumes/'), 'volumes');
    await market.call('DELETE', '/api/v0/volumes/', { id: volume?.id });
    market.goTo(72_000);
    expect(market.simulator.charges().map(({ amountUsd }) => amountUsd)).toEqual(['0.050000']);
  });

  it('has its rate in words with at most six significant digits, and is computed with all of them', () => {
    const usdPerGbHour = '0.00018518518518518518';
    const sizes = { ...{ id: 1, offerId: 1, machineId: 1, volumeName: 'data', sizeGb: 1000 }, usdPerGbHour };
    const [meter] = volumeMeters({ ...sizes, createdS: 0, deletedS: null });
    expect(meter?.rateText).toBe('$0.000185185/GB/hour for 1000 GB');
    expect(meter?.rate.units).toBe(18_518_518_518_518_518n * 10n ** 13n);
  });
});
