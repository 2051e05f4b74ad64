import { expect, it } from 'vitest';
import { differAsShown, restAsShown } from '../../web/core/rounded-parts.ts';

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

it('shows the rest of a sum, and its parts, so that they add up as shown', () => {
  expect(restAsShown('28.677', '28.483', ['0.194'])).toEqual({ rest: '0.2', others: ['0.2'] });
  const savings = restAsShown('6.9306', '0', ['5.7254', '1.2052']);
  expect(savings).toEqual({ rest: '6.93', others: ['5.73', '1.2'] });
  expect(restAsShown('9.67', '0.92', ['1.004', '0.254', '7.492'])).toEqual({
    ...{ rest: '8.75', others: ['1.01', '0.25', '7.49'] },
  });
  expect(restAsShown('2.003', '2', ['0.003'])).toMatchObject({ others: ['0.003'] });
});
