import { expect, it } from 'vitest';
import { numberedIn } from '../../web/commands/numbered.ts';

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
