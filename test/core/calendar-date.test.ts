import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimeZone, readMoment } from '../../src/core/calendar-date.ts';

describe('readMoment', () => {
  it.each([
    ['2026-07-20T05:19:05Z', 'UTC', '2026-07-20T05:19:05.000Z'],
    ['2026-07-20T05:19:05.123+02:00', 'UTC', '2026-07-20T03:19:05.123Z'],
    ['2026-07-20 05:19Z', 'Asia/Tokyo', '2026-07-20T05:19:00.000Z'],
    ['2026-07-20t05:19:05z', 'UTC', '2026-07-20T05:19:05.000Z'],
    ['2026-07-20', 'UTC', '2026-07-20T00:00:00.000Z'],
    ['1970-01-01', 'UTC', '1970-01-01T00:00:00.000Z'],
    ['2026-07-20', 'Europe/Berlin', '2026-07-19T22:00:00.000Z'],
    ['2026-01-20', 'Europe/Berlin', '2026-01-19T23:00:00.000Z'],
    ['2026-07-20', 'Asia/Kathmandu', '2026-07-19T18:15:00.000Z'],
    ['2026-07-20', 'Pacific/Kiritimati', '2026-07-19T10:00:00.000Z'],
    ['2026-07-20', 'Pacific/Niue', '2026-07-20T11:00:00.000Z'],
    // The clock changes later that day.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    // Midnight is skipped: the day begins at 01:00.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // Midnight comes twice: the day begins at the first.
    ['2023-11-05', 'America/Havana', '2023-11-05T04:00:00.000Z'],
  ])('reads %s in %s as %s', (text, zone, wanted) => {
    expect(readMoment(text, zone)?.toISOString()).toBe(wanted);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-7-1',
    '2026-07-20T05:19:05',
    '2026-02-30T00:00:00Z',
    '0',
    '20260720',
  ])('refuses %j', (text) => {
    expect(readMoment(text, 'UTC')).toBeNull();
  });

  it('returns the first moment of the day in every zone', () => {
    const zones = [
      'UTC',
      'Europe/Lisbon',
      'America/New_York',
      'Asia/Beirut',
      'Australia/Lord_Howe',
      'America/Santiago',
    ];
    const day = fc.date({ min: new Date('1995-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.constantFrom(...zones), (at, timeZone) => {
        const date = at.toISOString().slice(0, 10);
        const start = readMoment(date, timeZone)?.getTime() ?? Number.NaN;
        const dayOf = (ms: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(ms));
        expect(dayOf(start)).toBe(date);
        expect(dayOf(start - 1) < date).toBe(true);
      }),
    );
  });
});

describe('isTimeZone', () => {
  it.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['Mars/Olympus', false],
    ['', false],
  ])('%j: %s', (name, known) => {
    expect(isTimeZone(name)).toBe(known);
  });
});
