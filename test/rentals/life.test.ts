import { describe, expect, it } from 'vitest';
import { judgeLife, mayReplace } from '../../src/rentals/instances/judge-life.ts';
import type { RentalState } from '../../src/rentals/rental.ts';

const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minutes));
const rented = {
  ...{ createdAt: at(0), settledAt: at(0), provisionMinutes: 20 },
  ...{ firstRunningAt: null, failedStartAt: null, state: 'provisioning' as RentalState },
};
const listed = {
  ...{ goneAt: null, intendedStatus: 'running' as string | null, statusMessage: null },
  ...{ everRunning: false, statusSince: at(0) },
};

interface Case {
  status: string | null;
  intended?: string | null;
  ran?: boolean;
  was?: RentalState;
  gone?: boolean;
  minutes?: number;
  wanted?: 'stopped' | 'destroyed' | 'running';
}

const judge = (of: Case) =>
  judgeLife({
    rental: { ...rented, state: of.was ?? rented.state },
    instance: {
      ...{ ...listed, actualStatus: of.status, everRunning: of.ran ?? false },
      intendedStatus: of.intended === undefined ? 'running' : of.intended,
      goneAt: of.gone === true ? at(3) : null,
    },
    plan: of.wanted === undefined ? null : { wanted: of.wanted },
    poll: { polledAt: at(of.minutes ?? 5), unidentified: 0 },
    settleMinutes: 3,
  }).state;

describe('the life cycle of an instance', () => {
  it.each<[what: string, of: Case, state: RentalState]>([
    ['null is being provisioned', { status: null }, 'provisioning'],
    ['loading is the image downloading', { status: 'loading' }, 'provisioning'],
    ['running', { status: 'running' }, 'running'],
    ['running, its port accepts', { status: 'running', was: 'ready' }, 'ready'],
    ['running again, its port not asked yet', { status: 'running', ran: true, was: 'stopped' }, 'running'],
    ['exited before it ran', { status: 'exited' }, 'start-failed'],
    ['unknown before it ran', { status: 'unknown' }, 'start-failed'],
    ['offline before it ran', { status: 'offline' }, 'start-failed'],
    ['exited after it ran', { status: 'exited', ran: true }, 'down'],
    ['unknown after it ran', { status: 'unknown', ran: true }, 'down'],
    ['offline after it ran', { status: 'offline', ran: true }, 'down'],
    ['offline and running again', { status: 'running', ran: true, was: 'down' }, 'running'],
    ['a stop shows as stopped, though it says exited', { status: 'exited', intended: 'stopped' }, 'stopped'],
    ['… though it says running still', { status: 'running', intended: 'stopped' }, 'stopped'],
    ['… though it says offline', { status: 'offline', intended: 'stopped', ran: true }, 'stopped'],
    ['a stop asked here, before any list shows it', { status: 'running', wanted: 'stopped' }, 'stopped'],
    ['stopped with no intent known', { status: 'stopped', intended: null }, 'stopped'],
    [
      '… that was shown so before',
      { status: 'exited', intended: null, ran: true, was: 'stopped' },
      'stopped',
    ],
    ['… until it runs again', { status: 'running', intended: null, ran: true, was: 'stopped' }, 'running'],
    ['a bid that was outbid', { status: 'stopped' }, 'stopped'],
    ['a destroy that the list does not show yet', { status: 'running', wanted: 'destroyed' }, 'destroying'],
    ['absent from a later list', { status: 'running', gone: true }, 'destroyed'],
    ['absent, as it was asked', { status: null, gone: true, wanted: 'destroyed' }, 'destroyed'],
    ['booting for longer than it may', { status: 'loading', minutes: 21 }, 'start-failed'],
    ['booting again after a stop', { status: 'loading', ran: true }, 'provisioning'],
    ['a status that is not known, before it ran', { status: 'frozen' }, 'provisioning'],
    ['a status that is not known, after it ran', { status: 'rebooting', ran: true }, 'provisioning'],
  ])('%s', (_, of, state) => {
    expect(judge(of)).toBe(state);
  });

  it('an unlisted instance is provisioning while lists may lag, or is being destroyed, then destroyed', () => {
    const judgeAt = (minutes: number, unidentified = 0, plan: { wanted: 'destroyed' } | null = null) =>
      judgeLife({
        ...{ rental: rented, instance: null, plan, settleMinutes: 3 },
        poll: { polledAt: at(minutes), unidentified },
      });
    const states = [judgeAt(2), judgeAt(4, 1), judgeAt(4)].map(({ state }) => state);
    expect(states).toEqual(['provisioning', 'provisioning', 'destroyed']);
    const plan = { wanted: 'destroyed' as const };
    expect([judgeAt(2, 0, plan), judgeAt(4, 1, plan), judgeAt(4, 0, plan)]).toEqual([
      { state: 'destroying', reason: null },
      { state: 'destroying', reason: null },
      { state: 'destroyed', reason: null },
    ]);
    expect(judgeAt(4).reason).toBe('no list ever had the instance');
  });
});

describe('the failure policy', () => {
  const failed = {
    ...{ state: 'start-failed' as RentalState, onFailure: 'replace' as const },
    ...{ replacementsLeft: 1, firstRunningAt: null as Date | null },
  };
  const never = { everRunning: false, intendedStatus: 'running' };
  it.each<[boolean, string, Parameters<typeof mayReplace>]>([
    [true, 'an instance that failed to start', [failed, never, null]],
    [false, 'what only notifies', [{ ...failed, onFailure: 'notify' }, never, null]],
    [false, 'what has no replacement left', [{ ...failed, replacementsLeft: 0 }, never, null]],
    [false, 'what ran once', [failed, { ...never, everRunning: true }, null]],
    [false, 'what ran once by the ledger', [{ ...failed, firstRunningAt: at(1) }, never, null]],
    [false, 'what a person stopped, started or wants destroyed', [failed, never, { wantedAt: at(1) }]],
    [true, 'what has hours alone', [failed, never, { wantedAt: null }]],
    [false, 'what a person stopped elsewhere', [failed, { ...never, intendedStatus: 'stopped' }, null]],
    [false, 'what is down after it ran', [{ ...failed, state: 'down' }, never, null]],
    [false, 'what no list has', [failed, null, null]],
  ])('%s: replaces %s', (expected, _, of) => {
    expect(mayReplace(...of)).toBe(expected);
  });
});
