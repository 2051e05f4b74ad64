import { expect, it } from 'vitest';
import { slowWords } from '../../web/prices/deals/deal-cell.tsx';

it('an offer with a slow connection says how slow, others nothing', () => {
  expect(slowWords({ inetDown: 34.2, inetUp: 15.7 })).toBe('slow: 34/16 Mbit/s');
  expect(slowWords({ inetDown: 99.4, inetUp: null })).toBe('slow: 99/– Mbit/s');
  expect(slowWords({ inetDown: 100, inetUp: 16 })).toBeNull();
  expect(slowWords({ inetDown: null, inetUp: null })).toBeNull();
});
