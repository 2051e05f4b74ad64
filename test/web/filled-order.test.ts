import { describe, expect, it } from 'vitest';
import type { StandingOrder } from '../../web/core/api.ts';
import { changedBody, filledOrder, hiddenParts, orderBody } from '../../web/orders/filled-order.ts';
import {
  armObstacle,
  newestStep,
  orderStateWords,
  outcomeWords,
  priceConditions,
} from '../../web/orders/order-words.ts';
import { maxSpendWords } from '../../web/orders/spend-words.ts';

const order: StandingOrder = {
  ...{ id: 'o', market: 'simulator', name: 'night run', state: 'draft', reason: null, waitingFor: null },
  ...{ waitingReason: null, count: 2, machines: 0, endsAt: '2026-12-01T10:00:30.000Z', budgetUsd: null },
  committedUsd: '0',
  choices: [
    {
      ...{ watchId: 'w', maxUsdPerGpuHour: 0.5, maxPercentile: { percentile: 10, days: 30 } },
      later: { unknown: 'to this form' },
    },
    { watchId: 'v', minIndexFall: { percent: 5, days: 7 } },
  ],
  request: {
    image: 'ubuntu:24.04',
    diskGb: 20,
    provisionMinutes: 30,
    env: ['HF_TOKEN'],
    onstartCharacters: 9,
  },
  ...{ channelIds: ['c'], createdBy: 'me', createdAt: '2026-11-25T10:00:00Z', armedAt: null, dryRun: null },
  attempts: [],
};
const attempt: StandingOrder['attempts'][number] = {
  ...{ attempt: 1, at: '2026-11-26T10:00:00Z', choice: 0, bookId: '1', offerId: 1, machineId: 1 },
  ...{ usdPerHour: '1', maxUsdPerHour: '1', outcome: 'refused', reason: null, bidUsdPerHour: null },
  ...{ rentalId: null, instanceId: null, rentalState: null },
};

describe('the filled-in form of an order', () => {
  it('keeps what it has no field for, and leaves out what is empty', () => {
    const { image, diskGb, provisionMinutes } = order.request;
    expect(orderBody(filledOrder(order))).toMatchObject({
      ...{ name: 'night run', count: 2, budgetUsd: null, channelIds: ['c'] },
      choices: order.choices,
    });
    expect(orderBody(filledOrder(order)).request).toEqual({ image, diskGb, provisionMinutes });
  });

  it('saves nothing that was not changed, above all no request without its secrets', () => {
    const before = filledOrder(order);
    expect(changedBody(before, filledOrder(order))).toEqual({});
    expect(changedBody(before, { ...before, count: '3', budgetUsd: ' 5 ' })).toEqual({
      ...{ count: 3, budgetUsd: '5' },
    });
    expect(changedBody(before, { ...before, maxHours: '2', env: 'A=1' })).toEqual({
      request: {
        ...{ image: 'ubuntu:24.04', diskGb: 20, provisionMinutes: 30 },
        ...{ maxHours: 2, endAction: 'stop', env: { A: '1' } },
      },
    });
    expect(hiddenParts(order)).toEqual(['the environment (HF_TOKEN)', 'the start script']);
    expect(hiddenParts({ request: { diskGb: 20 } })).toEqual([]);
  });
});

