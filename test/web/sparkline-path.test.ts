import { describe, expect, it } from 'vitest';
import { sparklinePath } from '../../web/prices/market/sparkline-path.ts';

const heights = (path: string | null) =>
  [...(path ?? '').matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));

describe('a sparkline', () => {
  it('has one scale for all models: 50% above the median is the top, 50% below it the bottom', () => {
    expect(heights(sparklinePath([1, 1.5, 0.5]))).toEqual([18, 2, 34]);
    expect(heights(sparklinePath([100, 110, 90]))).toEqual([18, 14.8, 21.2]);
    expect(heights(sparklinePath([0.002, 0.0022, 0.0018]))).toEqual([18, 14.8, 21.2]);
  });

  it('ends at the edges, and leaves gaps', () => {
    expect(heights(sparklinePath([1, 9, 1, 0.1]))).toEqual([18, 2, 18, 34]);
    expect(sparklinePath([1, null, 1, 1])?.match(/M/g)).toHaveLength(2);
  });

  it('needs two prices', () => {
    expect(sparklinePath([])).toBeNull();
    expect(sparklinePath([null, 1])).toBeNull();
  });
});
