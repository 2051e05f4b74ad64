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
  it('are the clear ones of the shortest period that has any, the biggest first', () => {
    const rows = [
      row('A', [1, -2, 'clear'], [7, -30, 'clear']),
      row('B', [1, -5, 'clear']),
      row('C', [1, -9, 'unclear']),
      row('D', [1, 4, 'clear']),
      row('E', [1, null, 'insufficient']),
    ];
    expect(found(...rows)).toEqual({ days: 1, compared: 4, drops: ['B -5', 'A -2'] });
  });

  it('come from a longer period if prices have not clearly fallen in a day', () => {
    const rows = [row('A', [1, 0, 'steady'], [7, -3, 'clear']), row('B', [1, 1, 'clear'], [7, 2, 'clear'])];
    expect(found(...rows)).toEqual({ days: 7, compared: 2, drops: ['A -3'] });
  });

  it('are none without history, and then say how many models were compared', () => {
    expect(found()).toEqual({ days: null, compared: 0, drops: [] });
    expect(found(row('A', [1, null, 'insufficient'], [7, 1, 'steady']))).toEqual({
      ...{ days: null, compared: 1, drops: [] },
    });
  });
});
