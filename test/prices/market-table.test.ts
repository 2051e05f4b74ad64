import { expect, it } from 'vitest';
import { marketTable } from '../../src/prices/newest/market-table.ts';

const head = ['Offer', 'Model'];
const rows = [
  [1, 'RTX 4090'],
  [22, 'L4'],
];

it('names the market of each row if there are several', () => {
  const lines = marketTable(head, rows, { markets: ['vast', 'clore'], numbers: [0] }).split('\n');
  expect(lines.map((line) => line.trimEnd())).toEqual([
    'Market  Offer  Model',
    'vast        1  RTX 4090',
    'clore      22  L4',
  ]);
});

it('says nothing of the market if there is one', () => {
  expect(marketTable(head, rows, { markets: ['vast', 'vast'], numbers: [0] })).not.toContain('vast');
});

it('names the market too where several were asked for and one alone has rows', () => {
  const table = marketTable(head, rows, {
    markets: ['vast', 'vast'],
    asked: ['vast', 'clore'],
    numbers: [0],
  });
  expect(table.split('\n')[1]).toMatch(/^vast +1 /);
});
