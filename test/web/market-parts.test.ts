import { expect, it } from 'vitest';
import { isLacking } from '../../web/core/market-parts.ts';

it('a view is hidden only once the market is known to lack it', () => {
  const market = { label: 'Market', types: [], currencies: ['USD'], account: false, bills: true };
  const status = { mode: 'live', capabilities: market } as const;
  expect(isLacking('account', status)).toBe(true);
  expect(isLacking('bills', status)).toBe(false);
  expect(isLacking(undefined, status)).toBe(false);
  expect(isLacking('account', null)).toBe(false);
  // A recorded market has none, whatever its kind could do.
  const recorded = { mode: 'replay', capabilities: { ...market, account: true } } as const;
  expect(isLacking('account', recorded)).toBe(true);
  expect(isLacking(undefined, recorded)).toBe(false);
});
