import { expect, it } from 'vitest';
import { otherSchedules, scopeInWords } from '../../web/books/other-schedules.ts';
import { nextOfMarket } from '../../web/core/market-schedule.ts';

it('names what else is read by schedule and when, the next first', () => {
  const due = (kind: 'offers' | 'charges' | 'instances', minutes: number | null) => ({
    ...{
      kind,
      scope: null,
      type: null,
      cron: '* * * * *',
      timeZone: 'UTC',
      everyMinutes: null,
      reason: null,
    },
    nextAt: minutes === null ? null : new Date(Date.now() + minutes * 60_000 + 1_000).toISOString(),
  });
  expect(otherSchedules([due('charges', 10), due('offers', 5), due('instances', 2)])).toEqual([
    'your instances in 2 min',
    'charges in 10 min',
  ]);
  expect(otherSchedules([due('offers', 5), due('charges', null)])).toEqual([]);
  const ofWatch = { ...due('offers', 5), scope: 'models:H100 SXM|L40' };
  expect(otherSchedules([due('charges', 10), ofWatch])).toEqual([
    'H100 SXM, L40, for a watch, in 5 min',
    'charges in 10 min',
  ]);
  // A watch's own crawls, and those of others than offers, do not read the whole market.
  const ofMarket = due('offers', 7);
  expect(nextOfMarket([ofWatch, due('charges', 1), due('offers', 9), ofMarket, due('offers', null)])).toBe(
    ofMarket.nextAt,
  );
  expect(nextOfMarket([ofWatch, due('charges', 1), due('offers', null)])).toBeNull();
  expect(scopeInWords('default')).toBe('the whole market');
});
