import { expect, it } from 'vitest';
import {
  amountsFirst,
  figureName,
  figureWords,
  formulaWords,
  isFigureField,
  ownMoments,
  withoutRepeated,
} from '../../web/core/explained-words.ts';
import { formatMoment } from '../../web/core/times.ts';

it.each([
  ['lowest', 0.22355555555555554, 'USD/GPU/hour', '$0.2236/GPU-hour'],
  ['usdPerGpuHour', 0.22355555555555554, null, '$0.2236/GPU-hour'],
  ['usdPerHour', 0.5237037, 'USD', '$0.5237/hour'],
  ['usualUsdPerGpuHour', 0.42, null, '$0.4200/GPU-hour'],
  ['storageUsdPerGbMonth', 0.2, null, '$0.2000/GB-month'],
  ['usdPerDlperfHour', 0.000573, null, '$0.000573/DLPerf-hour'],
  ['spentUsd', '241.595047794076', 'USD', '$241.5950'],
  ['stderrPercent', 3.845446525, '%', '3.85%'],
  ['percent', -8.662853297, '%', '-8.66%'],
  ['percentile7', 0.7163, 'USD/GPU/hour', '0.72%'],
  ['chance5', 0.25, 'USD/hour', '25.0%'],
  ['medianHours5', 24, 'USD/hour', '24 h'],
  ['median', 0.44092592, '% of the median', '$0.4409/GPU-hour'],
  ['bidMedian', 0.3, '% of the median', '$0.3000/GPU-hour'],
  ['priceBefore', 0.67, '%', '$0.6700/GPU-hour'],
  ['priceNow', 0.72, '%', '$0.7200/GPU-hour'],
  ['priceNow', 0.72, '100 at its start', '$0.7200/GPU-hour'],
  ['priceNow', 0.72, 'USD/hour', '$0.7200/hour'],
  ['median', 0.44, '%', '$0.4400/GPU-hour'],
  ['machineId', 187083, null, '187083'],
  ['machines', 1200, null, '1,200'],
  ['value', null, 'USD/GPU/hour', '–'],
  ['status', 'clear', '%', 'clear'],
  ['rejected', 'filter minReliability', null, 'filter “Min reliability” not met'],
  ['t', '2026-11-25T18:00:00.000Z', null, formatMoment('2026-11-25T18:00:00.000Z')],
])('%s of %s in %s is shown as %s', (name, figure, unit, words) => {
  expect(figureWords(name, figure, unit)).toBe(words);
});

it.each([
  ['medianPercent', 'Day’s median'],
  ['stderrPercent', 'Error ±: off by less in about 2 of 3 cases (standard error)'],
  ['p10', '10th percentile'],
  ['percentile7', 'Percentile, 7 days'],
  ['chance5', 'Chance, 5% cheaper'],
  ['usdPerGpuHour', 'Price per GPU'],
  ['medianUsdPerGpuHour', 'Median per GPU'],
  ['storageUsdPerGbMonth', 'Storage price'],
  ['lowestInDays', 'Days since a price as low'],
  ['rejected', 'Left out because'],
  ['books', 'Books it is taken from'],
  ['bidSpreadPercent', 'Bid discount'],
  ['paidUsd', 'Paid'],
  ['savedUsd', 'Above equal machines, at least'],
  ['notComparedUsd', 'Not compared with a cloud'],
  ['overMinUsd', 'Above market lowest, outliers counted'],
  ['overLowestUsd', 'Above market lowest, outliers left out'],
  ['cloudComparedUsd', 'Paid for the hours compared with it'],
  ['physicalGpusIsLowerBound', 'Physical GPUs: at least so many'],
])('%s is called %s', (field, name) => {
  expect(figureName(field)).toBe(name);
});

it('a percentile is named by what it is among, in each explanation', () => {
  expect(figureName('percentileNow', 'verdict')).toBe('Percentile among offers now');
  expect(figureName('percentileNow', 'wait')).toBe('Percentile among books of the 7 days before');
});

it('the lowest prices of a comparison with the market are told apart by outliers, clock hours from hours of charges', () => {
  const names = ['lowestUsdPerGpuHour', 'minUsdPerGpuHour', 'hours'].map((field) =>
    figureName(field, 'vs-market'),
  );
  expect(names).toEqual([
    'Lowest price per GPU, outliers left out',
    'Lowest price per GPU, outliers counted',
    'Clock hours with charges',
  ]);
});

it.each([
  [
    '(baseUsdPerHour + storageUsdPerGbMonth × 8 / 720) / numGpus',
    '(Base price + Storage price × 8 GB of disk / 720 hours of a month) / GPUs',
  ],
  [
    '(baseUsdPerHour × 100 + storageUsdPerGbMonth × 8 / 720 × 120 + inetDownUsdPerGb × 10 + inetUpUsdPerGb × 0) / 100',
    '(Base price × 100 running hours + Storage price × 8 GB of disk / 720 hours of a month × 120 running and stopped hours + Download price × 10 GB + Upload price × 0 GB) / 100 running hours',
  ],
  ['100 × (1 − bidMedian / median)', '100 × (1 − Bid median / median)'],
  ['see Forecast in docs/meaning.md', 'see Forecast in docs/meaning.md'],
])('the formula %s has the labels of its figures', (formula, words) => {
  expect(formulaWords(formula)).toBe(words);
});

it.each([
  ['amountUsd', ['1.20', null], true],
  ['numGpus', [null, 2], true],
  ['startedAt', ['2026-07-01T00:00:00Z'], false],
])('%s is read from its last digit: %j, %s', (name, values, isFigure) => {
  expect(isFigureField(name, values)).toBe(isFigure);
});

it('amounts come right after the first field of a row', () => {
  expect(amountsFirst(['entryId', 'kind', 'source', 'amountUsd', 'partUsd'])).toEqual([
    ...['entryId', 'amountUsd', 'partUsd', 'kind', 'source'],
  ]);
  expect(amountsFirst(['gpuName', 'usdPerGpuHour'])).toEqual(['gpuName', 'usdPerGpuHour']);
  expect(amountsFirst([])).toEqual([]);
});

it('a field that repeats another one in every row is left out; the one whose name says more stays', () => {
  const left = (...rows: Parameters<typeof withoutRepeated>[1]) =>
    withoutRepeated(Object.keys(rows[0] ?? {}), rows, 'USD/GPU/hour');
  expect(left({ kind: 'payment', category: 'payment' }, { kind: 'payment', category: 'payment' })).toEqual([
    'kind',
  ]);
  expect(left({ kind: 'payment', category: 'payment' }, { kind: 'payment', category: 'refund' })).toEqual([
    ...['kind', 'category'],
  ]);
  expect(left({ value: 0.2, usdPerHour: 0.4, usdPerGpuHour: 0.2, allInUsdPerHour: 0.4 + 1e-15 })).toEqual([
    ...['usdPerGpuHour', 'allInUsdPerHour'],
  ]);
  // Equal by chance, but not the same.
  expect(left({ inetUpUsdPerGb: 0, inetDownUsdPerGb: 0 })).toHaveLength(2);
  expect(left({ value: 0.2 })).toEqual(['value']);
});

it('moments within sentences are those of the page, days stay as they are', () => {
  const own = formatMoment('2026-11-29T03:00:00Z');
  expect(ownMoments('In the book of 2026-11-29 03:00 UTC. 2026-11-29 compared with 2026-11-22.')).toBe(
    `In the book of ${own}. 2026-11-29 compared with 2026-11-22.`,
  );
});
