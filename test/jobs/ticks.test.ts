import { describe, expect, it } from 'vitest';
import { isCron, nextTick, previousTick, ticksBetween } from '../../src/jobs/ticks.ts';

/** Ticks of a local day or so, as UTC minutes of it. */
function ticks(cron: string, timeZone: string, from: string, to: string): string[] {
  const found = ticksBetween({ cron, timeZone }, new Date(`${from}:00Z`), new Date(`${to}:00Z`));
  return found.map((tick) => tick.toISOString().slice(5, 16));
}

const newYork = 'America/New_York';
const berlin = 'Europe/Berlin';
const lordHowe = 'Australia/Lord_Howe';

describe('across clock changes, no tick is lost and none is repeated', () => {
  it.each([
    // New York: 02:00 EST becomes 03:00 EDT at 07:00Z on 8 March 2026.
    [
      'every hour',
      '0 * * * *',
      newYork,
      '2026-03-08T05:30',
      '2026-03-08T08:30',
      ['03-08T06:00', '03-08T07:00', '03-08T08:00'],
    ],
    [
      'a fixed time that the clocks leave out',
      '30 2 * * *',
      newYork,
      '2026-03-07T06:00',
      '2026-03-09T18:00',
      ['03-07T07:30', '03-08T07:30', '03-09T06:30'],
    ],
    [
      'several in the hour left out',
      '*/20 2 * * *',
      newYork,
      '2026-03-08T00:00',
      '2026-03-09T00:00',
      ['03-08T07:00', '03-08T07:20', '03-08T07:40'],
    ],
    ['a fixed time after it', '15 3 * * *', newYork, '2026-03-07T12:00', '2026-03-09T00:00', ['03-08T07:15']],
    // New York: 02:00 EDT becomes 01:00 EST at 06:00Z on 1 November 2026.
    [
      'every hour',
      '0 * * * *',
      newYork,
      '2026-11-01T04:30',
      '2026-11-01T07:30',
      ['11-01T05:00', '11-01T06:00', '11-01T07:00'],
    ],
    [
      'a fixed time that comes twice',
      '30 1 * * *',
      newYork,
      '2026-10-31T00:00',
      '2026-11-03T00:00',
      ['10-31T05:30', '11-01T05:30', '11-02T06:30'],
    ],
    [
      'several in the hour that comes twice',
      '*/20 1 * * *',
      newYork,
      '2026-11-01T00:00',
      '2026-11-02T00:00',
      ['11-01T05:00', '11-01T05:20', '11-01T05:40'],
    ],
    [
      'every other hour',
      '0 */2 * * *',
      newYork,
      '2026-11-01T03:00',
      '2026-11-01T10:00',
      ['11-01T04:00', '11-01T07:00', '11-01T09:00'],
    ],
    // Berlin: 02:00 CET becomes 03:00 CEST at 01:00Z on 29 March, and back at 01:00Z on 25 October 2026.
    [
      'a fixed time left out',
      '7 2 * * *',
      berlin,
      '2026-03-28T00:00',
      '2026-03-30T12:00',
      ['03-28T01:07', '03-29T01:07', '03-30T00:07'],
    ],
    [
      'a fixed time that comes twice',
      '7 2 * * *',
      berlin,
      '2026-10-24T00:00',
      '2026-10-26T12:00',
      ['10-24T00:07', '10-25T00:07', '10-26T01:07'],
    ],
    [
      'every hour',
      '7 * * * *',
      berlin,
      '2026-10-24T23:30',
      '2026-10-25T02:30',
      ['10-25T00:07', '10-25T01:07', '10-25T02:07'],
    ],
    // Lord Howe: half an hour; 02:00 becomes 01:30 at 15:00Z on 4 April, 02:00 becomes 02:30 at 15:30Z on 3 October.
    [
      'every hour',
      '0 * * * *',
      lordHowe,
      '2026-04-04T12:30',
      '2026-04-04T17:00',
      ['04-04T13:00', '04-04T14:00', '04-04T15:30', '04-04T16:30'],
    ],
    [
      'a fixed time that comes twice',
      '45 1 * * *',
      lordHowe,
      '2026-04-03T12:00',
      '2026-04-06T00:00',
      ['04-03T14:45', '04-04T14:45', '04-05T15:15'],
    ],
    [
      'a fixed time left out',
      '15 2 * * *',
      lordHowe,
      '2026-10-02T12:00',
      '2026-10-05T00:00',
      ['10-02T15:45', '10-03T15:45', '10-04T15:15'],
    ],
    [
      'every minute',
      '* * * * *',
      'UTC',
      '2026-03-29T00:58',
      '2026-03-29T01:01',
      ['03-29T00:59', '03-29T01:00', '03-29T01:01'],
    ],
  ])('%s: %s in %s', (_, cron, timeZone, from, to, expected) => {
    expect(ticks(cron, timeZone, from, to)).toEqual(expected);
  });

  it.each([
    [newYork, '2026-03-08T05:00', 6 * 60],
    [newYork, '2026-11-01T04:00', 6 * 60],
    [lordHowe, '2026-04-04T12:00', 6 * 60],
    [berlin, '2026-10-24T22:00', 6 * 60],
  ])('a tick every minute continues by the minute in %s on %s', (timeZone, from, minutes) => {
    const start = new Date(`${from}:00Z`);
    const found = ticksBetween(
      { cron: '* * * * *', timeZone },
      start,
      new Date(start.getTime() + minutes * 60_000),
    );
    expect(found.map((tick) => (tick.getTime() - start.getTime()) / 60_000)).toEqual(
      Array.from({ length: minutes }, (_, index) => index + 1),
    );
  });

  it.each([
    ['0 * * * *', lordHowe, '2026-04-04T10:00'],
    ['30 2 * * *', newYork, '2026-03-08T03:00'],
    ['*/20 2 * * *', newYork, '2026-03-08T03:00'],
    ['*/20 1 * * *', newYork, '2026-11-01T03:00'],
    ['15 2 * * *', lordHowe, '2026-10-03T12:00'],
    ['7 2 * * *', berlin, '2026-10-24T22:00'],
  ])('%s in %s is the same in small ranges as in one', (cron, timeZone, from) => {
    const start = Date.parse(`${from}:00Z`);
    const end = start + 7 * 3_600_000;
    const stepMs = 97_000;
    const bits: Date[] = [];
    for (let at = start; at < end; at += stepMs) {
      bits.push(...ticksBetween({ cron, timeZone }, new Date(at), new Date(Math.min(at + stepMs, end))));
    }
    expect(bits).toEqual(ticksBetween({ cron, timeZone }, new Date(start), new Date(end)));
    expect(bits.length).toBeGreaterThan(0);
  });
});

