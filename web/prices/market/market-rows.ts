import type { MarketRow } from '../../core/api.ts';

/** Figures that the market can be sorted by, with what each sorts first. */
export const sortKeys = {
  gpuName: 'up',
  median: 'up',
  change24hPercent: 'up',
  change7dPercent: 'up',
  change30dPercent: 'up',
  lowest: 'up',
  offers: 'down',
  machines: 'down',
  gpus: 'down',
  physicalGpus: 'down',
  bidMedian: 'up',
  bidSpreadPercent: 'down',
} as const;
export type SortKey = keyof typeof sortKeys;

/** What an address says of the order: a figure, and whether it is turned round. */
export function chosenOrder(query: URLSearchParams): { key: SortKey; turned: boolean } {
  const key = query.get('sort') ?? '';
  return { key: key in sortKeys ? (key as SortKey) : 'gpus', turned: query.get('turned') === '1' };
}

/** Rows whose model has the text in its name, in an order; figures that are not known come last either way. */
export function shownRows(
  rows: readonly MarketRow[],
  wanted: string,
  { key, turned }: { key: SortKey; turned: boolean },
): MarketRow[] {
  const up = (sortKeys[key] === 'up') !== turned;
  const found = rows.filter(({ gpuName }) => gpuName.toLowerCase().includes(wanted.trim().toLowerCase()));
  return found.toSorted((a, b) => {
    const [first, second] = [a[key], b[key]];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    const order =
      typeof first === 'string'
        ? first.localeCompare(String(second), undefined, { numeric: true })
        : first - Number(second);
    return (up ? order : -order) || a.gpuName.localeCompare(b.gpuName, undefined, { numeric: true });
  });
}
