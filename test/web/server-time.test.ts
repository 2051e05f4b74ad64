import { effect } from '@preact/signals';
import { afterEach, expect, it, vi } from 'vitest';
import type { Status } from '../../web/core/api.ts';
import { minutesSinceStatus } from '../../web/core/data-age.ts';
import { getNow, noteServerTime, startClock } from '../../web/core/server-time.ts';

const own = Date.parse('2026-07-20T12:00:00Z');
const answerOf = (date: string, headers: Record<string, string> = {}) =>
  noteServerTime(new Response(null, { headers: { date, ...headers } }));

afterEach(() => void vi.useRealTimers());

it('now is that of the server where this computer is wrong by minutes, its own otherwise', () => {
  vi.useFakeTimers({ now: own });
  const yesterday = 'Sun, 19 Jul 2026 11:30:00 GMT';
  answerOf(yesterday);
  expect(new Date(getNow()).toISOString()).toBe('2026-07-19T11:30:00.000Z');
  // It goes on, and what was kept is of an earlier time.
  vi.advanceTimersByTime(60_000);
  answerOf('Mon, 01 Jun 2026 00:00:00 GMT', { 'x-offerbook-kept-at': '2026-06-01T00:00:00Z' });
  answerOf('');
  expect(new Date(getNow()).toISOString()).toBe('2026-07-19T11:31:00.000Z');
  // The clock was set right; an answer is under way for a while.
  answerOf('Mon, 20 Jul 2026 12:00:20 GMT');
  expect(getNow()).toBe(own + 60_000);
});

it('what shows the time now is drawn again as the clock goes on', () => {
  vi.useFakeTimers({ now: own });
  startClock({ setInterval: setInterval as unknown as Window['setInterval'] });
  const shown: number[] = [];
  const stop = effect(() => void shown.push(Math.floor((getNow() - own) / 60_000)));
  vi.advanceTimersByTime(180_000);
  stop();
  expect([...new Set(shown)]).toEqual([0, 1, 2, 3]);
});

it('the data are as old as their newest complete book is by that clock, to the second', () => {
  const status = {
    dataAgeMinutes: 2,
    newestBooks: [
      { verdict: 'partial', observedAt: '2026-07-20T11:59:50Z' },
      { verdict: 'complete', observedAt: '2026-07-20T11:57:10Z' },
      { verdict: 'complete', observedAt: '2026-07-20T11:20:00Z' },
    ],
  } as Status;
  expect(minutesSinceStatus(status, own + 9_000)).toBe(0);
  expect(minutesSinceStatus(status, own + 10_000)).toBe(1);
  expect(minutesSinceStatus({ ...status, dataAgeMinutes: null }, own)).toBe(0);
  expect(minutesSinceStatus({ ...status, newestBooks: [] }, own)).toBe(0);
  expect(minutesSinceStatus(null, own)).toBe(0);
});
