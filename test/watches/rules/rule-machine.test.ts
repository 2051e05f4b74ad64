import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuleFields, RuleKind } from '../../../src/watches/rules/rule.ts';
import { ruleDefaults } from '../../../src/watches/rules/rule.ts';
import type { Reading } from '../../../src/watches/rules/rule-condition.ts';
import {
  beginAnew,
  blankState,
  type RuleState,
  rememberBook,
  stepRule,
} from '../../../src/watches/rules/rule-machine.ts';
import { holdsFor } from '../../support/property-runs.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 6, 1);
type Value = number | null | { value: number | null; held: number | null };

interface Play {
  kind?: RuleKind;
  params?: Record<string, unknown>;
  rule?: Partial<RuleFields>;
  /** One a book, an hour apart unless `everyMs`; null: nothing matched and all that did is gone. */
  values: readonly Value[];
  everyMs?: number;
  /** Books before the rule was created, as its history. */
  before?: readonly Value[];
}

const readingOf = (value: Value): Reading =>
  value !== null && typeof value === 'object' ? value : { value, held: value };

/** The numbers of the books, from 1, at which the rule fires. */
function play({
  kind = 'priceBelow',
  params = { usd: 0.4 },
  rule = {},
  values,
  everyMs = hourMs,
  before = [],
}: Play) {
  const made: RuleFields = { ...ruleDefaults, watchId: 'w', ...rule, kind, params };
  const fired: number[] = [];
  let state: RuleState = blankState;
  const all = [...before, ...values];
  for (const [index, value] of all.entries()) {
    const place = index - before.length;
    const at = start + place * everyMs;
    const time = { at, before: index === 0 ? null : at - everyMs };
    const readings = new Map([['best', readingOf(value)]]);
    if (place < 0) {
      state = rememberBook(made, state, time, readings);
      continue;
    }
    // As it is stored between two books.
    const step = stepRule(made, JSON.parse(JSON.stringify(state)) as RuleState, time, readings);
    ({ state } = step);
    if (step.firings.some(({ capped }) => !capped)) fired.push(place + 1);
  }
  return fired;
}

/** An offer that is missing in a book and not yet gone. */
const missing = (held: number): Value => ({ value: null, held });

