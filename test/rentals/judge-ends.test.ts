import { describe, expect, it } from 'vitest';
import { endProblem, limitsAfter, noEndLimits } from '../../src/rentals/instances/end-limits.ts';
import { type EndFacts, idleCountsFrom, judgeEnds } from '../../src/rentals/instances/judge-ends.ts';

const at = (minutes: number): Date => new Date(Date.UTC(2026, 2, 2, 0, minutes));
const now = at(600);
type Plan = Parameters<typeof judgeEnds>[0];
const plan: Plan = {
  ...{ ...noEndLimits, endAction: 'stop', warnMinutes: 15 },
  ...{ wanted: null, wantedAt: null, acceptedAt: null },
};
const facts: EndFacts = {
  idle: null,
  cost: { usd: '0', usdPerHour: null },
  isRunning: true,
  isStopped: false,
};
const idleSince = (minutes: number, until = 600): Partial<EndFacts> => ({
  idle: { from: at(minutes), until: at(until) },
});
const costs = (usd: string, usdPerHour: string | null = '1.2'): Partial<EndFacts> => ({
  cost: { usd, usdPerHour },
});
const idle: Partial<Plan> = { idleMinutes: 30, idlePercent: 5, idleFrom: at(0) };

/** The judgment in short: kind, limit and the minute of the limit. */
function judged(given: Partial<Plan>, seen: Partial<EndFacts> = {}): string | null {
  const end = judgeEnds({ ...plan, ...given }, { ...facts, ...seen }, now);
  if (end === null) return null;
  const moment = end.kind === 'due' ? end.since : end.at;
  return `${end.kind} ${end.limit} ${(moment.getTime() - at(0).getTime()) / 60_000}`;
}

describe('the limits of an instance', () => {
  it.each<[what: string, of: Partial<Plan>, seen: Partial<EndFacts>, end: string | null]>([
    ['nothing without a limit', {}, idleSince(0), null],
    ['hours that are over', { maxHours: 10, endsAt: at(600) }, {}, 'due maxHours 600'],
    ['a moment that has come', { endsAt: at(590) }, {}, 'due endsAt 590'],
    ['hours that are nearly over: a warning', { maxHours: 10, endsAt: at(610) }, {}, 'soon maxHours 610'],
    ['hours that are not', { maxHours: 10, endsAt: at(616) }, {}, null],
    ['no warning where none is wanted', { endsAt: at(601), warnMinutes: 0 }, {}, null],
    ['30 idle minutes', idle, idleSince(570), 'due idleMinutes 600'],
    ['29 idle minutes: a warning', idle, idleSince(571), 'soon idleMinutes 601'],
    ['a pause of less than half the time', idle, idleSince(586), null],
    ['a use that is not known', idle, {}, null],
    ['an idle time that no poll has seen lately', idle, idleSince(500, 593), null],
    ['an idle instance that does not run', idle, { ...idleSince(500), isRunning: false }, null],
    ['dollars that are spent', { maxUsd: '12' }, costs('12'), 'due maxUsd 600'],
    ['dollars that are nearly spent: a warning', { maxUsd: '12' }, costs('11.9'), 'soon maxUsd 605'],
    ['dollars that are not', { maxUsd: '12' }, costs('11.5'), null],
    ['dollars at an unknown price', { maxUsd: '12' }, costs('11.99', null), null],
    [
      'dollars that a late charge corrects',
      { maxUsd: '12', spentAt: at(550) },
      costs('11.9'),
      'due maxUsd 550',
    ],
    [
      'the first that is due',
      { ...idle, maxUsd: '12' },
      { ...idleSince(570), ...costs('13') },
      'due maxUsd 600',
    ],
    [
      'of several ends the next',
      { ...idle, endsAt: at(608) },
      { ...idleSince(575), ...costs('11.9') },
      'soon idleMinutes 605',
    ],
    [
      'an end again while a stop is pending',
      { endsAt: at(590), wanted: 'stopped', wantedAt: at(591) },
      {},
      null,
    ],
    [
      '… that was asked before',
      { endsAt: at(590), wanted: 'stopped', wantedAt: at(580) },
      {},
      'due endsAt 590',
    ],
    ['a stop that a list has shown', { endsAt: at(590), wantedAt: at(591), acceptedAt: at(591) }, {}, null],
    ['a stop that was refused', { endsAt: at(590), wantedAt: at(591) }, {}, 'due endsAt 590'],
    [
      'a stop where it is to be destroyed',
      { endsAt: at(590), endAction: 'destroy', wanted: 'stopped', wantedAt: at(591) },
      {},
      'due endsAt 590',
    ],
    ['what is being destroyed', { endsAt: at(590), wanted: 'destroyed', wantedAt: at(1) }, {}, null],
    ['a start by a person since', { endsAt: at(590), wanted: 'running', wantedAt: at(595) }, {}, null],
    [
      'a start by a person since it was spent',
      { maxUsd: '12', spentAt: at(550), wanted: 'running', wantedAt: at(551) },
      costs('13'),
      null,
    ],
    [
      'another limit than the one that a person went past',
      { maxUsd: '12', endsAt: at(590), wanted: 'running', wantedAt: at(595) },
      costs('13'),
      'due maxUsd 600',
    ],
    ['no warning of a stop of what is stopped', { endsAt: at(601) }, { isStopped: true }, null],
    ['a warning while it starts', { endsAt: at(601) }, { isRunning: false }, 'soon endsAt 601'],
    [
      'a warning before a stopped one is destroyed',
      { endsAt: at(601), endAction: 'destroy' },
      { isStopped: true },
      'soon endsAt 601',
    ],
  ])('%s', (_, of, seen, end) => {
    expect(judged(of, seen)).toBe(end);
  });

  it('say what was seen, and never more than was', () => {
    const read = (of: Partial<Plan>, seen: Partial<EndFacts> = {}) =>
      judgeEnds({ ...plan, ...of }, { ...facts, ...seen }, now)?.reading;
    expect(read(idle, idleSince(569))).toBe('GPUs under 5% for 31 minutes');
    expect(read({ maxUsd: '12' }, costs('12.039'))).toBe('spent $12.03 of $12');
    expect(read({ maxUsd: '12' }, costs('11.999'))).toBe('spent $11.99 of $12');
    expect(read({ maxHours: 1, endsAt: at(600) })).toBe('1 hour since the rent');
    expect(read({ endsAt: at(600) })).toBe('its end, 2026-03-02 10:00 UTC');
  });

  it('count idle polls only since they were set and since the last start or stop', () => {
    const from = (of: Partial<Plan>) => idleCountsFrom({ ...plan, ...of });
    expect(from({ idleFrom: at(5) })).toEqual(at(5));
    expect(from({ idleFrom: at(5), wanted: 'running', wantedAt: at(9) })).toEqual(at(9));
    expect(from({ idleFrom: at(5), wantedAt: at(3) })).toEqual(at(5));
  });
});

