import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChainedDay, chainLevels } from '../../../src/prices/index/chain-levels.ts';
import { createDayObservations, type DayObservations } from '../../../src/prices/index/day-observations.ts';
import { describeDay } from '../../../src/prices/index/index-day.ts';
import type { MadeIndexDay } from '../../../src/prices/index/index-days.sql.ts';
import { joinDays, windowDays } from '../../../src/prices/index/index-window.ts';
import { packInfluences, unpackInfluences } from '../../../src/prices/index/pack-influences.ts';
import { type IndexLine, rebaseIndex } from '../../../src/prices/index/rebase-index.ts';
import { createNormal, createUniform } from '../../support/drawn-series.ts';
import { holdsFor } from '../../support/property-runs.ts';

/** A line of levels from a day on, in one chain unless `starts` names days on which one starts. */
function lineOf(from: number, levels: readonly number[], starts: readonly number[] = []): IndexLine {
  const days = levels.map((level, at): ChainedDay => {
    const day = from + at;
    const start = Math.max(0, ...starts.filter((each) => each <= day));
    return { day, level, start, previous: start === day ? null : day - 1 };
  });
  const influences = new Map(days.map(({ day }) => [day, new Map([[day % 2, 0.01]])]));
  return { days, influences };
}
const levelsOf = (lines: readonly IndexLine[]) =>
  rebaseIndex(lines).lines.map((line) => line.map(({ level }) => level));

describe('rebased levels', () => {
  it('are 100 on the first day that all non-empty series have', () => {
    const lines = [lineOf(10, [200, 250, 300]), lineOf(11, [80, 100]), lineOf(0, [])];
    expect(rebaseIndex(lines).baseDay).toBe(11);
    expect(levelsOf(lines)).toEqual([[80, 100, 120], [100, 125], []]);
  });

  it("are 100 on each series' own first day if no day is common", () => {
    const lines = [lineOf(10, [200, 250]), lineOf(20, [80, 100])];
    expect(rebaseIndex(lines).baseDay).toBeNull();
    expect(levelsOf(lines)).toEqual([
      [100, 125],
      [100, 125],
    ]);
  });

  it('start again at 100 where the index restarts, on either side of the common day', () => {
    const restarting = lineOf(10, [200, 250, 100, 110], [12]);
    expect(levelsOf([restarting])).toEqual([[100, 125, 100, 110]]);
    expect(levelsOf([restarting, lineOf(13, [50])])).toEqual([[100, 125, 90.9090909, 100], [100]]);
  });

  it('have a band of two standard errors: hosts’ influences add up along the chain, then their squares', () => {
    const [line] = rebaseIndex([lineOf(10, [100, 100, 100, 100])]).lines;
    // Host 1 on the days 11 and 13, host 0 on day 12; the first day's movement led to it.
    const errors = [0, 0.01, Math.hypot(0.01, 0.01), Math.hypot(0.02, 0.01)];
    expect(line?.map(({ low }) => low)).toEqual(
      errors.map((error) => expect.closeTo(100 * Math.exp(-2 * error), 6)),
    );
    expect(line?.map(({ high }) => high)).toEqual(
      errors.map((error) => expect.closeTo(100 * Math.exp(2 * error), 6)),
    );
  });

  it('have no band beyond a day with an unknown error, nor beyond days that are not shown', () => {
    const line = lineOf(10, [100, 100, 100, 100, 100]);
    const unknown = new Map([...line.influences].filter(([day]) => day !== 12));
    const lowsOf = (each: IndexLine) => rebaseIndex([each]).lines[0]?.map(({ low }) => low !== null);
    expect(lowsOf({ ...line, influences: unknown })).toEqual([true, true, false, false, false]);
    const days = line.days.map((each) => (each.day === 12 ? { ...each, previous: 3 } : each));
    expect(lowsOf({ ...line, days })).toEqual([true, true, false, false, false]);
  });

  it('have bands that hold the true level in about 95 of 100 cases, also beyond one window', () => {
    const isIn = Array.from({ length: 40 }, (_, seed) => bandsAfter([1, 14, 40], seed + 1));
    const share = isIn.flat().filter(Boolean).length / isIn.flat().length;
    expect(share).toBeGreaterThan(0.87);
    expect(share).toBeLessThan(0.99);
  });
});

it('are packed without a loss up to 12 decimals', async () => {
  const entries = fc.uniqueArray(
    fc.tuple(fc.integer({ min: -1, max: 2 ** 31 }), fc.double({ min: -2, max: 2, noNaN: true })),
    { selector: ([host]) => host, maxLength: 20 },
  );
  await holdsFor(entries, 100, async (given) => {
    const read = unpackInfluences(packInfluences(new Map(given)));
    for (const [host, value] of given) expect(Math.abs((read.get(host) ?? 0) - value)).toBeLessThan(1e-12);
    expect(read.size).toBeLessThanOrEqual(given.length);
  });
});

/**
 * Prices of 14 hosts with three machines that walk by 1% a day and are free on six days of ten; nothing moves them all.
 * Whether the band around the level contains 100 that many days after the first.
 */
function bandsAfter(days: readonly number[], seed: number): boolean[] {
  const [draw, uniform] = [createNormal(seed), createUniform(seed + 5_000)];
  const logs = Array.from({ length: 42 }, () => 0.3 * draw());
  const last = Math.max(...days);
  const observed = Array.from({ length: last + 1 }, () => {
    for (const machine of logs.keys()) logs[machine] = (logs[machine] ?? 0) + 0.01 * draw();
    return observe(logs, () => uniform() < 0.6);
  });
  const made = observed.map((_, day): MadeIndexDay => {
    const window = Array.from({ length: windowDays }, (_, place) => observed[day - windowDays + 1 + place]);
    const own = describeDay(joinDays(window.map((each) => each ?? null)));
    if (own === null) throw new Error('nothing was observed');
    return { gpuModelId: 1, day, ...own };
  });
  const influences = new Map(made.flatMap(({ day, influences: own }) => (own === null ? [] : [[day, own]])));
  const [line = []] = rebaseIndex([{ days: [...chainLevels(made).values()], influences }]).lines;
  return days.map((day) => {
    const { low, high } = line[day] ?? {};
    return (low ?? 999) <= 100 && 100 <= (high ?? 0);
  });
}

function observe(logs: readonly number[], isFree: () => boolean): DayObservations {
  const free = [...logs.keys()].filter(isFree);
  const day = createDayObservations(free.length);
  for (const [at, machine] of free.entries()) {
    day.machineIds[at] = machine + 1;
    day.numGpus[at] = 1;
    day.ordinals[at] = 1;
    day.hostIds[at] = Math.floor(machine / 3);
    day.logPrices[at] = logs[machine] ?? 0;
  }
  return day;
}
