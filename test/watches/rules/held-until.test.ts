import { describe, expect, it } from 'vitest';
import { heldUntil } from '../../../src/watches/rules/held-until.ts';

const berlin = (from: string, to: string) => ({ from, to, timeZone: 'Europe/Berlin' });
const night = berlin('22:00', '06:30');

describe('an alert waits, computed by hand', () => {
  it.each<
    [
      what: string,
      quietHours: ReturnType<typeof berlin> | null,
      digest: string | null,
      at: string,
      until: string | null,
    ]
  >([
    ['for nothing', null, null, '2026-07-01T20:00:00', null],
    ['from the minute on that is quiet', night, null, '2026-07-01T20:00:00', '2026-07-02T04:30:00'],
    ['not a second before', night, null, '2026-07-01T19:59:59', null],
    ['after midnight', night, null, '2026-07-01T22:30:00', '2026-07-02T04:30:00'],
    ['in the last minute', night, null, '2026-07-02T04:29:30', '2026-07-02T04:30:00'],
    ['no longer when they are over', night, null, '2026-07-02T04:30:00', null],
    ['in winter an hour longer by UTC', night, null, '2026-01-01T21:00:00', '2026-01-02T05:30:00'],
    ['within a day', berlin('12:00', '13:00'), null, '2026-07-01T10:30:00', '2026-07-01T11:00:00'],
    ['not outside of it', berlin('12:00', '13:00'), null, '2026-07-01T11:00:00', null],
    ['never where they end as they begin', berlin('12:00', '12:00'), null, '2026-07-01T10:00:00', null],
    ['through a night of 8 hours', night, null, '2026-03-28T23:00:00', '2026-03-29T04:30:00'],
    ['through a night of 10 hours', night, null, '2026-10-24T22:00:00', '2026-10-25T05:30:00'],
    [
      'until the first minute behind an end that is left out',
      ...([berlin('22:00', '02:30'), null, '2026-03-28T23:00:00', '2026-03-29T01:00:00'] as const),
    ],
    [
      'until the first of two ends',
      ...([berlin('22:00', '02:30'), null, '2026-10-24T22:00:00', '2026-10-25T00:30:00'] as const),
    ],
    [
      'again where the clocks come back into them',
      ...([berlin('22:00', '02:30'), null, '2026-10-25T01:10:00', '2026-10-25T01:30:00'] as const),
    ],
    ['for its digest', null, '0 8 * * *', '2026-07-01T05:59:00', '2026-07-01T06:00:00'],
    ['for the next one', null, '0 8 * * *', '2026-07-01T06:01:00', '2026-07-02T06:00:00'],
    ['for the one after the quiet hours', night, '0 8 * * *', '2026-07-01T21:00:00', '2026-07-02T06:00:00'],
    [
      'where its digest is quiet, for the end',
      night,
      '0 3 * * *',
      '2026-07-01T18:00:00',
      '2026-07-02T04:30:00',
    ],
  ])('%s', (_, quietHours, cron, at, until) => {
    const digest = cron === null ? null : { cron, timeZone: 'Europe/Berlin' };
    const held = heldUntil({ quietHours, digest }, new Date(`${at}Z`));
    expect(held?.toISOString().slice(0, 19) ?? null).toBe(until);
  });
});
