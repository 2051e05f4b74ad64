import { expect, it } from 'vitest';
import { readCountry, readShare } from '../../src/core/filter-words.ts';
import { nameOf } from '../../src/watches/watch-of-offers.ts';
import { countryCodes, numberText, percentText, shareText } from '../../web/core/filter-words.ts';
import { filtersInWords } from '../../web/watches/watch-fields.ts';

it.each([
  ['99', '0.99', '99'],
  ['99 %', '0.99', '99'],
  ['99.95%', '0.9995', '99.95'],
  ['99,5 %', '0.995', '99.5'],
  ['0.99', '0.99', '99'],
  ['1', '1', '100'],
  ['1%', '0.01', '1'],
  ['', '', ''],
  // The API refuses these, and the field shows what was typed.
  ['2', '2', '2'],
  ['120', '120', '120'],
  ['high', 'high', 'high'],
])('%j in the field of a share is %j, which it shows as %j', (typed, share, shown) => {
  expect(shareText(typed)).toBe(share);
  expect(percentText(share)).toBe(shown);
  const isRefused = share === '' || Number.isNaN(Number(share)) || Number(share) > 1;
  expect(readShare(share)).toBe(isRefused ? null : Number(share));
});

it.each([
  ['24', 'GB', '24'],
  ['24 GB', 'GB', '24'],
  ['24gb', 'GB', '24'],
  ['0,5', '$/h', '0.5'],
  ['$0.5 / h', '$/h', '0.5'],
  ['12.4', undefined, '12.4'],
  ['24 MB', 'GB', '24 MB'],
  ['many', 'GB', 'many'],
])('%j in a field of %j is %j', (typed, unit, text) => {
  expect(numberText(typed, unit)).toBe(text);
});

it.each([
  ['Germany', ['DE']],
  ['germany, no; United States', ['DE', 'NO', 'US']],
  ['DE NO us', ['DE', 'NO', 'US']],
  ['', []],
  ['Germany, Atlantis', ['DE', 'Atlantis']],
])('%j are the countries %j', (text, codes) => {
  expect(countryCodes(text)).toEqual(codes);
});

it('a name that the page knows is known to the API', () => {
  for (const name of ['Germany', 'United Kingdom', 'South Korea', 'Hong Kong']) {
    expect(countryCodes(name)).toEqual([readCountry(name)]);
  }
});

it('the filters of a watch, and the name made from them, have shares as percentages and units', () => {
  const filters = { gpuName: ['H100 SXM'], minReliability: 0.98, minVramGb: 24 };
  expect(filtersInWords(filters)).toBe('H100 SXM; Min reliability: 98%; Min VRAM: 24 GB');
  expect(nameOf(filters)).toBe('H100 SXM; min reliability 98%; min VRAM 24 GB');
});
