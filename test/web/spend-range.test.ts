import { describe, expect, it } from 'vitest';
import { dayAfter, earlierWords, firstDayOf, formatSpan, lastDayOf } from '../../web/spend/spend-periods.ts';

describe('the fields of a range of days', () => {
  it('show its first and its last day, whose next day is the end', () => {
    expect([firstDayOf('2026-11-01', 'UTC'), lastDayOf('2026-12-01', 'UTC')]).toEqual([
      '2026-11-01',
      '2026-11-30',
    ]);
    // As the API answers: midnights of the zone.
    const zone = 'Europe/Berlin';
    expect(firstDayOf('2026-10-31T23:00:00Z', zone)).toBe('2026-11-01');
    expect(lastDayOf('2026-11-30T23:00:00Z', zone)).toBe('2026-11-30');
    expect(lastDayOf('2026-11-30T23:00:01Z', zone)).toBe('2026-12-01');
    expect(dayAfter('2028-02-28')).toBe('2028-02-29');
    expect(dayAfter('2026-12-31')).toBe('2027-01-01');
  });

  it('are empty for anything else in the address, and an empty field is no end', () => {
    for (const wrong of [null, '', 'soon'])
      expect([firstDayOf(wrong, 'UTC'), lastDayOf(wrong, 'UTC')]).toEqual(['', '']);
    expect(dayAfter('')).toBe('');
  });
});

describe('the words for the time that a range is compared with', () => {
  it.each([
    ['2026-08-01', '2026-10-01', 'the same days 2 months earlier'],
    ['2025-12-01', '2026-01-01', 'the same days a month earlier'],
    ['2026-11-16', '2026-11-23', 'the same days a week earlier'],
    ['2026-11-02', '2026-11-05', 'the 3 days before'],
    ['2026-11-04', '2026-11-05', 'the day before'],
    ['2026-11-05', '2026-11-05', 'as much time before'],
  ])('%s and %s: %s', (earlier, from, words) => {
    expect(earlierWords(`${earlier}T00:00:00Z`, `${from}T00:00:00Z`, 'UTC')).toBe(words);
  });
});

it('a range that ends within a day says at which time, one of whole days does not', () => {
  const span = (to: string) =>
    formatSpan('2026-11-15T23:00:00Z', to, 'Europe/Berlin').replaceAll(/\s+/g, ' ');
  expect(span('2026-11-20T01:22:00Z')).toBe('Nov 16, 2026 to Nov 20, 2026, 2:22 AM');
  expect(span('2026-11-20T23:00:00Z')).toBe('Nov 16 – 20, 2026');
});
