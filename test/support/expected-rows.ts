import { readFileSync } from 'node:fs';
import { defaultProfile } from '../../src/core/metric.ts';
import type { PricingType } from '../../src/core/offer.ts';
import { noFilter } from '../../src/core/offer-filter.ts';
import type { Sql } from '../../src/database/connection.ts';
import { computedPoints } from '../../src/prices/trends/computed-points.sql.ts';
import { storedBookPoints } from '../../src/prices/trends/stored-points.sql.ts';
import type { SeriesQuery, TrendPoint } from '../../src/prices/trends/trend-point.ts';
import { expectedCsv } from './recorded-data.ts';

/** One row of expected.csv: the figures that somebody else computed from the recorded books. */
export interface ExpectedRow {
  at: string;
  type: PricingType;
  gpuName: string;
  /** offers, gpus, then min, p25, median, p75, max to 6 decimals. */
  figures: string[];
}

/** All 1,814 rows. */
function readExpectedRows(): ExpectedRow[] {
  const [head, ...lines] = readFileSync(expectedCsv, 'utf8').trim().split('\n');
  if (!head?.startsWith('scraped_at,rental_type,gpu_name,num_offers,total_gpus,dph_per_gpu_min,')) {
    throw new Error(`${expectedCsv} has other columns than expected: ${head}`);
  }
  return lines.map((line) => {
    const [at = '', type, gpuName = '', ...figures] = line.split(',');
    return { at, type: type as PricingType, gpuName, figures: figures.slice(0, 7) };
  });
}

/** How a series' points are read. */
export type ReadPoints = (sql: Sql, query: SeriesQuery) => Promise<TrendPoint[]>;

export const readComputed: ReadPoints = (sql, query) =>
  computedPoints(sql, query, {
    bucket: 'book',
    metric: 'usdPerGpuHour',
    profile: defaultProfile,
    filter: noFilter,
  });

/**
 * The rows that the database does not reproduce, and the points it has beyond them, a line each; `rows` and
 * `points` count what was compared.
 */
export async function compareWithExpected(
  sql: Sql,
  scopeId: number,
  read: ReadPoints = storedBookPoints,
): Promise<{ rows: number; points: number; problems: string[] }> {
  const rows = readExpectedRows();
  const series = Map.groupBy(rows, ({ type, gpuName }) => `${type}|${gpuName}`);
  const problems: string[] = [];
  let points = 0;
  const compareSeries = async ([key, wanted]: [string, ExpectedRow[]]): Promise<void> => {
    const [{ type, gpuName } = { type: 'bid', gpuName: '' } as const] = wanted;
    const range = { from: new Date('2026-07-01'), to: new Date('2026-08-10') };
    const found = (await read(sql, { scopeId, type, gpuName, ...range })).filter(({ offers }) => offers > 0);
    points += found.length;
    for (const { at, figures } of wanted) {
      const point = found.find(({ t }) => t.getTime() === Date.parse(at));
      const shown = point === undefined ? 'no point' : figuresOf(point).join(',');
      if (!agrees(point, figures)) problems.push(`${at} ${key}: ${shown}, expected ${figures.join(',')}`);
    }
  };
  await Promise.all([...series].map(compareSeries));
  return { rows: rows.length, points, problems };
}

const figuresOf = ({ offers, gpus, min, p25, median, p75, max }: TrendPoint): (number | null)[] => [
  offers,
  gpus,
  min,
  p25,
  median,
  p75,
  max,
];

/** Half a unit of the sixth decimal, plus the rounding error of a double. */
const tolerance = 0.5e-6 + 1e-12;

function agrees(point: TrendPoint | undefined, figures: readonly string[]): boolean {
  if (point === undefined) return false;
  return figuresOf(point).every(
    (value, index) =>
      value !== null && Math.abs(value - Number(figures[index])) <= (index < 2 ? 0 : tolerance),
  );
}
