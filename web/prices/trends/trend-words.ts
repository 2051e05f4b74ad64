import type { TrendPoint } from '../../core/api.ts';
import { formatAtLeast, formatCount, formatUsd } from '../../core/figures.ts';
import { formatBucket } from '../../core/times.ts';
import type { ShownSeries, ShownSupply } from './named-lines.ts';
import type { PointsShown } from './trend-chart.tsx';

/** Returns prices and supply at a moment in words. */
export function trendWords(
  series: readonly ShownSeries[],
  supply: readonly ShownSupply[],
  { points, together }: PointsShown<TrendPoint>,
): string {
  const said = series.flatMap(({ label, bucket }, place) => {
    const point = points[place];
    if (point === undefined) return [];
    return [
      `${label}, ${formatBucket(point.t, bucket)}: median ${formatUsd(point.median)}, 10th to 90th percentile ` +
        `${formatUsd(point.p10)} to ${formatUsd(point.p90)}, minimum ${formatUsd(point.min)}, ` +
        `${formatCount(point.offers)} offers`,
    ];
  });
  const counted = supply.flatMap(({ label }, place) => {
    const point = together[place];
    return point === undefined
      ? []
      : [`${label}: ${formatAtLeast(point.physicalGpus, point.physicalGpusIsLowerBound)} physical GPUs`];
  });
  return said.length === 0 ? 'no data' : [...said, ...counted].join('; ');
}
