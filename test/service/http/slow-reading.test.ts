import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSlowReading } from '../../../src/service/http/slow-reading.ts';

it('reads once a minute for all callers, and never makes anyone wait long', async () => {
  const clock = { now: 0 };
  let reads = 0;
  let finish: () => void = () => {};
  const ask = createSlowReading(
    async () => {
      reads += 1;
      const value = reads;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return value;
    },
    { patienceMs: 20, elapsedMs: () => clock.now },
  );
  expect(await Promise.all([ask(), ask()])).toEqual([null, null]);
  expect(await ask()).toBeNull();
  const waiting = ask();
  finish();
  expect(await waiting).toBe(1);
  clock.now = 59_999;
  expect(await ask()).toBe(1);
  expect(reads).toBe(1);
  clock.now = 60_000;
  // The next read is slow: meanwhile the last result is returned.
  expect(await ask()).toBe(1);
  finish();
  await delay(1);
  expect(await ask()).toBe(2);
  expect(reads).toBe(2);
});

it('passes a failure to waiting callers, and reads again afterwards', async () => {
  let fails = true;
  const ask = createSlowReading(async () => {
    if (fails) throw new Error('away');
    return 'here';
  });
  await expect(ask()).rejects.toThrow('away');
  fails = false;
  expect(await ask()).toBe('here');
});

it('waits for the first value, and only as long as it should for later ones', async () => {
  let value = 0;
  let finish: () => void = () => {};
  const ask = createSlowReading(
    async () => {
      value += 1;
      const read = value;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return read;
    },
    { retentionMs: 0, patienceMs: 60_000, refreshPatienceMs: 1 },
  );
  const first = ask();
  await delay(20);
  finish();
  expect(await first).toBe(1);
  expect(await ask()).toBe(1);
  finish();
  await delay(1);
  expect(value).toBe(2);
});
