import { expect, it } from 'vitest';
import { isLacking } from '../../web/core/market-parts.ts';

it('a view is hidden where the market is known to lack what it is about, and not before', () => {
  const market = { label: 'Market', types: [], currencies: ['USD'], account: false, bills: true };
  const status = { capabilities: market };
  expect(isLacking('account', status)).toBe(true);
  expect(isLacking('bills', status)).toBe(false);
  expect(isLacking(undefined, status)).toBe(false);
  expect(isLacking('account', null)).toBe(false);
});
