import { expect, it } from 'vitest';
import { burnWords, knownEndWords } from '../../web/today/instance-cost-words.ts';
import { monthEndWords } from '../../web/today/month-end-words.ts';
import { instanceAt } from './made-instance.ts';

const projection = {
  spentUsd: '241.05',
  burnUsdPerHour: '0.75',
  asOf: '2026-07-28T00:00:00Z',
  to: '2026-08-01T00:00:00Z',
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

it('it says what is estimated or unknown', () => {
  expect(
    monthEndWords({
      ...projection,
      burnUsdPerHour: null,
      unpriced: 2,
      to: '2026-07-28T01:00:00Z',
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