describe('a change of limits', () => {
  const when = { begin: at(0), at: at(100) };

  it('keeps what it does not name and fills in what is usual', () => {
    const first = limitsAfter({ maxHours: 4, idleMinutes: 30 }, noEndLimits, when);
    expect(first).toEqual({
      ...noEndLimits,
      ...{ maxHours: 4, endsAt: at(240), idleMinutes: 30, idlePercent: 5, idleFrom: at(100) },
      ...{ endAction: 'stop', warnMinutes: 15 },
    });
    const spent = { ...first, maxUsd: '3', spentAt: at(90) };
    const later = { begin: at(0), at: at(200) };
    expect(limitsAfter({ endAction: 'destroy' }, spent, later)).toEqual({ ...spent, endAction: 'destroy' });
    expect(limitsAfter({ maxUsd: 5 }, spent, later)).toEqual({ ...spent, maxUsd: '5', spentAt: null });
    expect(limitsAfter({ idlePercent: 8 }, spent, later)).toMatchObject({
      idlePercent: 8,
      idleFrom: at(200),
    });
  });

  it('has one end by time, removes by null, and forgets what happens once nothing ends it', () => {
    const hours = limitsAfter({ maxHours: 4 }, noEndLimits, when);
    const moment = limitsAfter({ endsAt: '2026-03-02T05:00:00+01:00' }, hours, when);
    expect([moment.maxHours, moment.endsAt]).toEqual([null, at(240)]);
    expect(limitsAfter({ maxHours: 2 }, moment, when)).toMatchObject({ maxHours: 2, endsAt: at(120) });
    expect(limitsAfter({ maxHours: null, endsAt: '2026-03-02T05:00:00Z' }, hours, when).endsAt).toEqual(
      at(300),
    );
    expect(limitsAfter({ maxHours: null }, moment, when)).toEqual(noEndLimits);
    expect(
      limitsAfter({ idleMinutes: null }, limitsAfter({ idleMinutes: 9 }, noEndLimits, when), when),
    ).toEqual(noEndLimits);
  });

  it.each<[object, string[] | null]>([
    [{ maxHours: 4, endAction: 'destroy', warnMinutes: 5 }, null],
    [{}, null],
    [{ maxHours: 4, endsAt: '2026-03-03T00:00:00Z' }, ['maxHours', 'endsAt']],
    [{ endsAt: '2026-03-02T01:00:00Z' }, ['endsAt']],
    [{ idlePercent: 4 }, ['idlePercent', 'idleMinutes']],
    [{ endAction: 'stop' }, ['endAction', 'maxHours']],
    [{ maxUsd: null, warnMinutes: 5 }, ['warnMinutes']],
  ])('%j is refused for %j', (request, fields) => {
    expect(endProblem(request, noEndLimits, at(100))?.fields ?? null).toEqual(fields);
  });
});
