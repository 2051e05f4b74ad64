import { describe, expect, it } from 'vitest';
import { type ChoiceView, type DecidedOrder, decideOrder } from '../../src/orders/decide-order.ts';
import type { FittingOffer } from '../../src/orders/fitting-offers.ts';
import type { OrderBid } from '../../src/orders/order.ts';
import type { AttemptRental, ListedBid, OrderAttempt } from '../../src/orders/order-facts.ts';

const at = new Date('2026-07-01T12:00:00Z');
const later = (minutes: number): Date => new Date(at.getTime() + minutes * 60_000);
const bid: OrderBid = { abovePercent: 10, stepPercent: 20, whenOutbid: 'wait' };
const order: DecidedOrder = {
  ...{ count: 1, endsAt: later(600), budgetUsd: null, maxHours: null, armedAt: at, choices: [{ bid }, {}] },
};
const outbid: ListedBid = {
  ...{ seenAt: later(3), actualStatus: 'stopped', intendedStatus: 'running', wanted: null },
  // 720 GB-months are 1 cent an hour at $0.10 for each of 72 GB.
  ...{ minBidUsdPerHour: null, storageUsdPerGbMonth: 0.1, diskSpaceGb: 72 },
};
const rental = (listed: Partial<ListedBid>, fields: Partial<AttemptRental> = {}): AttemptRental => ({
  ...{ id: 'r', state: 'running', instanceId: 7, reason: null, usdPerHour: '0.11', maxUsdPerHour: '0.2' },
  ...{
    maxHours: null,
    settleBy: null,
    firstRunningAt: at,
    failedStartAt: null,
    createdAt: at,
    endedAt: null,
  },
  listed: { ...outbid, ...listed },
  ...fields,
});
const attempt = (listed: Partial<ListedBid> = {}, fields: Partial<OrderAttempt> = {}): OrderAttempt => ({
  ...{ attempt: 1, choice: 0, bookId: 1, offerId: 9, machineId: 9, usdPerHour: '0.11', maxUsdPerHour: '0.2' },
  ...{ at, tries: 1, outcome: 'rented', reason: null, bidUsdPerHour: '0.1', bidAt: at },
  rental: rental(listed),
  ...fields,
});
const offer: FittingOffer = {
  ...{ listingId: 1, offerId: 1, machineId: 1, gpuName: 'RTX 4090', numGpus: 1, type: 'on-demand' },
  ...{ usdPerHour: 0.3, maxUsdPerHour: 0.4, bidUsdPerHour: null },
};
const nothing: ChoiceView[] = [
  { kind: 'book', bookId: 2, offers: [] },
  { kind: 'book', bookId: 2, offers: [] },
];
const onDemand: ChoiceView[] = [
  { kind: 'book', bookId: 2, offers: [] },
  { kind: 'book', bookId: 2, offers: [offer] },
];
const decide = (
  attempts: OrderAttempt[],
  {
    views = nothing,
    block = null,
    now = later(4),
    ...fields
  }: Partial<Parameters<typeof decideOrder>[1]> & Partial<DecidedOrder> = {},
) => decideOrder({ ...order, ...fields }, { now, attempts, views, block });
const raised = (attempts: OrderAttempt[], fields: Parameters<typeof decide>[1] = {}): string | null => {
  const decision = decide(attempts, fields);
  return decision.kind === 'raise' ? decision.bidUsdPerHour.toString() : null;
};
const replaces = { choices: [{ bid: { ...bid, whenOutbid: 'replace' as const } }, {}] };
const atCap = { bidUsdPerHour: '0.19' };

