import { describe, expect, it } from 'vitest';
import type { MarketRow, PriceChange } from '../../web/core/api.ts';
import { bestDrops } from '../../web/today/best-drops.ts';

type Given = [days: number, percent: number | null, status: PriceChange['status']];

const row = (gpuName: string, ...changes: Given[]): MarketRow =>
  ({
    gpuName,
    changes: changes.map(([days, percent, status]) => ({ days, percent, status })),
  }) as unknown as MarketRow;

const found = (...rows: MarketRow[]) => {
  const { days, drops, compared } = bestDrops(rows);
  return { days, compared, drops: drops.map((drop) => `${drop.row.gpuName} ${drop.change.percent}`) };
};

describe('the biggest price drops', () => {
  it('are the clear ones of a week, the biggest first', () => {
    const rows = [
      row('A', [1, -30, 'clear'], [7, -2, 'clear']),
      row('B', [7, -5, 'clear']),
      row('C', [7, -9, 'unclear']),
      row('D', [7, 4, 'clear']),
      row('E', [1, -8, 'clear'], [7, null, 'insufficient']),
    ];
    expect(found(...rows)).toEqual({ days: 7, compared: 4, drops: ['B -5', 'A -2'] });
  });

  it('are of one day only while no change over a week is known, whichever prices have fallen', () => {
    const fallen = row('A', [1, -3, 'clear'], [7, null, 'insufficient']);
    expect(found(fallen)).toEqual({ days: 1, compared: 1, drops: ['A -3'] });
    // The next book must not change the period.
    expect(found(fallen, row('B', [1, -4, 'clear'], [7, 0, 'steady']))).toMatchObject({ days: 7, drops: [] });
    expect(found(row('A', [1, 0, 'steady'], [7, -3, 'clear']))).toMatchObject({ days: 7, drops: ['A -3'] });
  });

  it('are none without history, and then say how many models were compared', () => {
    expect(found()).toEqual({ days: 1, compared: 0, drops: [] });
    expect(found(row('A', [1, 1, 'steady'], [7, null, 'insufficient']))).toEqual({
      ...{ days: 1, compared: 1, drops: [] },
    });
  });
});
