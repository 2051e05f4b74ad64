import { describe, expect, it } from 'vitest';
import { periodBefore } from '../../src/spend/period-before.ts';

const periodOf = (from: string, to: string, asOf = '2027-01-01T00:00:00Z', timeZone = 'UTC') => {
  const period = periodBefore({ from: new Date(from), to: new Date(to), asOf: new Date(asOf), timeZone });
  return period && [period.from.toISOString(), period.to.toISOString()];
};

describe('the period before a range', () => {
  it('is as many months for whole months, as many days for whole days, else as much time', () => {
    expect(periodOf('2026-03-01T00:00Z', '2026-04-01T00:00Z')).toEqual([
      '2026-02-01T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
    expect(periodOf('2026-03-01T00:00Z', '2026-05-01T00:00Z')?.[0]).toBe('2026-01-01T00:00:00.000Z');
    expect(periodOf('2026-03-09T00:00Z', '2026-03-16T00:00Z')).toEqual([
      '2026-03-02T00:00:00.000Z',
      '2026-03-09T00:00:00.000Z',
    ]);
    expect(periodOf('2026-03-09T01:30Z', '2026-03-09T03:00Z')).toEqual([
      '2026-03-09T00:00:00.000Z',
      '2026-03-09T01:30:00.000Z',
    ]);
  });

  it('has the days of the zone, whatever its clocks do between', () => {
    // In Berlin clocks went forward on 29 March 2026: that week is an hour shorter.
    expect(periodOf('2026-03-29T22:00Z', '2026-04-05T22:00Z', '2027-01-01T00:00Z', 'Europe/Berlin')).toEqual([
      '2026-03-22T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });

  it('is no longer than the part of the range that is over', () => {
    expect(periodOf('2026-11-01T00:00Z', '2026-12-01T00:00Z', '2026-11-26T10:00:00Z')).toEqual([
      '2026-10-01T00:00:00.000Z',
      '2026-10-26T10:00:00.000Z',
    ]);
    // February has no 30th: its end is compared, never more than the period before.
    expect(periodOf('2026-03-01T00:00Z', '2026-04-01T00:00Z', '2026-03-30T12:00:00Z')?.[1]).toBe(
      '2026-02-28T12:00:00.000Z',
    );
    expect(periodOf('2026-12-01T00:00Z', '2027-01-01T00:00Z', '2026-11-26T00:00:00Z')).toBeNull();
  });
});
