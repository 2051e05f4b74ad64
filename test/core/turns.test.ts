import { expect, it } from 'vitest';
import { createTurns } from '../../src/core/turns.ts';

it('work in slices covers every step once and lets others run about every 8 ms', async () => {
  let clock = 0;
  let others = 0;
  const run = (): void => {
    others += 1;
    timer = setImmediate(run);
  };
  let timer = setImmediate(run);
  const seen: number[] = [];
  await createTurns(() => clock).over(
    100,
    (from, to) => {
      for (let at = from; at < to; at += 1) seen.push(at);
      clock += 2;
    },
    10,
  );
  clearImmediate(timer);
  expect(seen).toEqual(Array.from({ length: 100 }, (_, at) => at));
  // At once, and after 8 and 16 of the 20 ms.
  expect(others).toBe(3);
});