describe('a rule fires, computed by hand', () => {
  it.each<[string, Play, number[]]>([
    ['below, once while it stays', { values: [0.5, 0.39, 0.38, 0.3] }, [2]],
    ['below from the first book on', { values: [0.3, 0.3] }, [1]],
    ['at the limit is not below', { values: [0.4, 0.4] }, []],
    ['again after it has left', { values: [0.3, 0.5, 0.3] }, [1, 3]],
    ['again after nothing was left', { values: [0.3, null, 0.3] }, [1, 3]],
    ['2 of 3', { rule: { of: { m: 2, n: 3 } }, values: [0.3, 0.5, 0.5, 0.3, 0.5, 0.3, 0.3] }, [6]],
    ['3 of 3', { rule: { of: { m: 3, n: 3 } }, values: [0.3, 0.3, 0.5, 0.3, 0.3, 0.3, 0.3] }, [6]],
    [
      'n books outside rearm',
      { rule: { of: { m: 1, n: 3 } }, values: [0.3, 0.5, 0.3, 0.5, 0.5, 0.5, 0.3] },
      [1, 7],
    ],
    [
      'hysteresis: 10% beyond the limit is out',
      { rule: { hysteresisPercent: 10 }, values: [0.3, 0.43, 0.3, 0.44, 0.3] },
      [1, 5],
    ],
    ['cooldown puts off', { rule: { cooldownMinutes: 180 }, values: [0.3, 0.5, 0.3, 0.3, 0.5] }, [1, 4]],
    [
      'cooldown: what left meanwhile is not told',
      { rule: { cooldownMinutes: 180 }, values: [0.3, 0.5, 0.3, 0.5, 0.5] },
      [1],
    ],
    ['never again', { rule: { rearm: 'never' }, values: [0.3, 0.5, 0.3, 0.5, 0.3] }, [1]],
    [
      'again after 3 hours while it stays',
      { rule: { rearm: { afterMinutes: 180 } }, values: [0.3, 0.3, 0.3, 0.3, 0.3] },
      [1, 4],
    ],
    [
      'after 3 hours, not by leaving',
      { rule: { rearm: { afterMinutes: 180 } }, values: [0.3, 0.5, 0.3, 0.5, 0.3] },
      [1, 5],
    ],
    ['at most 2 a day', { rule: { dailyCap: 2 }, values: [0.3, 0.5, 0.3, 0.5, 0.3, 0.5, 0.3] }, [1, 3]],
    [
      'the next day again',
      { rule: { dailyCap: 1 }, everyMs: 13 * hourMs, values: [0.3, 0.5, 0.3, 0.5, 0.3] },
      [1, 3, 5],
    ],
    ['a flapping offer once', { values: [0.3, missing(0.3), 0.3, missing(0.3), 0.3] }, [1]],
    [
      'a flapping offer above others once',
      { values: [0.3, { value: 0.5, held: 0.3 }, 0.3, { value: 0.5, held: 0.3 }, 0.3] },
      [1],
    ],
    [
      'percentile',
      {
        kind: 'percentileBelow',
        params: { percentile: 10, days: 30 },
        values: [0.5, 0.3].map((value, at) => ({
          value,
          held: value,
          percentile: at === 0 ? 40 : 4,
          heldPercentile: at === 0 ? 40 : 4,
        })),
      },
      [2],
    ],
    [
      'percentile without enough history',
      { kind: 'percentileBelow', params: { percentile: 10, days: 30 }, values: [{ value: 0.1, held: 0.1 }] },
      [],
    ],
    [
      'lowest in 2 days, strictly',
      { kind: 'lowestInDays', params: { days: 2 }, values: [0.5, 0.4, 0.4, 0.39, 0.5, 0.38] },
      [2, 4, 6],
    ],
    [
      'lowest: the first book is no news',
      { kind: 'lowestInDays', params: { days: 2 }, values: [0.5, 0.5] },
      [],
    ],
    [
      'lowest: what is older than the window is forgotten',
      { kind: 'lowestInDays', params: { days: 1 }, everyMs: 12 * hourMs, values: [0.3, 0.5, 0.5, 0.4] },
      [4],
    ],
    [
      'lowest: a price that lasted into the window counts',
      { kind: 'lowestInDays', params: { days: 1 }, everyMs: 11 * hourMs, values: [0.3, 0.3, 0.5, 0.4] },
      [],
    ],
    [
      'lowest: looks back on books before it was made',
      { kind: 'lowestInDays', params: { days: 2 }, before: [0.3], values: [0.35, 0.29] },
      [2],
    ],
    [
      'lowest: a flapping offer is no new low',
      { kind: 'lowestInDays', params: { days: 2 }, values: [0.5, 0.3, { value: 0.5, held: 0.3 }, 0.3] },
      [2],
    ],
    [
      'change in 2 hours',
      { kind: 'changePercent', params: { percent: 10, since: 2 }, values: [1, 1, 1, 0.9, 0.9, 0.9] },
      [4],
    ],
    [
      'change: no book so long ago, no firing',
      { kind: 'changePercent', params: { percent: 10, since: 24 }, values: [1, 0.5, 0.4] },
      [],
    ],
    [
      'change of exactly the percent',
      { kind: 'changePercent', params: { percent: 10, since: 1 }, values: [0.3, 0.33] },
      [2],
    ],
    [
      'change up only',
      {
        kind: 'changePercent',
        params: { percent: 10, since: 1, direction: 'up' },
        values: [1, 0.5, 0.5, 0.6],
      },
      [4],
    ],
    [
      'change since it fired last',
      {
        kind: 'changePercent',
        params: { percent: 10, since: 'lastFired' },
        values: [1, 0.95, 0.9, 0.85, 0.81, 0.81],
      },
      [3, 5],
    ],
    [
      'change since it fired last: again after 3 hours at the earliest',
      {
        kind: 'changePercent',
        params: { percent: 10, since: 'lastFired' },
        rule: { rearm: { afterMinutes: 180 } },
        values: [1, 0.9, 0.8, 0.7, 0.6, 0.6],
      },
      [2, 5],
    ],
    [
      'change: a flapping offer changes nothing',
      {
        kind: 'changePercent',
        params: { percent: 10, since: 1 },
        values: [0.3, { value: 0.5, held: 0.3 }, 0.3, 0.3],
      },
      [],
    ],
    ['back in stock', { kind: 'backInStock', params: {}, values: [2, 0, 0, 1, 3, 0, 2] }, [4, 7]],
    ['in stock all the time is no news', { kind: 'backInStock', params: {}, values: [2, 2, 1] }, []],
    [
      'back: flapping is not out of stock',
      { kind: 'backInStock', params: {}, values: [1, { value: 0, held: 1 }, 1] },
      [],
    ],
    ['supply below 3', { kind: 'supplyBelow', params: { offers: 3 }, values: [3, 2, 1, 3, 2] }, [2, 5]],
    [
      'supply: flapping is not gone',
      {
        kind: 'supplyBelow',
        params: { offers: 3 },
        values: [3, { value: 2, held: 3 }, 3, { value: 2, held: 3 }],
      },
      [],
    ],
    [
      'bid spread from 40%',
      { kind: 'bidSpread', params: { percent: 40 }, values: [30, 40, 45, 20, null, 41] },
      [2, 6],
    ],
    [
      'bid spread, hysteresis: out at a quarter less',
      {
        kind: 'bidSpread',
        params: { percent: 40 },
        rule: { hysteresisPercent: 25 },
        values: [41, 35, 41, 30, 41, 29, 41],
      },
      [1, 7],
    ],
    [
      'change, hysteresis: half of it is not yet over',
      {
        kind: 'changePercent',
        params: { percent: 10, since: 1 },
        rule: { hysteresisPercent: 50 },
        values: [1, 0.9, 0.85, 0.76, 0.75, 0.67],
      },
      [2, 6],
    ],
    [
      'percentile, hysteresis: out at the 15th of 10',
      {
        kind: 'percentileBelow',
        params: { percentile: 10, days: 30 },
        rule: { hysteresisPercent: 50 },
        values: [5, 12, 5, 15, 5].map((percentile) => ({
          ...{ value: 0.3, held: 0.3, percentile, heldPercentile: percentile },
        })),
      },
      [1, 5],
    ],
    [
      'supply, hysteresis: out at 5 of 4',
      {
        kind: 'supplyBelow',
        params: { offers: 4 },
        rule: { hysteresisPercent: 25 },
        values: [3, 4, 3, 5, 3],
      },
      [1, 5],
    ],
    [
      'lowest: lower and lower is one low',
      { kind: 'lowestInDays', params: { days: 2 }, values: [0.5, 0.4, 0.3, 0.2] },
      [2],
    ],
    [
      'lowest: a cooldown puts off what still is one',
      {
        kind: 'lowestInDays',
        params: { days: 2 },
        rule: { cooldownMinutes: 180 },
        values: [0.5, 0.4, 0.4, 0.3, 0.29, 0.28],
      },
      [2, 5],
    ],
    [
      'back in stock, 2 of 3: after 3 books without',
      { kind: 'backInStock', params: {}, rule: { of: { m: 2, n: 3 } }, values: [0, 0, 0, 1, 0, 1, 1] },
      [6],
    ],
    [
      'burn, 2 of 2',
      {
        kind: 'burnAbove',
        params: { usdPerHour: 2 },
        rule: { of: { m: 2, n: 2 } },
        values: [2, 1, 2, 2.5, 2],
      },
      [4],
    ],
    ['budget', { kind: 'budget', params: { share: 0.8 }, values: [0.5, 0.8, 0.9] }, [2]],
    ['partial books', { kind: 'crawlPartial', params: {}, values: [0, 1, 1, 0, 1] }, [2, 5]],
    ['a state', { kind: 'instanceState', params: { states: ['exited'] }, values: [0, 1, 1, 0, 1] }, [2, 5]],
    ['idle, until it is not', { kind: 'idleGpu', params: {}, values: [0, 1, 1, null, 1] }, [2, 5]],
    ['cheaper equal', { kind: 'cheaperEqual', params: { percent: 5 }, values: [4.9, 5, 6, null, 7] }, [2, 5]],
    [
      'failed deliveries, again after a day alone',
      {
        kind: 'delivery',
        params: {},
        rule: { cooldownMinutes: 1_440 },
        everyMs: 8 * hourMs,
        values: [0, 2, 0, 1, 1, 1],
      },
      [2, 5],
    ],
    [
      'data too old, hysteresis: fresh is a tenth younger',
      {
        kind: 'dataAge',
        params: { minutes: 180 },
        rule: { hysteresisPercent: 10 },
        values: [180, 170, 185, 160, 180],
      },
      [1, 5],
    ],
    ['data too old', { kind: 'dataAge', params: { minutes: 180 }, values: [100, 180, 240, 5, 200] }, [2, 5]],
  ])('%s', (_, what, expected) => {
    expect(play(what)).toEqual(expected);
  });

  it('separately for each listing', () => {
    const rule: RuleFields = {
      ...ruleDefaults,
      watchId: 'w',
      kind: 'priceBelow',
      params: { usd: 0.4, perListing: true },
    };
    let state = blankState;
    const fired: string[][] = [];
    const books: Record<string, number>[] = [
      { 7: 0.3, 8: 0.5 },
      { 7: 0.3, 8: 0.3 },
      { 8: 0.3 },
      { 7: 0.3, 8: 0.3 },
    ];
    for (const [index, book] of books.entries()) {
      const readings = new Map(Object.entries(book).map(([key, value]) => [key, { value, held: value }]));
      const step = stepRule(rule, state, { at: start + index * hourMs, before: null }, readings);
      ({ state } = step);
      fired.push(step.firings.map(({ key }) => key));
    }
    expect(fired).toEqual([['7'], ['8'], [], ['7']]);
  });

  it('with value, baseline and the previous value', () => {
    const rule: RuleFields = { ...ruleDefaults, watchId: 'w', kind: 'priceBelow', params: { usd: 0.4 } };
    const first = stepRule(
      rule,
      blankState,
      { at: start, before: null },
      new Map([['best', { value: 0.5, held: 0.5 }]]),
    );
    const second = stepRule(
      rule,
      first.state,
      { at: start + 1, before: start },
      new Map([['best', { value: 0.3, held: 0.3 }]]),
    );
    expect(second.firings).toEqual([
      { key: 'best', value: 0.3, baseline: 0.4, previous: 0.5, isFirst: false, capped: false },
    ]);
  });
});

