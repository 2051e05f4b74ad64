import { describe, expect, it } from 'vitest';
import type { Budget, Instance } from '../../web/core/api.ts';
import { needsHead, needsOf } from '../../web/today/needs.ts';
import { instanceAt } from './made-instance.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const instance = (change: Partial<Instance>): Instance => ({ ...instanceAt('0.41'), ...change });
const bid = { type: 'bid', state: 'stopped', bidUsdPerHour: '0.2' } as const;

const budget = (label: string | null, state: Partial<Budget['state']>): Budget => ({
  ...{
    id: `of ${label}`,
    market: 'm',
    label,
    monthlyUsd: '100',
    alertAt: [],
    blockRentals: true,
    timeZone: 'UTC',
  },
  state: {
    ...{ month: '2026-03', from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z', spentUsd: '40' },
    ...{
      share: 0.4,
      leftUsd: '60',
      burnUsdPerHour: '0.1',
      unpriced: 0,
      knownEndsUsd: '0',
      projectedUsd: '90',
    },
    ...{ projectionMethod: '', reached: [], usedUp: false, ...state },
  },
});

const nothing = { instances: [], budgets: [], channels: [] };

describe('what needs the reader', () => {
  it.each<[string, Partial<Instance>, string, string | null]>([
    ['unsettled', { state: 'unsettled' }, 'unclear whether it was rented', 'settle'],
    ['start-failed', { state: 'start-failed' }, 'its disk is charged at $0.0042/hour', 'destroy'],
    ['down', { state: 'down', statusMessage: 'no heartbeat' }, 'down (no heartbeat)', 'destroy'],
    ['refused', { wanted: 'stopped', wantedProblem: 'no answer' }, 'not made it stopped: no answer', null],
    ['outbid', { ...bid, minBidUsdPerHour: 0.25 }, 'the minimum is now $0.2500/hour, above its bid', 'bid'],
    [
      'ending',
      { endAction: 'stop', ending: { limit: 'maxUsd', at: '2100-01-01T00:00:00Z', reading: 'spent $9' } },
      'spent $9',
      'extend',
    ],
    [
      'replaced',
      { found: { offerId: 1, machineId: 1, usdPerHour: 0.3, replacementId: 'r', problem: null } },
      'Its replacement is rented at $0.3000/hour',
      'destroy',
    ],
    ['host-ending', { hostEndsAt: '2026-03-11T12:00:00Z' }, 'host ends it in 24 h', null],
    ['host-ending', { hostEndsAt: '2026-03-10T11:00:00Z' }, 'host has ended it', null],
    [
      'host-ending',
      { hostEndsAt: '2026-03-11T12:00:00Z', endsAt: '2026-03-11T09:00:00Z', endAction: 'stop' },
      'It stops in 21 h by its limit, and its host ends it in 24 h: copy',
      null,
    ],
    // A limit that has passed comes before nothing.
    [
      'host-ending',
      { hostEndsAt: '2026-03-11T12:00:00Z', endsAt: '2026-03-10T09:00:00Z', endAction: 'destroy' },
      'Its host ends it in 24 h',
      null,
    ],
    ...(['2026-03-10T09:00:00Z', '2026-03-11T09:00:00Z'] as const).map(
      (endsAt): [string, Partial<Instance>, string, null] => [
        'host-ending',
        { state: 'stopped', hostEndsAt: '2026-03-11T12:00:00Z', endsAt, endAction: 'stop' },
        'Its host ends it in 24 h',
        null,
      ],
    ),
    ['stopped', { state: 'stopped' }, 'its disk is still charged at $0.0042/hour', 'destroy'],
    ['stopped', { state: 'stopped', stoppedUsdPerDay: null }, 'at an unknown price', 'destroy'],
    ['stopped', { ...bid, minBidUsdPerHour: 0.15 }, 'its disk is still charged', 'destroy'],
    ['idle', { idle: true }, 'idle for an hour, at $0.4100/hour', 'stop'],
    ['unknown-state', { state: 'offline' }, '“offline”', null],
  ])('has an instance for %s', (kind, change, reason, action) => {
    const [need, ...others] = needsOf({ ...nothing, instances: [instance(change)] }, now);
    expect(need).toMatchObject({ kind, action, name: 'watched', reason: expect.stringContaining(reason) });
    expect(others).toEqual([]);
  });

  it('has none that is as it should be, ends late or is about to be gone', () => {
    const fine = [
      instance({}),
      instance({ state: 'stopped', stoppedUsdPerDay: '0' }),
      instance({ hostEndsAt: '2026-03-20T00:00:00Z' }),
      instance({ hostEndsAt: '2026-03-11T12:00:00Z', endsAt: '2026-03-11T09:00:00Z', endAction: 'destroy' }),
      instance({ state: 'destroying', hostEndsAt: '2026-03-10T13:00:00Z' }),
      instance({ idle: false }),
    ];
    expect(needsOf({ ...nothing, instances: fine, budgets: [budget(null, {})] }, now)).toEqual([]);
  });

  it('has the most urgent first, one of each instance, then channels and budgets', () => {
    const instances = [
      instance({ instanceId: 1, idle: true }),
      instance({ instanceId: 2, state: 'stopped', hostEndsAt: '2026-03-11T00:00:00Z' }),
      instance({ instanceId: null, rentalId: 'r1', label: null, state: 'unsettled' }),
    ];
    const budgets = [
      budget(null, { projectedUsd: '130' }),
      budget('training', { usedUp: true, spentUsd: '101' }),
    ];
    const last = {
      ...{ state: 'refused' as const, title: 'H100 below $2', endedAt: '2026-03-10T11:00:00Z' },
      problem: 'HTTP 410',
    };
    const channels = [
      { id: 'c1', name: 'pager', undelivered: 1, lastDelivery: last },
      { id: 'c2', name: 'slack', undelivered: 0, lastDelivery: { ...last, state: 'sent' as const } },
      { id: 'c3', name: 'unused', undelivered: 0, lastDelivery: null },
      { id: 'c4', name: 'mail', undelivered: 3, lastDelivery: last },
    ];
    expect(needsOf({ instances, budgets, channels }, now).map(({ key, kind }) => `${key}: ${kind}`)).toEqual([
      'r1: unsettled',
      '2: host-ending',
      '1: idle',
      'c1: undelivered',
      'c4: undelivered',
      'of null: budget-ahead',
      'of training: budget',
    ]);
    expect(needsHead(needsOf({ instances, budgets, channels }, now), 3)).toBe(
      '3 of 3 instances, 4 other items',
    );
    expect(needsHead(needsOf({ ...nothing, instances }, now), 4)).toBe('3 of 4 instances');
    expect(needsHead(needsOf({ ...nothing, channels: channels.slice(0, 1) }, now), 0)).toBe('1 item');
    expect(
      needsOf({ ...nothing, channels }, now).map(({ name, reason, href }) => [name, reason, href]),
    ).toEqual([
      ['pager', '1 message not delivered: H100 below $2 (HTTP 410).', '/watches?at=deliveries'],
      ['mail', '3 messages not delivered: the newest is H100 below $2 (HTTP 410).', '/watches?at=deliveries'],
    ]);
    expect(needsOf({ ...nothing, budgets }, now).map(({ reason }) => reason)).toEqual([
      'At today’s rate it will be $130.00 at the month’s end, above its $100.00.',
      'It is used up: $101.00 of $100.00 this month. New rentals labeled training are blocked.',
    ]);
    const whole = budget(null, { usedUp: true, spentUsd: '101' });
    expect(needsOf({ ...nothing, budgets: [whole] }, now)[0]?.reason).toMatch(/ New rentals are blocked\.$/);
  });
});
