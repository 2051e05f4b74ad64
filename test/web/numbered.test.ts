import { expect, it } from 'vitest';
import { inOrder, numberedIn } from '../../web/commands/numbered.ts';

it.each([
  ['48213', { kind: 'machine', number: '48213' }],
  [' Machine #48213 ', { kind: 'machine', number: '48213' }],
  ['machine48213', { kind: 'machine', number: '48213' }],
  ['listing 01014', { kind: 'listing', number: '1014' }],
  ['7', null],
  ['RTX 4090', null],
  ['4090 ti', null],
  ['1234567890123456', null],
  ['', null],
])('the search for %s names %o', (text, named) => {
  expect(numberedIn(text)).toEqual(named);
});

it('offers of a machine begin with on-demand ones, bids are last, and the cheapest of a type is first', () => {
  const offer = (type: string, usdPerHour: number) => ({ type, usdPerHour });
  const offers = [
    offer('bid', 0.1),
    offer('reserved', 0.2),
    offer('on-demand', 0.4),
    offer('on-demand', 0.3),
  ];
  expect(inOrder(offers).map(({ type, usdPerHour }) => `${type} ${usdPerHour}`)).toEqual([
    ...['on-demand 0.3', 'on-demand 0.4', 'reserved 0.2', 'bid 0.1'],
  ]);
});
