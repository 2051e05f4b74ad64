import { expect, it } from 'vitest';
import { amount, usd } from '../../../src/service/mcp/tool-fields.ts';
import { formatAmount, formatUsd } from '../../../web/core/figures.ts';

it.each([
  [0, '$0.0000', '$0.00'],
  [0.2841, '$0.2841', '$0.28'],
  ['1200', '$1,200.0000', '$1,200.00'],
  ['-0.25', '-$0.2500', '-$0.25'],
  [0.0041, '$0.004100', '<$0.01'],
  [-0.000_01, '-$0.00001000', '-<$0.01'],
  [null, 'an unknown price', 'an unknown amount'],
])('%s is said as the price %s and as the amount %s, as on the page', (value, price, sum) => {
  expect([usd(value), amount(value)]).toEqual([price, sum]);
  if (value === null) return;
  expect([formatUsd(Number(value)), formatAmount(String(value))]).toEqual([price, sum]);
});
