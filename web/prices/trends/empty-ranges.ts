import type { LowestVerdict } from '../../core/api.ts';
import { type Range, rangeHours, ranges } from './trend-request.ts';

const hourMs = 3_600_000;

/**
 * Returns the ranges up to the newest book that hold no price of the drawn models, or none beside those of the next
 * shorter range; empty while it is unknown which days have prices.
 */
export function emptyRanges(
  items: readonly Pick<LowestVerdict, 'pricedFrom' | 'pricedTo'>[],
  newest: string | null,
): ReadonlySet<Range> {
  const days = items.flatMap(({ pricedFrom, pricedTo }) =>
    pricedFrom === null || pricedTo === null
      ? []
      : [{ from: Date.parse(pricedFrom), to: Date.parse(pricedTo) }],
  );
  if (days.length === 0 || newest === null) return new Set();
  const first = Math.min(...days.map(({ from }) => from));
  const last = Math.max(...days.map(({ to }) => to));
  const startOf = (range: Range | undefined) =>
    range === undefined ? Number.POSITIVE_INFINITY : Date.parse(newest) - rangeHours[range] * hourMs;
  return new Set(
    ranges.filter((range, place) => {
      if (range === 'all') return false;
      return last <= startOf(range) || (place > 0 && first >= startOf(ranges[place - 1]));
    }),
  );
}
