import { expect, it } from 'vitest';
import { readCountry, readShare } from '../../src/core/filter-words.ts';

it.each([
  ...[
    ['0.99', 0.99],
    ['99', 0.99],
    ['99%', 0.99],
    [' 99 % ', 0.99],
    ['99.9', 0.999],
    ['99.95 %', 0.9995],
    ['100', 1],
    ['1', 1],
    ['1%', 0.01],
    ['0', 0],
    ['.98', 0.98],
    ['9.8e-1', 0.98],
  ],
  ...['', '%', '-1', '1.5', '2', '101', '120%', 'high', '99 percent', '0.98.1'].map((text) => [text, null]),
] as [string, number | null][])('%j is the share %j', (text, share) => {
  expect(readShare(text)).toBe(share);
});

it.each([
  ['Germany', 'DE'],
  [' germany ', 'DE'],
  ['de', 'DE'],
  ['DE', 'DE'],
  ['United States', 'US'],
  ['united  kingdom', 'GB'],
  ['UK', 'GB'],
  ['South Korea', 'KR'],
  ['Hong Kong', 'HK'],
  ["Cote d'Ivoire", 'CI'],
  ['xx', 'XX'],
  ['Atlantis', null],
  ['', null],
  ['D', null],
  ['Germany France', null],
] as [string, string | null][])('%j is the country %j', (text, code) => {
  expect(readCountry(text)).toBe(code);
});
