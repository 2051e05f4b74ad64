import { describe, expect, it } from 'vitest';
import type { Instance, InstanceDetail } from '../../web/core/api.ts';
import { sshCommand } from '../../web/rentals/instances/copy-ssh.tsx';
import {
  allRows,
  endedCost,
  matchesSearch,
  nameOf,
  onceRunning,
  saysHostEnd,
  shownLists,
  sortedRows,
  sortingOf,
  sortLabelsOf,
} from '../../web/rentals/instances/instance-rows.ts';
import { moveStep } from '../../web/rentals/instances/move-step.ts';
import { isListedSoon } from '../../web/rentals/instances/state-words.ts';
import { isClose, timelineOf } from '../../web/rentals/instances/timeline.ts';
import { instanceAt } from './made-instance.ts';

const made = (fields: Partial<Instance>): Instance => ({ ...instanceAt('1'), ...fields });

describe('the list of instances', () => {
  it('names an instance by its label, else by its GPUs and number', () => {
    const gpus = { gpuName: 'RTX 4090', numGpus: 2, instanceId: 7 };
    expect(nameOf(made({ ...gpus, label: 'train' }))).toBe('train');
    expect(nameOf(made({ ...gpus, label: null }))).toBe('RTX 4090 × 2 · 7');
  });

  it.each([
    ['provisioning', '0.01', '0.5', '0.5'],
    ['stopped', '0.01', '0.5', '0.5'],
    ['ready', '0.5', '0.5', null],
    ['start-failed', '0.01', '0.5', null],
    ['provisioning', null, '0.5', null],
  ])('has another price once it runs: %s at %s', (state, billedUsdPerHour, runningUsdPerHour, wanted) => {
    expect(onceRunning(made({ state, billedUsdPerHour, runningUsdPerHour }))).toBe(wanted);
  });

  it.each<[string | null, Instance['endAction'], string | null, [boolean, boolean]]>([
    [null, null, null, [false, false]],
    [null, 'stop', '2026-03-12T00:00:00Z', [false, true]],
    ['2026-03-13T00:00:00Z', 'destroy', '2026-03-12T00:00:00Z', [true, true]],
    ['2026-03-11T00:00:00Z', 'destroy', '2026-03-12T00:00:00Z', [false, false]],
    ['2026-03-11T00:00:00Z', 'stop', '2026-03-12T00:00:00Z', [true, true]],
    ['2026-03-11T00:00:00Z', 'stop', '2026-03-22T00:00:00Z', [false, true]],
  ])('says the end by the host beside an own one: %s, %s, %s', (endsAt, endAction, hostEndsAt, wanted) => {
    const now = Date.parse('2026-03-10T12:00:00Z');
    const fields = { endsAt, endAction, hostEndsAt };
    expect([false, true].map((isWhole) => saysHostEnd(fields, { now, isWhole }))).toEqual(wanted);
  });

  it('says what an instance that was just rented will cost, before the market lists it', () => {
    const rented = made({ state: 'provisioning', billedUsdPerHour: null, quotedUsdPerHour: '0.5' });
    expect([isListedSoon(rented), onceRunning({ ...rented, runningUsdPerHour: '0.5' })]).toEqual([
      true,
      '0.5',
    ]);
    for (const other of [{ billedUsdPerHour: '0.1' }, { quotedUsdPerHour: null }, { state: 'ready' }]) {
      expect(isListedSoon({ ...rented, ...other })).toBe(false);
    }
  });

  it('has a cost so far only while all can cost more', () => {
    expect(shownLists.map((shown) => sortLabelsOf(shown).cost)).toEqual(['Cost so far', 'Cost', 'Cost']);
  });

  it('lists an instance once that ended between the answers, as it is now', () => {
    const [active, over, ended] = [7, 8, 8].map((instanceId) => made({ instanceId }));
    const rows = [active, over, ended] as [Instance, Instance, Instance];
    expect(allRows(rows.slice(0, 2), rows.slice(2))).toEqual([active, ended]);
    expect(allRows(rows.slice(0, 2), rows.slice(2))[1]).toBe(ended);
    expect(allRows(rows.slice(0, 2), [])).toEqual([active, over]);
  });

  it('offers SSH only while it runs', () => {
    const address = { sshHost: 'ssh.example', sshPort: 7 };
    expect(sshCommand(made({ ...address, state: 'ready' }))).toBe('ssh -p 7 root@ssh.example');
    for (const state of ['provisioning', 'stopped', 'start-failed']) {
      expect(sshCommand(made({ ...address, state }))).toBeNull();
    }
  });

  it.each([
    ['', true],
    ['watch 4090', true],
    ['77', true],
    ['germany', true],
    ['de', true],
    ['watched a100', false],
  ])('finds by %o: %s', (search, found) => {
    expect(matchesSearch(made({ country: 'DE' }), search)).toBe(found);
  });

  it('sorts by any column in both directions, unknown values last', () => {
    const items = [
      ['2', 1],
      [null, 2],
      ['10', 3],
      ['2', 4],
    ].map(([billedUsdPerHour, instanceId]) =>
      made({ billedUsdPerHour: billedUsdPerHour as string | null, instanceId: Number(instanceId) }),
    );
    const order = (query: string) =>
      sortedRows(items, sortingOf(new URLSearchParams(query))).map(({ instanceId }) => instanceId);
    expect(order('')).toEqual([1, 2, 3, 4]);
    expect(order('sort=price')).toEqual([3, 1, 4, 2]);
    expect(order('sort=price&turned=1')).toEqual([1, 4, 3, 2]);
    expect(order('sort=nonsense')).toEqual([1, 2, 3, 4]);
  });

  it('adds up what ends and what stays', () => {
    const items = [
      made({ usdPerHour: '0.5', stoppedUsdPerDay: '2.4' }),
      made({ usdPerHour: null }),
      made({ usdPerHour: '1', stoppedUsdPerDay: '0' }),
    ];
    const destroyed = endedCost('destroy', items);
    expect(destroyed).toEqual({ usdPerHour: 1.5, keptUsdPerDay: 0, unknown: 1 });
    const stopped = endedCost('stop', items);
    expect(stopped.usdPerHour).toBeCloseTo(1.4, 9);
    expect([stopped.keptUsdPerDay, stopped.unknown]).toEqual([2.4, 1]);
  });
});

