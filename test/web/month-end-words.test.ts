import { expect, it } from 'vitest';
import { monthEndWords } from '../../web/today/month-end-words.ts';

const projection = {
  spentUsd: '241.05',
  burnUsdPerHour: '0.75',
  asOf: '2026-07-28T00:00:00Z',
  to: '2026-08-01T00:00:00Z',
  unpriced: 0,
  readUntil: { charges: '2026-07-28T00:00:00Z', invoices: null },
};

it('the spend at the month’s end says what is spent, the burn rate, the hours left and what it assumes', () => {
  expect(monthEndWords(projection)).toBe(
    'at today’s rate: $241.05 so far, then $0.7500/hour for the 96 hours left, if what runs now keeps running',
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
    'at today’s rate: $241.05 so far (no bills synced yet: estimated), then an unknown price for the 1 hour left, if what runs now keeps running; 2 instances with unknown price',
  );
});
