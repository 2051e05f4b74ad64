import { describe, expect, it } from 'vitest';
import type { PriceChange } from '../../web/core/api.ts';
import { changeWords, hasLongest } from '../../web/core/change-words.ts';

const change: PriceChange = {
  days: 7,
  percent: -2.44,
  stderrPercent: 0.31,
  medianPercent: 22,
  mixPercent: 24.44,
  status: 'clear',
  words: 'prices fell, cheap ones are taken',
};

describe('a change in words', () => {
  it('shows the like-for-like change with its error, and the changes of median and mix next to it', () => {
    const words = changeWords(change);
    expect(words).toMatchObject({ text: '-2.4% ± 0.3', median: '+22.0%', direction: 'down' });
    expect(words.detail).toContain(
      'In 7 days: prices fell, cheap ones are taken.\nDay’s median (of all prices of that day): +22.0%.',
    );
    expect(words.detail).toContain('(like for like): -2.4% ± 0.3. Mix of machines: +24.4 points.');
  });

  it('says why the words have no mix: it is less than twice the error of the change', () => {
    const words = changeWords({ ...change, percent: -9.6, stderrPercent: 4.1, mixPercent: -6.4 });
    expect(words.detail).toContain('-9.6% ± 4.1. Mix of machines: -6.4 points, less than twice that error.');
  });

  it('has as many decimals as make the rule of twice the margin true of what is shown', () => {
    const of = (percent: number, stderrPercent: number) => changeWords({ ...change, percent, stderrPercent });
    expect(of(-9.58, 4.68).text).toBe('-9.6% ± 4.7');
    expect(of(-9.58, 4.78).text).toBe('-9.58% ± 4.78');
    expect(of(9.66, 4.84).text).toBe('+9.66% ± 4.84');
    // A table has no room for more; bold and color say that it is clear.
    expect(of(-2.355732376, 1.177806642).text).toBe('-2.4% ± 1.2');
  });

  it('has a direction only if it is clear', () => {
    expect(changeWords({ ...change, status: 'unclear' })).toMatchObject({
      text: '-2.4% ± 0.3',
      direction: null,
    });
    expect(changeWords({ ...change, status: 'steady', percent: 0.1 })).toMatchObject({
      text: 'steady',
      direction: null,
    });
  });

  it('is reported as unknown if too few listings can be compared', () => {
    const unknown = { ...change, status: 'insufficient', percent: 3, stderrPercent: null } as const;
    expect(changeWords(unknown)).toMatchObject({ text: '–', direction: null, median: '+22.0%' });
    expect(changeWords({ ...unknown, percent: null, medianPercent: null, mixPercent: null })).toMatchObject({
      text: '–',
      median: null,
    });
  });
});

it('prices of 27 days before are there once some model has a change of its prices or its median over 27 days', () => {
  const unknown = { ...change, days: 27, percent: null, medianPercent: null };
  expect(hasLongest([])).toBe(false);
  expect(hasLongest([{ changes: [change, unknown] }])).toBe(false);
  expect(hasLongest([{ changes: [unknown] }, { changes: [change, { ...unknown, percent: 1 }] }])).toBe(true);
  expect(hasLongest([{ changes: [{ ...unknown, medianPercent: 1 }] }])).toBe(true);
});