const detail: InstanceDetail = {
  instance: made({}),
  machine: null,
  states: [
    { at: '2026-07-20T10:00:00.000Z', state: 'creating', reason: null },
    { at: '2026-07-20T10:05:00.000Z', state: 'down', reason: 'exited' },
  ],
  statuses: [
    { at: '2026-07-20T10:01:00.000Z', actualStatus: 'loading', intendedStatus: 'running', gone: false },
    { at: '2026-07-20T10:09:00.000Z', actualStatus: null, intendedStatus: null, gone: true },
  ],
  prices: [
    {
      ...{ from: '2026-07-20T10:02:00.000Z', computing: false, baseUsdPerHour: '0.4' },
      ...{ usdPerHour: '0.01', storageUsdPerHour: '0.01' },
    },
    {
      ...{ from: '2026-07-20T10:03:00.000Z', computing: true, baseUsdPerHour: '0.4' },
      ...{ usdPerHour: '0.41', storageUsdPerHour: '0.01' },
    },
  ],
  actions: [
    {
      ...{ at: '2026-07-20T10:04:00.000Z', by: 'alice', action: 'change', outcome: 'accepted' },
      detail: { maxHours: 5, label: null },
    },
    { at: '2026-07-20T10:06:00.000Z', by: 'bob', action: 'stop', outcome: null, detail: {} },
  ],
  equal: null,
  replaces: null,
  replacement: null,
};

describe('the timeline of an instance', () => {
  it('has states, prices and actions with who did them, the newest first', () => {
    expect(timelineOf(detail).map(({ kind, text, by, detail }) => [kind, text, by, detail])).toEqual([
      ['state', 'No longer listed by the market', null, null],
      ['action', 'Stop', 'bob', 'no answer is recorded'],
      ['state', 'Down', null, 'exited'],
      ['action', 'Change', 'alice', 'hours: 5, label: none'],
      ['price', 'From $0.0100 to $0.4100/hour', null, 'GPUs and disk are billed'],
      ['price', '$0.0100/hour', null, 'only the disk is billed'],
      ['state', 'Listed as loading', null, 'intended: running'],
      ['state', 'Creating', null, null],
    ]);
  });

  it('tells entries of the same minute apart, and no others', () => {
    const entries = ['10:02:00', '10:01:59', '10:01:07', '09:01:07'].map((time) => ({
      at: `2026-07-30T${time}.000Z`,
    }));
    expect(entries.map((_, index) => isClose(entries, index))).toEqual([false, true, true, false]);
  });
});

describe('a move to a cheaper machine', () => {
  const equal = {
    ...{ offerId: 1, machineId: 2, usdPerHour: 0.5, savesUsdPerHour: '0.5', country: 'DE' },
    ...{ verification: 'verified', reliability: 0.99, hostEndsAt: null, problem: null },
  };
  const other = (state: string, endedAt: string | null = null) => ({
    ...{ rentalId: 'r', instanceId: 78, state, reason: null, label: null, endedAt },
  });
  it.each<[string, Partial<Instance>, typeof equal | null, ReturnType<typeof other> | null]>([
    ['none', {}, null, null],
    ['found', {}, equal, null],
    ['none', { wanted: 'destroyed' }, equal, null],
    ['waiting', {}, equal, other('settling')],
    ['waiting', {}, null, other('running')],
    ['ready', {}, null, other('ready')],
    ['failed', {}, null, other('start-failed')],
    ['moved', { wanted: 'destroyed' }, null, other('ready')],
    ['moved', { endedAt: '2026-07-20T10:00:00.000Z' }, null, other('ready')],
    // One that was destroyed since is history: another may be rented.
    ['found', {}, equal, other('destroyed', '2026-07-20T10:00:00.000Z')],
  ])('is %s', (step, instance, offered, replacement) => {
    expect(moveStep({ instance: made(instance), equal: offered, replacement })).toBe(step);
  });
});
