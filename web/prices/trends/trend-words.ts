import type { SupplyPoint, TrendPoint } from '../../core/api.ts';
import { countOf, formatAtLeast, formatCount, formatUsd } from '../../core/figures.ts';
import { formatBucket } from '../../core/times.ts';
import type { ShownSeries, ShownSupply } from './named-lines.ts';
import type { PointsShown } from './trend-chart.tsx';

/**
 * Says what the combined supply of types is of, beside the points of its parts: its moment if that is another, and how
 * many books it is a mean of if those are fewer, since it may then be less than a part.
 */
export function togetherWords(
  supply: Pick<ShownSupply, 'color' | 'bucket'>,
  point: SupplyPoint | undefined,
  series: readonly Pick<ShownSeries, 'color'>[],
  points: readonly (TrendPoint | undefined)[],
): string {
  const once = 'each GPU counted once across types';
  const parts = points.filter((part, place) => part !== undefined && series[place]?.color === supply.color);
  if (point === undefined || parts.length === 0) return once;
  const moment = formatBucket(point.t, supply.bucket);
  if (parts.some((part) => part !== undefined && formatBucket(part.t, supply.bucket) !== moment))
    return `${once}, as of ${moment}`;
  const books = Math.max(...parts.map((part) => part?.books ?? 0));
  return point.rounds < books
    ? `${once}, in ${formatCount(point.rounds)} of ${countOf(books, 'book')}: those that each type has`
    : once;
}

/** Returns prices and supply at a moment in words. `set`: which offers are drawn, `all offers`. */
export function trendWords(
  series: readonly ShownSeries[],
  supply: readonly ShownSupply[],
  set: string,
  { points, together }: PointsShown<TrendPoint>,
): string {
  const said = series.flatMap(({ label, bucket }, place) => {
    const point = points[place];
    if (point === undefined) return [];
    return [
      `${label}, ${formatBucket(point.t, bucket)}: median ${formatUsd(point.median)}, 10th to 90th percentile ` +
        `${formatUsd(point.p10)} to ${formatUsd(point.p90)}, lowest of ${set}, outliers too, ${formatUsd(point.min)}, ` +
        `${formatCount(point.offers)} offers`,
    ];
  });
  const counted = supply.flatMap((each, place) => {
    const point = together[place];
    return point === undefined
      ? []
      : [
          `${each.label}: ${formatAtLeast(point.physicalGpus, point.physicalGpusIsLowerBound)} physical GPUs, ` +
            togetherWords(each, point, series, points),
        ];
  });
  return said.length === 0 ? 'no data' : [...said, ...counted].join('; ');
}