describe('a bid that is outbid', () => {
  it('is raised by a step, or by as many as the listed minimum needs, and never above the cap with the disk', () => {
    expect(raised([attempt()])).toBe('0.12');
    expect(raised([attempt({ minBidUsdPerHour: 0.15 })])).toBe('0.1728');
    expect(raised([attempt({}, { bidUsdPerHour: '0.18' })])).toBe('0.19');
    expect(raised([attempt({}, atCap)])).toBeNull();
    expect(raised([attempt({ minBidUsdPerHour: 0.195 })])).toBeNull();
    expect(raised([attempt({ storageUsdPerGbMonth: null })])).toBeNull();
  });

  it.each([
    ['a list from before the newest bid', { seenAt: at }],
    ['a list too soon after it', { seenAt: later(1) }],
    ['a running instance', { actualStatus: 'running' }],
    ['an instance that starts', { actualStatus: 'loading' }],
    ['a stop by somebody on the market', { intendedStatus: 'stopped' }],
    ['a stop by its owner or a limit', { wanted: 'stopped' as const }],
    ['a destroy', { wanted: 'destroyed' as const }],
  ])('is not what %s shows', (_, listed) => {
    expect(decide([attempt(listed)])).toMatchObject({ kind: 'wait', block: { waitingFor: 'bids' } });
  });

  it('is not raised while rents are blocked, after the end, or for a machine that is gone', () => {
    const block = { waitingFor: 'actions', reason: 'actions are off' } as const;
    expect(decide([attempt()], { block })).toEqual({ kind: 'wait', block });
    expect(decide([attempt()], { now: later(600) })).toMatchObject({ kind: 'move', state: 'filled' });
    const gone = attempt({}, { rental: rental({}, { endedAt: later(2), state: 'destroyed' }) });
    expect(decide([gone])).toMatchObject({ kind: 'move', state: 'filled' });
    expect(decide([attempt({}, { rental: { ...rental({}), listed: null } })])).toMatchObject({
      state: 'filled',
    });
  });

  it('waits at its highest bid, or is given up only when another offer fits', () => {
    expect(decide([attempt({}, atCap)], { views: onDemand })).toMatchObject({
      kind: 'wait',
      block: { waitingFor: 'bids', reason: expect.stringContaining('1 of them outbid at the highest bid') },
    });
    // Books are only read when they are needed.
    expect(decide([attempt({}, atCap)], { ...replaces, views: [] })).toEqual({ kind: 'wait', block: null });
    expect(decide([attempt({}, atCap)], replaces)).toMatchObject({
      kind: 'wait',
      block: { waitingFor: 'bids' },
    });
    expect(decide([attempt({}, atCap)], { ...replaces, views: onDemand })).toMatchObject({
      ...{ kind: 'give-up', bid: { instanceId: 7 }, reason: 'outbid at its highest bid of $0.19/hour' },
    });
  });

  it('keeps its place until its instance is gone, and is then replaced once, never on the same machine', () => {
    const leaving = { outcome: 'given-up' as const, ...atCap };
    const views = onDemand;
    expect(decide([attempt({ wanted: 'destroyed' }, leaving)], { ...replaces, views })).toMatchObject({
      kind: 'wait',
      block: { waitingFor: 'rentals' },
    });
    const gone = attempt({}, { ...leaving, rental: rental({}, { endedAt: later(4), state: 'destroyed' }) });
    expect(decide([gone], { ...replaces, views })).toMatchObject({ kind: 'attempt', choice: 1, offer });
    const same: ChoiceView[] = [{ kind: 'book', bookId: 2, offers: [{ ...offer, machineId: 9 }] }];
    expect(decide([gone], { ...replaces, views: same })).toEqual({ kind: 'wait', block: null });
    const other = attempt({}, { attempt: 2, machineId: 1, bidUsdPerHour: null, bidAt: null });
    expect(decide([gone, other], replaces)).toMatchObject({ kind: 'move', state: 'filled' });
  });

  it('commits its cap, to which it may rise, and frees the hours that are left when it is given up', () => {
    const budget = { ...replaces, budgetUsd: '4.2', maxHours: 10 };
    const withHours = rental({}, { maxHours: 10 });
    const views = onDemand;
    // 10 hours at the cap of $0.20 leave $2.20 for the second machine, which needs $3.
    const running = attempt(
      { actualStatus: 'running' },
      { rental: { ...withHours, listed: { ...outbid, actualStatus: 'running' } } },
    );
    expect(decide([running], { ...budget, count: 2, views })).toMatchObject({
      kind: 'wait',
      block: { waitingFor: 'budget', reason: expect.stringContaining('$2 of $4.2') },
    });
    expect(decide([attempt({}, { ...atCap, rental: withHours })], { ...budget, views })).toMatchObject({
      kind: 'give-up',
    });
  });
});
