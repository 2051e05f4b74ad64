import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSearchBudget } from '../../src/market/search-budget.ts';

function createVirtualClock() {
  let at = 0;
  return {
    now: () => at,
    sleep: async (ms: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      at += ms;
    },
    advance: (ms: number) => {
      at += ms;
    },
  };
}

describe('the search budget', () => {
  it('never starts more searches in any 60 seconds, and wastes no turn', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), pauses, async (perMinute, waits) => {
        const clock = createVirtualClock();
        const budget = createSearchBudget({ perMinute, now: clock.now, sleep: clock.sleep });
        const starts: number[] = [];
        for (const wait of waits) {
          clock.advance(wait);
          const asked = clock.now();
          await budget.awaitTurn('searchOffers');
          const before = starts.at(-perMinute);
          const free = starts.length < perMinute || before === undefined ? 0 : before + 60_000;
          expect(clock.now()).toBe(Math.max(asked, free));
          starts.push(clock.now());
        }
      }),
    );
  });

  it('serves callers in the order of asking', async () => {
    const clock = createVirtualClock();
    const budget = createSearchBudget({ perMinute: 2, now: clock.now, sleep: clock.sleep });
    const served: [number, number][] = [];
    const ask = (name: number) =>
      budget.awaitTurn('searchOffers').then(() => served.push([name, clock.now()]));
    await Promise.all([0, 1, 2, 3, 4].map(ask));
    expect(served).toEqual([
      [0, 0],
      [1, 0],
      [2, 60_000],
      [3, 60_000],
      [4, 120_000],
    ]);
  });

  it('leaves other endpoints alone and lets an aborted caller go without spending its turn', async () => {
    let wake: () => void = () => undefined;
    const clock = createVirtualClock();
    const sleep = (ms: number) =>
      new Promise<void>((resolve) => {
        wake = () => {
          clock.advance(ms);
          resolve();
        };
      });
    const budget = createSearchBudget({ perMinute: 1, now: clock.now, sleep });
    await budget.awaitTurn('searchOffers');
    await budget.awaitTurn('listInstances');
    const waiting = budget.awaitTurn('searchOffers');
    const controller = new AbortController();
    const aborted = budget.awaitTurn('searchOffers', controller.signal);
    const last = budget.awaitTurn('searchOffers');
    controller.abort(new Error('gone'));
    await expect(aborted).rejects.toThrow('gone');
    wake();
    await waiting;
    await new Promise((resolve) => setTimeout(resolve, 0));
    wake();
    await last;
    expect(clock.now()).toBe(120_000);
  });

  it('waits on the machine clock by itself', async () => {
    const budget = createSearchBudget({ perMinute: 1_000_000 });
    for (let turn = 0; turn < 1_000; turn += 1) await budget.awaitTurn('searchOffers');
    const one = createSearchBudget({ perMinute: 1 });
    await one.awaitTurn('searchOffers');
    await expect(one.awaitTurn('searchOffers', AbortSignal.timeout(20))).rejects.toThrow(/aborted|timeout/i);
  });
});
