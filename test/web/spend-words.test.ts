import { expect, it } from 'vitest';
import { compareBefore } from '../../web/spend/compare-before.ts';
import { overShareWords } from '../../web/spend/over-share.ts';

it('tells spend of one period only from a change, which has a percentage', () => {
  const of = (consumptionUsd: string, changeUsd: string) => compareBefore({ consumptionUsd, changeUsd });
  expect(of('3.246913578', '-3.246913578')).toBe('only-before');
  expect(of('0', '12.3')).toBe('only-now');
  expect([of('0', '0'), of('2', '0'), of('2', '-1.9'), of('2', '4')]).toEqual([
    'neither',
    'same',
    'changed',
    'changed',
  ]);
});

it('says what was paid above or below the market as a share of what was compared', () => {
  expect(overShareWords({ comparedUsd: '37.27', overMedianUsd: '4.1' })).toBe('11.0% of the $37.27 compared');
  expect(overShareWords({ comparedUsd: '2', overMedianUsd: '-0.4' })).toBe('20.0% of the $2.00 compared');
  expect(overShareWords({ comparedUsd: '0', overMedianUsd: '0' })).toBeNull();
  expect(overShareWords({ comparedUsd: null, overMedianUsd: null })).toBeNull();
});
