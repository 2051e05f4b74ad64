import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimalText, isExactNumber, parseExact, toPlain } from '../../src/core/exact-json.ts';
import { cleanJson } from '../../src/market/wire/text-from-outside.ts';

const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?$/);

it('a number keeps its text through parsing, cleaning and writing, at any depth', () => {
  fc.assert(
    fc.property(fc.array(digits, { minLength: 1 }), (texts) => {
      const json = `{"a":[${texts.join(',')}],"b":{"c":${texts[0]}}}`;
      const exact = parseExact(json);
      expect(JSON.stringify(exact)).toBe(json);
      expect(JSON.stringify(cleanJson(exact).value)).toBe(json);
      expect(toPlain(exact)).toEqual(JSON.parse(json));
    }),
  );
});

it('secrets and unstorable text are removed from exact records as from others', () => {
  const exact = parseExact('{"jupyter_token":"x","n":1.0,"t":"a\\u0000"}');
  expect(JSON.stringify(cleanJson(exact).value)).toBe('{"n":1.0,"t":"a\uFFFD"}');
});

it('only JSON numbers become exact numbers', () => {
  const value = parseExact('[1,"1",null,true,{"rawJSON":"1"}]') as unknown[];
  expect(value.map(isExactNumber)).toEqual([true, false, false, false, false]);
});

it.each<[unknown, string | null]>([
  [parseExact('-25.0'), '-25.0'],
  ['12.50', '12.50'],
  ['1e400', null],
  [parseExact('1e400'), null],
  ['', null],
  ['abc', null],
  ['0x10', null],
  [' 1', null],
  ['9'.repeat(65), null],
  [12, null],
  [null, null],
])('the decimal text of %j is %j', (value, expected) => {
  expect(decimalText(value)).toBe(expected);
});
