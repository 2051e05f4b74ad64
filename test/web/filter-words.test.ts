import { expect, it } from 'vitest';
import { readCountry, readShare } from '../../src/core/filter-words.ts';
import type { WatchFilters } from '../../src/watches/watch.ts';
import { nameOf } from '../../src/watches/watch-of-offers.ts';
import type { Rule, Watch } from '../../web/core/api.ts';
import { countryCodes, numberText, percentText, shareText } from '../../web/core/filter-words.ts';
import { countChanged } from '../../web/parts/filter-fields.ts';
import { watchMadeFor } from '../../web/watches/delete-alert.tsx';
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

it('a watch is described as it is named for an alert: shares as percentages, values with units', () => {
  const filters = {
    gpuName: ['H100 SXM'],
    verification: ['verified'],
    maxUsdPerHour: 2,
    minReliability: 0.98,
    minVramGb: 24,
    datacenter: true,
    machineId: [7],
  };
  const words =
    'H100 SXM; reliable; max price per machine $2.00/hour; min VRAM 24 GB; datacenter yes; machine IDs 7';
  for (const [some, said] of [
    [filters, words],
    [{}, 'All models'],
    [{ minReliability: 0.98 }, 'All models; min reliability 98%'],
    [{ verification: ['verified'], minReliability: 0.97 }, 'All models; verified; min reliability 97%'],
    [
      { type: ['bid'], excludeVerification: ['deverified'] },
      'All models; bid; excluded verification deverified',
    ],
  ] as [WatchFilters & Watch['filters'], string][]) {
    expect([filtersInWords(some), nameOf(some)]).toEqual([said, said]);
  }
});

it('the watch that an alert made is named with its last alert only, and only if it sends no report', () => {
  const watch = { id: 'w', name: 'H100 SXM (2)', filters: { gpuName: ['H100 SXM'] }, channelIds: [] };
  const madeFor = (rules: object[], some: object) =>
    watchMadeFor({ id: 'a', watchId: 'w' } as Rule, rules as Rule[], [
      { ...watch, ...some } as unknown as Watch,
    ])?.name;
  const last = [{ id: 'a', watchId: 'w' }];
  expect(madeFor(last, {})).toBe('H100 SXM (2)');
  expect(madeFor([...last, { id: 'b', watchId: 'w' }], {})).toBeUndefined();
  expect(madeFor(last, { channelIds: ['c'] })).toBeUndefined();
  expect(madeFor(last, { name: 'my cards' })).toBeUndefined();
});

it.each([
  ['type=on-demand&numGpus=1', 1],
  ['type=bid&numGpus=1&numGpus=2', 2],
  ['type=on-demand&type=bid', 1],
  ['storageGb=8&runningHours=100&gpuName=H100', 1],
  ['', 0],
])('of %j as many are counted as differ from what the form has at first', (query, count) => {
  expect(countChanged(new URLSearchParams(query))).toBe(count);
});