describe('the state of a rule', () => {
  const at = (hour: number) => ({ at: start + hour * hourMs, before: start + (hour - 1) * hourMs });
  const of = (prices: Record<number, number>) =>
    new Map(Object.entries(prices).map(([key, value]) => [key, { value, held: value }]));
  const made = (kind: RuleKind, params: object, fields: Partial<RuleFields> = {}): RuleFields => ({
    ...{ ...ruleDefaults, ...fields, watchId: 'w', kind },
    params: { ...params, perListing: true },
  });

  it('includes books before it was added in which a listing was missing', () => {
    const rule = made('changePercent', { percent: 10, since: 2 });
    const books = [of({ 7: 1 }), of({ 8: 1 }), of({ 8: 1 })];
    let state = blankState;
    for (const [hour, book] of books.entries()) state = rememberBook(rule, state, at(hour), book);
    // Two hours ago it was not there: there is nothing that it has changed from.
    expect(stepRule(rule, state, at(3), of({ 7: 0.5 })).firings).toEqual([]);
    expect(stepRule(rule, state, at(3), of({ 8: 0.5 })).firings).toMatchObject([{ key: '8', baseline: 1 }]);
  });

  it.each<[string, Partial<RuleFields>, number]>([
    ['leaving', {}, 1],
    ['a cooldown', { cooldownMinutes: 120 }, 2],
    ['time', { rearm: { afterMinutes: 180 } }, 3],
    ['nothing', { rearm: 'never' }, Number.POSITIVE_INFINITY],
  ])(
    'drops listings that fired and are gone, as soon as %s allows them to fire again',
    (_, fields, hours) => {
      const rule = made('priceBelow', { usd: 0.4 }, fields);
      let { state } = stepRule(rule, blankState, at(0), of({ 7: 0.3 }));
      for (let hour = 1; hour < 6; hour += 1) {
        ({ state } = stepRule(rule, state, at(hour), of({})));
        expect([hour, Object.keys(state.keys)]).toEqual([hour, hour < hours ? ['7'] : []]);
      }
    },
  );

  it('is reset but for its firings: no cooldown is shortened and no final firing repeats', () => {
    const fires = (fields: Partial<RuleFields>, hour: number) => {
      const rule: RuleFields = { ...made('priceBelow', {}, fields), params: { usd: 0.4 } };
      const best = new Map([['best', { value: 0.3, held: 0.3 }]]);
      const { state } = stepRule(rule, blankState, at(0), best);
      return stepRule(rule, beginAnew(rule, blankState, state), at(hour), best).firings.length;
    };
    expect([fires({}, 1), fires({ cooldownMinutes: 120 }, 1), fires({ cooldownMinutes: 120 }, 2)]).toEqual([
      1, 0, 1,
    ]);
    expect([fires({ rearm: { afterMinutes: 120 } }, 1), fires({ rearm: { afterMinutes: 120 } }, 2)]).toEqual([
      0, 1,
    ]);
    expect([fires({ rearm: 'never' }, 99)]).toEqual([0]);
    const capped: RuleFields = { ...made('priceBelow', {}, { dailyCap: 1 }), params: { usd: 0.4 } };
    const best = new Map([['best', { value: 0.3, held: 0.3 }]]);
    const { state } = stepRule(capped, blankState, at(0), best);
    expect(stepRule(capped, beginAnew(capped, blankState, state), at(1), best).firings).toMatchObject([
      { capped: true },
    ]);
  });

  it('is the same object while nothing changes, so that nothing is written', async () => {
    const kinds = fc.constantFrom<[RuleKind, Record<string, unknown>]>(
      ['priceBelow', { usd: 0.4 }],
      ['lowestInDays', { days: 3 }],
      ['changePercent', { percent: 5, since: 24 }],
      ['supplyBelow', { offers: 2 }],
    );
    await holdsFor(
      fc.tuple(kinds, fc.double({ min: 0.1, max: 3, noNaN: true }), fc.integer({ min: 1, max: 4 })),
      100,
      async ([[kind, params], value, n]) => {
        const rule: RuleFields = { ...ruleDefaults, watchId: 'w', kind, params, of: { m: 1, n } };
        let state = blankState;
        const readings = new Map([['best', { value, held: value }]]);
        for (let book = 0; book < 6; book += 1) {
          ({ state } = stepRule(rule, state, { at: start + book * hourMs, before: null }, readings));
        }
        const next = stepRule(rule, state, { at: start + 7 * hourMs, before: null }, readings);
        expect(next.state).toBe(state);
      },
    );
  });

  it('stays small however long prices move', () => {
    const rule: RuleFields = {
      ...ruleDefaults,
      watchId: 'w',
      kind: 'changePercent',
      params: { percent: 5, since: 24 },
    };
    let state = blankState;
    for (let book = 0; book < 2_000; book += 1) {
      const value = 1 + (book % 7) / 10;
      const time = { at: start + book * hourMs, before: start + (book - 1) * hourMs };
      ({ state } = stepRule(rule, state, time, new Map([['best', { value, held: value }]])));
    }
    expect(state.keys.best?.history.length).toBeLessThanOrEqual(26);
  });
});
