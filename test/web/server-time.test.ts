import { afterEach, expect, it, vi } from 'vitest';
import { getNow, noteServerTime } from '../../web/core/server-time.ts';

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
