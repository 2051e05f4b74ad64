import { describe, expect, it } from 'vitest';
import { withMargins } from '../../web/prices/trends/drawn-lines.ts';

describe('the axis of prices', () => {
  it('leaves room around the lines', () => {
    const { suggestedMin, suggestedMax } = withMargins({ lowest: 2, highest: 3 }, false);
    expect(suggestedMin).toBeCloseTo(1.94);
    expect(suggestedMax).toBeCloseTo(3.06);
  });

  it('begins at zero under prices next to it, below zero only under what is less', () => {
    expect(withMargins({ lowest: 0.03, highest: 2.5 }, false).suggestedMin).toBe(0);
    expect(withMargins({ lowest: 0, highest: 2.5 }, false).suggestedMin).toBe(0);
    expect(withMargins({ lowest: -0.5, highest: 0.5 }, false).suggestedMin).toBeCloseTo(-0.56);
  });

  it('never reaches zero on a logarithmic scale, and has no ends without lines', () => {
    expect(withMargins({ lowest: 0.03, highest: 2.5 }, true)).toEqual({
      suggestedMin: 0.03,
      suggestedMax: 2.5,
    });
    expect(withMargins(null, false)).toEqual({ suggestedMin: undefined, suggestedMax: undefined });
  });
});
