import { describe, expect, it } from 'vitest';
import { createPresets, presetQuery } from '../../web/core/deal-presets.ts';
import { bestOf } from '../../web/prices/deals/best-values.ts';
import {
  chosenColumns,
  columnChanges,
  dealColumns,
  defaultColumns,
} from '../../web/prices/deals/deal-columns.ts';
import { chosenSort, nextSort, sortChanges } from '../../web/prices/deals/deal-sort.ts';
import { orderWords } from '../../web/prices/deals/order-words.ts';
import { quickModels } from '../../web/prices/deals/quick-models.tsx';
import { chosenKey } from '../../web/prices/deals/ranking-request.ts';

const queryOf = (text: string) => new URLSearchParams(text);

describe('columns', () => {
  const names = (query: string, kept: readonly string[] | null = null) =>
    chosenColumns(queryOf(query), kept).map(({ name }) => name);

  it('are those of the address, else the remembered ones, else the default ones', () => {
    expect(names('')).toEqual(defaultColumns);
    expect(names('', ['country', 'gpuRamMb'])).toEqual(['gpuRamMb', 'country']);
    expect(names('columns=cpuCores,verdict,x', ['country'])).toEqual(['verdict', 'cpuCores']);
    expect(names('columns=none', ['country'])).toEqual([]);
    expect(defaultColumns).toContain('reliability');
    expect(defaultColumns).not.toContain('cpuCores');
    // Nearly always that of all GPUs.
    expect(defaultColumns).toContain('usdPerHour');
    expect(defaultColumns).not.toContain('allInUsdPerHour');
  });

  it('go into the address unless they are the default ones', () => {
    expect(columnChanges(['verdict', 'cpuCores'])).toEqual({ columns: 'verdict,cpuCores' });
    expect(columnChanges([])).toEqual({ columns: 'none' });
    expect(columnChanges(defaultColumns.toReversed())).toEqual({ columns: null });
  });
});

it('a click on a head sorts by its best values, and another turns the order', () => {
  const first = chosenSort(queryOf(''));
  expect(first).toEqual({ name: 'rank', order: 'asc' });
  const vram = nextSort(first, { name: 'gpuRamMb', best: 'high' });
  expect(sortChanges(vram)).toEqual({ sort: 'gpuRamMb', order: 'desc' });
  expect(sortChanges(nextSort(vram, { name: 'gpuRamMb', best: 'high' }))).toEqual({
    sort: 'gpuRamMb',
    order: null,
  });
  expect(nextSort(vram, { name: 'inetUpUsdPerGb', best: 'low' })).toEqual({
    name: 'inetUpUsdPerGb',
    order: 'asc',
  });
  expect(sortChanges(nextSort(first, { name: 'rank' }))).toEqual({ sort: null, order: 'desc' });
  expect(chosenSort(queryOf('sort=country&order=desc'))).toEqual({ name: 'country', order: 'desc' });
});

it.each([
  ['usdPerGpuHour', '', 'Lowest price per GPU first'],
  ['usdPerDlperfHour', 'order=desc', 'Highest cost per DLPerf first'],
  ['usdPerGpuHour', 'sort=reliability&order=desc', 'Highest reliability first'],
  ['usdPerGpuHour', 'sort=dlperf', 'Lowest DLPerf first'],
  ['usdPerGpuHour', 'sort=usdPerHour', 'Lowest price of the whole offer first'],
  ['usdPerGpuHour', 'sort=gpuName&order=desc', 'Sorted by GPU model, reversed'],
])('the order of a ranking by %s with %s is called: %s', (by, query, words) => {
  expect(orderWords(by, chosenSort(queryOf(query)), dealColumns)).toBe(words);
});

it('one model is ranked by its price per GPU, several by the cost of speed, unless another metric is chosen', () => {
  expect(chosenKey(queryOf('gpuName=A'))).toBe('usdPerGpuHour');
  expect(chosenKey(queryOf('gpuName=A&gpuName=B'))).toBe('usdPerDlperfHour');
  expect(chosenKey(queryOf(''))).toBe('usdPerDlperfHour');
  expect(chosenKey(queryOf('gpuName=A&by=usdPerDlperfHour'))).toBe('usdPerDlperfHour');
});

