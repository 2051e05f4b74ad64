import { describe, expect, it } from 'vitest';
import type { TrendPoint } from '../../web/core/api.ts';
import {
  type DrawnSeries,
  maxBands,
  trendDatasets,
  withMargins,
} from '../../web/prices/trends/trend-datasets.ts';

const hour = 3_600_000;
const palette = {
  series: (place: number, opacity = 1) => `${place}/${opacity}`,
  ...{ accent: () => '', soft: () => '', line: () => '', refresh: () => {} },
};
const seriesOf = (color: number, part: Partial<DrawnSeries> = {}): DrawnSeries => ({
  points: [0, 1, 2].map((at) => ({
    ...{ t: new Date(at * hour).toISOString(), books: 1, observations: 4, offers: 4, gpus: 8, machines: 3 },
    ...{
      physicalGpus: 6,
      physicalGpusIsLowerBound: false,
      min: 1,
      p10: 2,
      p25: 3,
      median: 4,
      p75: 5,
      p90: 6,
    },
    max: 7,
  })) satisfies TrendPoint[],
  ...{ times: [0, hour, 2 * hour], bucket: '1h', color, dashed: false, supply: true, faint: false },
  ...part,
});
/** What identifies a line: its color, scale and first height. */
const told = (...series: DrawnSeries[]) =>
  trendDatasets(series, [], palette).map(
    ({ borderColor, backgroundColor, yAxisID = 'y', data }) =>
      `${borderColor ?? backgroundColor} ${yAxisID} ${data[0]?.y}`,
  );

describe('the datasets of a chart', () => {
  it('draw one series as median over minimum over band, with filled supply', () => {
    expect(told(seriesOf(0))).toEqual(['0/1 supply 6', '0/1 y 1', '0/1 y 4', '0/0.15 y 6', '0/0.15 y 2']);
    const [supply, , , high] = trendDatasets([seriesOf(0)], [], palette);
    expect([supply?.fill, supply?.stepped, high?.fill]).toEqual(['start', 'middle', '+1']);
  });

  it('draw several series in order, with bands if they are few, and faint medians of an earlier period', () => {
    const several = (count: number) => Array.from({ length: count }, (_, color) => seriesOf(color));
    const heights = (count: number) => told(...several(count)).filter((line) => line.includes('/0.15 '));
    expect(heights(maxBands)).toHaveLength(2 * maxBands);
    expect(heights(maxBands + 1)).toEqual([]);
    expect(told(seriesOf(0), seriesOf(0, { faint: true }))).toContain('0/0.45 y 4');
    expect(told(seriesOf(0), seriesOf(0, { faint: true }))).toHaveLength(6);
    expect(told(seriesOf(0), seriesOf(1)).slice(0, 4)).toEqual([
      ...['1/1 supply 6', '0/1 supply 6', '1/1 y 4', '0/1 y 4'],
    ]);
  });

  it('have dots where a point stands alone, in the color of its line', () => {
    const lonely = trendDatasets([seriesOf(0, { times: [0, hour, 50 * hour] })], [], palette).filter(
      ({ pointRadius }) => pointRadius !== undefined,
    );
    expect(lonely.map(({ data, pointBackgroundColor }) => [data.length, pointBackgroundColor])).toEqual(
      Array(3).fill([1, '0/1']),
    );
  });

  it('breaks where an index restarts, which a diamond marks, and has a ring on a day that is not over', () => {
    const signs = [null, 'rectRot', 'circle'] as const;
    const points = seriesOf(0).points.map((point, at) => ({ ...point, sign: signs[at] ?? null }));
    const drawn = trendDatasets([{ ...seriesOf(0), points }], [], palette);
    const marked = drawn.filter(({ pointStyle }) => pointStyle !== undefined);
    expect(marked.map(({ pointStyle, data }) => [pointStyle, data])).toEqual([
      ['circle', [{ x: 2 * hour, y: 4 }]],
      ['rectRot', [{ x: hour, y: 4 }]],
    ]);
    const line = drawn.find(({ borderWidth, data }) => borderWidth === 2 && data.length > 1);
    expect(line?.data.map(({ y }) => Number.isNaN(y))).toEqual([false, true, false, false]);
  });

  it('continues as a fan if there is a forecast', () => {
    const expected = [
      { t: 2 * hour, low: 4, value: 4, high: 4 },
      { t: 9 * hour, low: 3, value: 5, high: 7 },
    ];
    const drawn = trendDatasets([seriesOf(0, { expected })], [], palette);
    const ends = drawn.flatMap(({ data, fill }) => (data[1]?.x === 9 * hour ? [[data[1]?.y, fill]] : []));
    expect(ends).toEqual([
      [5, undefined],
      [7, '+1'],
      [3, undefined],
    ]);
  });

  it('are dashed for bids, but solid if there are too many points for dashes', () => {
    const dashOf = (part: Partial<DrawnSeries>) =>
      trendDatasets([seriesOf(0, { ...part, dashed: true })], [], palette)[2]?.borderDash;
    const many = Array.from({ length: 1_001 }, (_, index) => index);
    const point = seriesOf(0).points[0] as TrendPoint;
    expect(dashOf({})).toEqual([6, 4]);
    expect(dashOf({ points: many.map(() => point), times: many.map((at) => at * hour) })).toEqual([]);
  });
});

describe('the axis of prices', () => {
  it('leaves space around the lines', () => {
    const { min, max } = withMargins({ min: 2, max: 3 });
    expect(min).toBeCloseTo(1.94);
    expect(max).toBeCloseTo(3.06);
  });

  it('starts at zero for prices near it, and below zero only for lower values', () => {
    expect(withMargins({ min: 0.03, max: 2.5 }).min).toBe(0);
    expect(withMargins({ min: 0, max: 2.5 }).min).toBe(0);
    expect(withMargins({ min: -0.5, max: 0.5 }).min).toBeCloseTo(-0.56);
  });
});