describe('a choice that bids', () => {
  const bid = { abovePercent: 5, stepPercent: 20, whenOutbid: 'replace' as const };
  const [plain] = filledOrder(order).choices;

  it('is saved as it was, and stops bidding when that is switched off', () => {
    const filled = filledOrder({ ...order, choices: [{ watchId: 'w', maxUsdPerGpuHour: 0.5, bid }] });
    expect(orderBody(filled).choices).toEqual([{ watchId: 'w', maxUsdPerGpuHour: 0.5, bid }]);
    const [choice] = filled.choices;
    if (choice === undefined) throw new Error('the choice is gone');
    const off = { ...filled, choices: [{ ...choice, bid: { ...choice.bid, bids: false } }] };
    expect(orderBody(off).choices).toEqual([{ watchId: 'w', maxUsdPerGpuHour: 0.5 }]);
    expect(priceConditions({ watchId: 'w', maxUsdPerGpuHour: 0.5, bid })).toEqual([
      'bids up to $0.50/GPU-hour',
    ]);
  });

  it("begins with the API's defaults", () => {
    expect(plain?.bid).toEqual({
      ...{ bids: false, abovePercent: '10', stepPercent: '10', whenOutbid: 'wait' },
    });
  });

  it('is armed again with all its machines, whose bids it raises', () => {
    const done = {
      ...order,
      machines: 2,
      endsAt: '2100-01-01T00:00:00Z',
      dryRun: {} as StandingOrder['dryRun'],
    };
    expect(armObstacle(done)).toContain('has all its machines');
    expect(armObstacle({ ...done, choices: [{ watchId: 'w', maxUsdPerGpuHour: 1, bid }] })).toBeNull();
  });
});

describe('what an order may spend', () => {
  const priced = [{ watchId: 'w', maxUsdPerGpuHour: 0.5 }];

  it.each<[string, Partial<StandingOrder>]>([
    [
      'It may rent 2 machines and spend up to $5.00, its budget, of which $0.00 is committed.',
      { budgetUsd: '5' },
    ],
    [
      'It may rent 1 more machine and spend up to $5.00, its budget, of which $1.25 is committed.',
      { budgetUsd: '5', machines: 1, committedUsd: '1.25' },
    ],
    ['Its prices have no limit in dollars, except your own for each rental.', {}],
    ['It has no budget. It may rent 2 machines, each for up to $0.50/GPU-hour.', { choices: priced }],
    ['It has no time limit: its machines cost money until you destroy them.', { choices: priced }],
    [
      'In 6 h that is up to $6.00 for machines with one GPU, and as many times that as they have GPUs.',
      { choices: priced, request: { diskGb: 1, maxHours: 6, endAction: 'destroy' } },
    ],
    [
      'After 6 h they are stopped: their disks are charged until you destroy them.',
      { request: { diskGb: 1, maxHours: 6 } },
    ],
  ])('is said: %s', (sentence, fields) => {
    expect(maxSpendWords({ ...order, ...fields })).toContain(sentence);
  });
});

describe('the words of an order', () => {
  it('say what an armed order waits for, and nothing of that in another state', () => {
    const text = (fields: Partial<StandingOrder>) => orderStateWords({ ...order, ...fields }).text;
    expect(text({ state: 'armed' })).toBe('armed, waiting for an offer that fits');
    expect(text({ state: 'armed', waitingFor: 'stale-data' })).toBe('armed, waiting for a newer book');
    expect(text({ state: 'paused', waitingFor: 'stale-data' })).toBe('paused');
  });

  it('say why it cannot be armed', () => {
    const tried = { ...order, endsAt: '2100-01-01T00:00:00Z', dryRun: {} as StandingOrder['dryRun'] };
    expect(armObstacle(tried)).toBeNull();
    expect(armObstacle({ ...tried, dryRun: null })).toContain('needs a dry run');
    expect(armObstacle({ ...tried, machines: 2 })).toContain('has all its machines');
    expect(armObstacle({ ...tried, endsAt: '2020-01-01T00:00:00Z' })).toContain('time is over');
    expect(armObstacle({ ...tried, state: 'armed', machines: 2 })).toBeNull();
  });

  it('name the newest step and its time', () => {
    expect(newestStep(order)).toEqual({ at: order.createdAt, words: 'created' });
    const armedAt = '2026-11-26T09:00:00Z';
    expect(newestStep({ ...order, armedAt })).toEqual({ at: armedAt, words: 'armed' });
    expect(newestStep({ ...order, armedAt, attempts: [attempt] })).toEqual({
      ...{ at: attempt.at, words: 'attempt 1: refused by the market' },
    });
    expect(outcomeWords({ outcome: 'offer-gone' }).text).toBe('the offer was gone');
  });
});