it.each([
  ['low', [3, 1, null, 1], [false, true, false, true]],
  ['high', [3, 1, null, 2], [true, false, false, false]],
  ['high', [2, 2], [false, false]],
  ['high', [2, null], [true, false]],
  ['low', [null, null], [false, false]],
  [undefined, [1, 2], [false, false]],
] as const)('the best of a %s column of %j', (best, values, expected) => {
  expect(bestOf(best === undefined ? {} : { best }, values)).toEqual(expected);
});

it('the models at one click are the pinned ones, then those with the most offers', () => {
  const group = (gpuName: string, offers: number) => ({ gpuName, offers });
  const groups = [group('A', 1), group('B', 5), group('C', 3), group('B', 1)];
  expect(quickModels(groups, ['A', 'Z'])).toEqual([
    { gpuName: 'A', isPinned: true, offers: 1 },
    { gpuName: 'Z', isPinned: true, offers: 0 },
    { gpuName: 'B', isPinned: false, offers: 6 },
    { gpuName: 'C', isPinned: false, offers: 3 },
  ]);
  const many = Array.from({ length: 20 }, (_, index) => group(`M${index}`, index));
  // A chosen model has its place, whichever are offered most, and moves no other.
  expect(quickModels(many, [], ['M1', 'rare']).map(({ gpuName }) => gpuName)).toEqual([
    ...quickModels(many, []).map(({ gpuName }) => gpuName),
    'M1',
    'rare',
  ]);
  expect(quickModels(many, []).map(({ gpuName }) => gpuName)).toEqual(
    [19, 18, 17, 16, 15, 14, 13, 12].map((index) => `M${index}`),
  );
  // Other filters change the counts, and no model's place.
  expect(quickModels(groups, ['A'], [], ['C', 'B'])).toEqual([
    { gpuName: 'A', isPinned: true, offers: 1 },
    { gpuName: 'C', isPinned: false, offers: 3 },
    { gpuName: 'B', isPinned: false, offers: 6 },
  ]);
});

describe('presets', () => {
  /** A window whose storage forbids nothing, and has nothing yet. */
  const newWindow = () => {
    const kept = new Map<string, string>();
    const localStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    return { localStorage, addEventListener: () => {} } as unknown as Window;
  };

  it('are kept by market, replaced by name, renamed and removed', () => {
    const window = newWindow();
    const presets = createPresets(window);
    presets.save('a', { name: 'one', query: 'numGpus=1' });
    presets.save('a', { name: 'two', query: 'numGpus=2' });
    presets.save('b', { name: 'one', query: 'numGpus=4' });
    presets.save('a', { name: 'one', query: 'numGpus=8' });
    expect(createPresets(window).of('a')).toEqual([
      { name: 'one', query: 'numGpus=8' },
      { name: 'two', query: 'numGpus=2' },
    ]);
    presets.rename('a', 'one', 'eight');
    presets.remove('a', 'two');
    expect(createPresets(window).of('a')).toEqual([{ name: 'eight', query: 'numGpus=8' }]);
    expect(createPresets(window).of('b')).toEqual([{ name: 'one', query: 'numGpus=4' }]);
    expect(presets.of('c')).toEqual([]);
  });

  it('named like another take its place', () => {
    const presets = createPresets(newWindow());
    for (const name of ['one', 'two']) presets.save('a', { name, query: name });
    presets.rename('a', 'one', 'two');
    expect(presets.of('a')).toEqual([{ name: 'two', query: 'one' }]);
  });

  it('keep everything but the market and what is open', () => {
    const query = 'market=a&sort=reliability&numGpus=2&columns=verdict&reliable=off&hours=24&explain=x';
    expect(presetQuery(queryOf(query))).toBe('columns=verdict&numGpus=2&reliable=off&sort=reliability');
  });
});
