import { describe, expect, it } from 'vitest';
import { type ChoiceView, decideOrder } from '../../src/orders/decide-order.ts';
import type { FittingOffer } from '../../src/orders/fitting-offers.ts';
import type { AttemptRental, OrderAttempt } from '../../src/orders/order-facts.ts';

const at = new Date('2026-07-01T12:00:00Z');
const later = (hours: number): Date => new Date(at.getTime() + hours * 3_600_000);
const order = { count: 2, endsAt: later(24), budgetUsd: null, maxHours: null, armedAt: at, choices: [{}] };

const offer = (machineId: number, usdPerHour: number): FittingOffer => ({
  ...{
    listingId: machineId,
    offerId: machineId,
    machineId,
    gpuName: 'RTX 4090',
    numGpus: 1,
    type: 'on-demand',
  },
  ...{ usdPerHour, maxUsdPerHour: 1, bidUsdPerHour: null },
});
const book = (bookId: number, ...offers: FittingOffer[]): ChoiceView => ({ kind: 'book', bookId, offers });
const rental = (fields: Partial<AttemptRental> = {}): AttemptRental => ({
  ...{ id: 'r', state: 'running', instanceId: 1, reason: null, usdPerHour: '0.5', maxUsdPerHour: '1' },
  ...{
    maxHours: 10,
    settleBy: null,
    firstRunningAt: at,
    failedStartAt: null,
    createdAt: at,
    endedAt: null,
    listed: null,
  },
  ...fields,
});
const attempt = (fields: Partial<OrderAttempt> = {}): OrderAttempt => ({
  ...{ attempt: 1, choice: 0, bookId: 1, offerId: 9, machineId: 9, usdPerHour: '0.5' },
  ...{
    maxUsdPerHour: '1',
    at,
    tries: 1,
    outcome: 'rented',
    reason: null,
    bidUsdPerHour: null,
    bidAt: null,
    rental: rental(),
  },
  ...fields,
});
const decide = (
  attempts: OrderAttempt[],
  views: ChoiceView[] = [book(2, offer(1, 0.5))],
  fields: Partial<Parameters<typeof decideOrder>[0]> = {},
  now = at,
) => decideOrder({ ...order, ...fields }, { now, attempts, views, block: null });

describe('an armed order', () => {
  it('takes the first choice with a fitting offer, and of it the best', () => {
    const [dear, cheap] = [offer(1, 0.9), offer(2, 0.1)];
    const blocked: ChoiceView = { kind: 'blocked', block: { waitingFor: 'stale-data', reason: 'old' } };
    expect(decide([], [book(2, dear), book(3, cheap)])).toMatchObject({
      kind: 'attempt',
      choice: 0,
      offer: dear,
    });
    expect(decide([], [book(2), book(3, cheap, dear)])).toMatchObject({ choice: 1, bookId: 3, offer: cheap });
    expect(decide([], [blocked, book(3, cheap)])).toMatchObject({ choice: 1 });
    expect(decide([], [blocked, book(3)])).toEqual(
      blocked.kind === 'blocked' ? { kind: 'wait', block: blocked.block } : {},
    );
    expect(decide([], [book(2)])).toEqual({ kind: 'wait', block: null });
  });

  it.each([
    ['creating', true],
    ['settling', true],
    ['unsettled', true],
    ['provisioning', true],
    ['stopped', true],
    ['destroyed', true],
    ['failed', false],
  ] as const)('counts a rental that is %s as a machine: %s', (state, counts) => {
    const ended = state === 'destroyed' || state === 'failed' ? at : null;
    const own = attempt({
      rental: rental({ state, firstRunningAt: state === 'destroyed' ? at : null, endedAt: ended }),
    });
    expect(decide([own], undefined, { count: 1 }).kind === 'attempt').toBe(!counts);
  });

  it('rents in place of a machine whose start failed once it is gone, and never that machine again', () => {
    const failed = { firstRunningAt: null, failedStartAt: at };
    const listed = attempt({ rental: rental({ ...failed, state: 'start-failed' }) });
    const gone = attempt({ rental: rental({ ...failed, state: 'destroyed', endedAt: at }) });
    expect(decide([listed], undefined, { count: 1 })).toMatchObject({
      kind: 'wait',
      block: { waitingFor: 'rentals' },
    });
    expect(decide([gone], [book(2, offer(9, 0.1), offer(1, 0.5))], { count: 1 })).toMatchObject({
      offer: { machineId: 1 },
    });
  });

  it('tries a machine once a book, and again in the next one', () => {
    const lost = attempt({ outcome: 'offer-gone', rental: null, bookId: 2, machineId: 1 });
    expect(decide([lost])).toEqual({ kind: 'wait', block: null });
    expect(decide([lost], [book(3, offer(1, 0.5))])).toMatchObject({ kind: 'attempt', bookId: 3 });
    const held = attempt({ outcome: 'held', rental: null, bookId: 2, machineId: 1 });
    expect(decide([held])).toMatchObject({ kind: 'attempt', offer: { machineId: 1 } });
  });

  it('ends filled once its machines have run, expired by time, and failed by refusals in a row since it was armed', () => {
    const two = [attempt(), attempt({ machineId: 8 })];
    expect(decide(two)).toMatchObject({ state: 'filled' });
    expect(decide(two, undefined, {}, later(25))).toMatchObject({ state: 'filled' });
    expect(decide([attempt()], undefined, {}, later(24))).toMatchObject({
      state: 'expired',
      reason: 'its time is over: 1 of 2 machines rented',
    });
    const refused = () =>
      attempt({ outcome: 'refused', reason: 'no credit', rental: rental({ state: 'failed', endedAt: at }) });
    const three = [refused(), refused(), refused()];
    expect(decide(three)).toEqual({
      kind: 'move',
      state: 'failed',
      reason: 'the market refused 3 times: no credit',
    });
    expect(decide([refused(), refused(), attempt(), refused()])).toMatchObject({ kind: 'attempt' });
    expect(decide(three, undefined, { armedAt: later(1) })).toMatchObject({ kind: 'attempt' });
  });

  it('never commits above its budget, gets back what ended early, and is out of budget when nothing can come back', () => {
    const budget = { budgetUsd: '8', maxHours: 10, count: 5 };
    // The first commits 5, so that 3 are left: 0.3 an hour.
    expect(decide([attempt()], [book(2, offer(1, 0.3))], budget)).toMatchObject({
      kind: 'attempt',
      maxUsdPerHour: 0.3,
    });
    const dear = [book(2, offer(1, 0.31))];
    expect(decide([attempt()], dear, budget)).toMatchObject({
      kind: 'wait',
      block: { waitingFor: 'budget' },
    });
    const early = attempt({ rental: rental({ state: 'destroyed', endedAt: later(4) }) });
    expect(decide([early], dear, budget)).toMatchObject({ kind: 'attempt', maxUsdPerHour: 0.6 });
    const whole = attempt({ rental: rental({ state: 'destroyed', endedAt: later(10) }) });
    expect(decide([whole], dear, budget)).toMatchObject({ kind: 'move', state: 'out-of-budget' });
    // An unclear one may cost its cap.
    const unclear = attempt({
      rental: rental({ state: 'settling', maxUsdPerHour: '0.8', firstRunningAt: null }),
    });
    expect(decide([unclear], [book(2, offer(1, 0.1))], budget)).toMatchObject({ kind: 'wait' });
    expect(decide([unclear], [book(2, offer(1, 0.1))], { ...budget, budgetUsd: '9' })).toMatchObject({
      kind: 'attempt',
    });
  });
});
