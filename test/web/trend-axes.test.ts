import { expect, it } from 'vitest';
import { trendOptions } from '../../web/prices/trends/trend-options.ts';

/** Returns the labels of these values on the right axis of a chart. */
function labelsOf(drawn: 'prices' | 'levels', values: number[]): unknown[] {
  const callback = trendOptions(
    drawn,
    () => {},
    () => null,
  ).scales?.y?.ticks?.callback;
  const ticks = values.map((value) => ({ value }));
  // The callback reads no scale.
  return values.map((value, index) => callback?.call({} as never, value, index, ticks));
}

it('the axis of prices has dollars, with as many decimals as its steps need', () => {
  expect(labelsOf('prices', [0.4, 0.6, 0.8])).toEqual(['$0.40', '$0.60', '$0.80']);
  expect(labelsOf('prices', [0.2, 0.205, 0.21])).toEqual(['$0.200', '$0.205', '$0.210']);
});

it('the axis of levels has plain numbers', () => {
  expect(labelsOf('levels', [99, 100, 101])).toEqual(['99', '100', '101']);
});
