import { expect, it } from 'vitest';
import { zonesOfMonths } from '../../web/spend/month-zone.ts';
import { burnWords, knownEndWords } from '../../web/today/instance-cost-words.ts';
import { monthEndWords } from '../../web/today/month-end-words.ts';
import { instanceAt } from './made-instance.ts';

const projection = {
  spentUsd: '241.05',
  burnUsdPerHour: '0.75',
  asOf: new Date(2026, 6, 28).toISOString(),
  to: new Date(2026, 7, 1).toISOString(),
  timeZone: 'America/New_York',
  unpriced: 0,
  knownEndsUsd: '0',
  readUntil: { charges: '2026-07-28T00:00:00Z', invoices: null },
};

it('the spend at the month’s end says what is spent, the burn rate, the hours left and what it assumes', () => {
  expect(monthEndWords(projection)).toBe(
    '$241.05 so far, then $0.7500/hour for 96 hours if all keeps running',
  );
  expect(monthEndWords({ ...projection, knownEndsUsd: '26.3' })).toBe(
    '$241.05 so far, then $0.7500/hour for 96 hours, $26.30 less by known ends',
  );
});

it('a month of another time zone is said to be that, and when it ends', () => {
  const to = new Date(2026, 6, 31, 19).toISOString();
  expect(monthEndWords({ ...projection, to, timeZone: 'UTC' })).toBe(
    '$241.05 so far, then $0.7500/hour for 91 hours (month in UTC) if all keeps running',
  );
  const [own, other] = [
    { timeZone: 'America/New_York', to: projection.to },
    { timeZone: 'UTC', to },
  ];
  expect(zonesOfMonths([own])).toBe('');
  const said = (...months: (typeof own)[]) => zonesOfMonths(months).replaceAll(/\s/g, ' ');
  expect(said(other, other)).toBe(' Months are those of UTC (this one ends Jul 31, 2026, 7:00 PM).');
  expect(said(own, other)).toMatch(/^ Some months are those of UTC /);
});

it('it says what is estimated or unknown', () => {
  expect(
    monthEndWords({
      ...projection,
      burnUsdPerHour: null,
      unpriced: 2,
      asOf: new Date(2026, 6, 31, 23).toISOString(),
      readUntil: { charges: null, invoices: null },
    }),
  ).toBe(
    '$241.05 so far (no bills synced yet: estimated), then an unknown price for 1 hour if all keeps running; 2 instances with unknown price',
  );
});

it('the instances that are known to end before the month does are counted, and the first one is named', () => {
  const at = (day: number) => new Date(2026, 6, day, 18, 52).toISOString();
  const made = (label: string, hostEndsAt: string | null, endsAt: string | null = null) => ({
    ...instanceAt('0.5'),
    ...{ label, hostEndsAt, endsAt },
  });
  const items = [made('late', at(30)), made('limited', at(29), at(28)), made('stays', null)];
  const words = knownEndWords(items, at(31)).replaceAll(/\s/g, ' ');
  expect(words).toBe('; 2 of 3 instances will end before: limited first, Jul 28, 2026, 6:52 PM (its limit)');
  expect(knownEndWords(items.slice(0, 1), at(31))).toMatch(
    /1 of 1 instance will end before: late, .* \(its host ends it\)$/,
  );
  expect(knownEndWords(items, at(28))).toBe('');
  expect(knownEndWords([{ ...instanceAt('0'), hostEndsAt: at(29) }], at(31))).toBe('');
});

it('the burn rate says which instances count although they only start', () => {
  const starting = { ...instanceAt('0.2214'), billedUsdPerHour: '0.0044' };
  expect(burnWords({ items: [instanceAt('0.5')], unpriced: 0 })).toBe('1 instance');
  expect(burnWords({ items: [starting, instanceAt('0.5')], unpriced: 1 })).toBe(
    '2 instances, 1 with unknown price, $0.5044/hour now, while one starts: only its disk is billed until it runs',
  );
});
