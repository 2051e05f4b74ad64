import type { ListingHistory } from '../../core/api.ts';

/** A period with one price per GPU, in milliseconds; `present`: whether it was listed. */
export interface PricedSpan {
  from: number;
  to: number;
  usdPerGpuHour: number;
  present: boolean;
}

/** Returns a listing's price intervals, split where it was listed or not, within the history's range, in order. */
export function pricedSpans({ priceIntervals, presence, from, to }: ListingHistory): PricedSpan[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const there = presence.map((span) => ({
    from: Date.parse(span.from),
    to: span.open ? end : Date.parse(span.to),
  }));
  return priceIntervals.flatMap((interval) => {
    if (interval.usdPerGpuHour === null) return [];
    const price = interval.usdPerGpuHour;
    const first = Math.max(start, Date.parse(interval.from));
    const last = Math.min(end, interval.to === null ? end : Date.parse(interval.to));
    const cuts = [...new Set([first, last, ...there.flatMap((span) => [span.from, span.to])])]
      .filter((time) => time >= first && time <= last)
      .toSorted((a, b) => a - b);
    return cuts.slice(0, -1).flatMap((cut, index) => {
      const next = cuts[index + 1] ?? last;
      const middle = (cut + next) / 2;
      const present = there.some((span) => span.from <= middle && middle <= span.to);
      return next > cut ? [{ from: cut, to: next, usdPerGpuHour: price, present }] : [];
    });
  });
}
