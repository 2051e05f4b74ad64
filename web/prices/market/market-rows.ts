import type { MarketRow, PriceChange } from '../../core/api.ts';

/** Sort columns of the market, each with its initial direction. */
export const sortKeys = {
  gpuName: 'up',
  median: 'up',
  change1: 'up',
  change7: 'up',
  change27: 'up',
  lowest: 'up',
  offers: 'down',
  machines: 'down',
  gpus: 'down',
  physicalGpus: 'down',
  bidMedian: 'up',
  bidSpreadPercent: 'down',
  cloud: 'up',
} as const;
export type SortKey = keyof typeof sortKeys;

/** Returns the sort order in an address: a column, and whether it is reversed. */
export function chosenOrder(query: URLSearchParams): { key: SortKey; turned: boolean } {
  const key = query.get('sort') ?? '';
  return { key: key in sortKeys ? (key as SortKey) : 'gpus', turned: query.get('turned') === '1' };
}

/** Returns sorted rows whose model contains the text; unknown values come last in either direction. */
export function shownRows(
  rows: readonly MarketRow[],
  wanted: string,
  { key, turned }: { key: SortKey; turned: boolean },
): MarketRow[] {
  const up = (sortKeys[key] === 'up') !== turned;
  const found = rows.filter(({ gpuName }) => gpuName.toLowerCase().includes(wanted.trim().toLowerCase()));
  return found.toSorted((a, b) => {
    const [first, second] = [sortValue(a, key), sortValue(b, key)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    const order =
      typeof first === 'string'
        ? first.localeCompare(String(second), undefined, { numeric: true })
        : first - Number(second);
    return (up ? order : -order) || a.gpuName.localeCompare(b.gpuName, undefined, { numeric: true });
  });
}

/** Returns a model's change over these days; undefined: the API has none. */
export const changeOver = ({ changes }: MarketRow, days: number): PriceChange | undefined =>
  changes.find((change) => change.days === days);

/** Returns a row's sort value; for a change, the like-for-like one if known. */
function sortValue(row: MarketRow, key: SortKey): string | number | null {
  if (key === 'cloud') return row.cheapestCloud?.usdPerGpuHour ?? null;
  if (key !== 'change1' && key !== 'change7' && key !== 'change27') return row[key];
  const change = changeOver(row, Number(key.slice('change'.length)));
  return change === undefined || change.status === 'insufficient' ? null : change.percent;
}