describe('a tick', () => {
  it('belongs to the range that it ends, not to the one that it starts', () => {
    const times = { cron: '* * * * * *', timeZone: 'UTC' };
    const [a, b] = [new Date('2026-01-01T00:00:00.000Z'), new Date('2026-01-01T00:00:02.000Z')];
    expect(ticksBetween(times, a, b).map((tick) => tick.getUTCSeconds())).toEqual([1, 2]);
    expect(ticksBetween(times, b, a)).toEqual([]);
  });

  it('is found before and after any moment, at any distance', () => {
    const leapDay = { cron: '0 12 29 2 *', timeZone: 'UTC' };
    const at = new Date('2026-05-01T00:00:00Z');
    expect(previousTick(leapDay, at)?.toISOString()).toBe('2024-02-29T12:00:00.000Z');
    expect(nextTick(leapDay, at)?.toISOString()).toBe('2028-02-29T12:00:00.000Z');
    const hourly = { cron: '7 * * * *', timeZone: 'Asia/Kathmandu' };
    expect(previousTick(hourly, new Date('2026-05-01T00:22:00Z'))?.toISOString()).toBe(
      '2026-05-01T00:22:00.000Z',
    );
    expect(nextTick(hourly, new Date('2026-05-01T00:22:00Z'))?.toISOString()).toBe(
      '2026-05-01T01:22:00.000Z',
    );
  });
});

describe('an expression', () => {
  it.each(['7 * * * *', '*/5 * * * *', '* * * * * *', '0 9 * * 1-5', '0 0 29 2 *'])('%s is valid', (cron) => {
    expect(isCron(cron)).toBe(true);
  });

  it.each(['', 'often', '61 * * * *', '* * *', '0 0 30 2 *', '* * * * * * *'])(
    '%s is invalid because it never fires',
    (cron) => {
      expect(isCron(cron)).toBe(false);
    },
  );
});
