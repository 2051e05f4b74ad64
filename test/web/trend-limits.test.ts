import { describe, expect, it } from 'vitest';
import { roundPrices } from '../../web/core/round-prices.ts';
import { emptyRanges } from '../../web/prices/trends/empty-ranges.ts';
import type { DrawnPoint, DrawnSeries } from '../../web/prices/trends/trend-datasets.ts';
import { trendLimits } from '../../web/prices/trends/trend-limits.ts';

const point = (median: number, values: Partial<DrawnPoint> = {}): DrawnPoint => ({
  ...{ t: '2026-05-01T00:00:00Z', median, p10: median, p90: median, min: median, physicalGpus: 1 },
  ...values,
});
const line = (
  points: DrawnPoint[],
  values: Partial<DrawnSeries<DrawnPoint>> = {},
): DrawnSeries<DrawnPoint> => ({
  ...{ points, times: points.map((_, at) => at), bucket: '1d', color: 0 },
  ...{ dashed: false, supply: true, faint: false },
  ...values,
});

describe('the axis of prices', () => {
  const usual = [point(0.4), point(0.5, { min: 0.3, p90: 0.8 }), point(0.45)];

  it('is set by what is drawn, not by a minimum or a median that is an outlier', () => {
    expect(trendLimits([line(usual)])).toEqual({ min: 0.3, max: 0.8, outside: [], above: [] });
    const withOutliers = [...usual, point(0.42, { min: 0.01 }), point(9)];
    // Of the day of 9 dollars nothing is usual.
    expect(trendLimits([line(withOutliers)])).toEqual({
      ...{ min: 0.3, max: 0.8, outside: [0.01, 9, 9, 9, 9], above: [4] },
    });
  });

  it('is not set by a few tops of the band far above their usual distance from the median', () => {
    const calm = [...usual, point(0.44, { p90: 0.6 }), point(0.46, { p90: 0.7 }), point(0.45, { p90: 0.66 })];
    expect(trendLimits([line([...calm, point(0.45, { p90: 1.6 })])])).toEqual({
      ...{ min: 0.3, max: 0.8, outside: [1.6], above: [6] },
    });
    // A line that has risen keeps its band.
    const risen = calm.map((each) => ({ ...each, median: 1.2, p10: 1.2, min: 1.2, p90: 1.8 }));
    expect(trendLimits([line([...calm, ...risen])])).toMatchObject({ max: 1.8, outside: [] });
  });

  it('keeps lines of cheap and of dear models, without the minima that are not drawn beside others', () => {
    const dear = [point(3, { min: 0.001 }), point(4)];
    expect(trendLimits([line(usual), line(dear)])).toEqual({ min: 0.4, max: 4, outside: [], above: [] });
  });

  it('is set by a list price, however far above, and not by an outlier of an earlier period', () => {
    const listed = line([point(8)], { faint: true, thin: true });
    expect(trendLimits([line(usual), listed])).toMatchObject({ max: 8, outside: [] });
    const earlier = line([point(8)], { faint: true });
    expect(trendLimits([line(usual), earlier])).toMatchObject({ max: 0.8, outside: [8] });
  });

  it('is labeled at round prices within its ends', () => {
    expect(roundPrices(0.085, 0.37, 6).map((usd) => usd.toFixed(2))).toEqual([
      ...['0.10', '0.15', '0.20', '0.25', '0.30', '0.35'],
    ]);
    expect(roundPrices(0, 5, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(roundPrices(0.4, 0.4, 6)).toEqual([0.4]);
  });

  it('has room around a single price, and none for an outlier beside it', () => {
    const limits = trendLimits([line([point(1), point(1), point(9)])]);
    expect([limits?.min, limits?.max]).toEqual([0.95, 1.05]);
  });

  it('has no limits without a price', () => {
    expect(trendLimits([line([point(1, { median: null })])])).toBeNull();
  });
});

describe('ranges without prices of their own', () => {
  const newest = '2026-07-30T12:00:00Z';
  const empty = (pricedFrom: string | null, pricedTo: string | null) => [
    ...emptyRanges([{ pricedFrom, pricedTo }], newest),
  ];

  it('are those that begin before all prices, and those that end after them', () => {
    expect(empty('2025-01-01T00:00:00Z', '2026-07-31T00:00:00Z')).toEqual([]);
    expect(empty('2026-07-10T00:00:00Z', '2026-07-31T00:00:00Z')).toEqual(['90d', '1y']);
    expect(empty('2026-01-01T00:00:00Z', '2026-07-01T00:00:00Z')).toEqual(['24h', '7d']);
    expect(empty('2026-07-30T00:00:00Z', '2026-07-31T00:00:00Z')).toEqual(['7d', '30d', '90d', '1y']);
  });

  it('are none while the days with prices are unknown, and of several models those of none', () => {
    expect(empty(null, null)).toEqual([]);
    const old = { pricedFrom: '2026-05-10T00:00:00Z', pricedTo: '2026-07-01T00:00:00Z' };
    const young = { pricedFrom: '2026-07-30T00:00:00Z', pricedTo: '2026-07-31T00:00:00Z' };
    expect([...emptyRanges([old, young], newest)]).toEqual(['1y']);
  });
});
