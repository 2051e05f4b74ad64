import { expect, it } from 'vitest';
import { ownTimeOf } from '../../web/core/own-time.ts';
import { formatInRecord } from '../../web/core/times.ts';

const books = ['2026-07-20T06:00:00Z', '2026-07-20T05:00:00Z'].map((observedAt) => ({
  ...{ type: 'bid' as const, verdict: 'complete' as const, offers: 1, observedAt },
}));

it('a recorded market has its own now: its newest book', () => {
  expect(ownTimeOf({ mode: 'replay', newestBooks: books })).toBe('2026-07-20T06:00:00Z');
  expect(ownTimeOf({ mode: 'replay', newestBooks: [] })).toBeNull();
  expect(ownTimeOf({ mode: 'live', newestBooks: books })).toBeNull();
  expect(ownTimeOf(null)).toBeNull();
});

it('what a recorded market holds is as old as it was then; what came later is as old as it is', () => {
  const inRecord = (t: string) => formatInRecord(t, '2026-07-20T06:00:00Z');
  expect(inRecord('2026-07-20T06:00:00Z')).toBe('newest book');
  expect(inRecord('2026-07-20T03:00:00Z')).toBe('3 h earlier');
  expect(inRecord('2026-07-10T06:00:00Z')).toBe('10 days earlier');
  expect(inRecord(new Date(Date.now() - 300_000).toISOString())).toBe('5 min ago');
});
