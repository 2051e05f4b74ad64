import { expect, it } from 'vitest';
import type { MarketRow } from '../../web/core/api.ts';
import { chosenOrder, shownRows } from '../../web/prices/market/market-rows.ts';

const row = (gpuName: string, median: number | null, gpus: number): MarketRow => ({
  ...{
    market: 'test',
    gpuName,
    median,
    gpus,
    physicalGpus: gpus,
    physicalGpusIsLowerBound: false,
    offers: 1,
    machines: 1,
    lowest: null,
    bidMedian: null,
    bidSpreadPercent: null,
    cheapestCloud: null,
  },
  ...{ changes: [], sparkline: [] },
});
const rows = [row('RTX 4090', 0.4, 9), row('A40', null, 2), row('RTX 3060', 0.1, 9)];
const names = (wanted: string, search: string) =>
  shownRows(rows, wanted, chosenOrder(new URLSearchParams(search))).map(({ gpuName }) => gpuName);

it('models are sorted by any figure, either way round, unknown ones last, equal ones by name', () => {
  expect(names('', '')).toEqual(['RTX 3060', 'RTX 4090', 'A40']);
  expect(names('', 'sort=median')).toEqual(['RTX 3060', 'RTX 4090', 'A40']);
  expect(names('', 'sort=median&turned=1')).toEqual(['RTX 4090', 'RTX 3060', 'A40']);
  expect(names('', 'sort=gpuName&turned=1')).toEqual(['RTX 4090', 'RTX 3060', 'A40']);
  expect(names(' rtx ', 'sort=gpuName')).toEqual(['RTX 3060', 'RTX 4090']);
});
