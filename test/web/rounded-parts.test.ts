import { expect, it } from 'vitest';
import { differAsShown } from '../../web/core/rounded-parts.ts';

it.each([
  ['6.0140', ['4.1530', '1.8610'], false],
  ['6.0180', ['4.1540', '1.8640'], true],
  ['-0.006', ['-0.003', '-0.003'], true],
  ['6.0180', ['6.0180'], false],
  ['0', [], false],
])('parts are said to be rounded only where the shown ones do not add up: %s of %j', (sum, parts, wanted) => {
  expect(differAsShown(sum, parts)).toBe(wanted);
});

it.each([
  ['0.417777', ['0.413333', '0.004444'], true],
  ['0.4177', ['0.4133', '0.0044'], false],
  ['0.413333', ['0.413333', '0', '0'], false],
])('so are those of a price per hour, shown with four decimals: %s of %j', (sum, parts, wanted) => {
  expect(differAsShown(sum, parts, 4)).toBe(wanted);
});
