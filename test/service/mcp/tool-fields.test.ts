import { expect, it } from 'vitest';
import { usd } from '../../../src/service/mcp/tool-fields.ts';

it.each([
  [0, '$0.00'],
  [0.2841, '$0.2841'],
  [100, '$100.00'],
  [1000, '$1000.00'],
  [1200, '$1200.00'],
  ['1200', '$1200.00'],
  [-1000, '-$1000.00'],
  ['-0.25', '-$0.25'],
  [12345.6, '$12345.60'],
  [0.000_01, '$0.00001'],
  [null, 'an unknown price'],
])('an amount of %s is said as %s', (amount, words) => {
  expect(usd(amount)).toBe(words);
});
