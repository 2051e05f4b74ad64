import type { ListingHistory } from '../../core/api.ts';

/** A period with one price per GPU, in milliseconds; `present`: whether it was listed. */
export interface PricedSpan {
  from: number;
  to: number;
  usdPerGpuHour: number;
  present: boolean;
}

/** Returns a listing's price intervals, split where its episodes begin and end, within the history's range, in order. */
export function pricedSpans({ priceIntervals, episodes, from, to }: ListingHistory): PricedSpan[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const listed = episodes.map(({ startedAt, endedAt }) => ({
    from: Date.parse(startedAt),
    to: endedAt === null ? end : Date.parse(endedAt),
  }));
  return priceIntervals.flatMap((interval) => {
    if (interval.usdPerGpuHour === null) return [];
    const price = interval.usdPerGpuHour;
    const first = Math.max(start, Date.parse(interval.from));
    const last = Math.min(end, interval.to === null ? end : Date.parse(interval.to));
    const cuts = [...new Set([first, last, ...listed.flatMap((episode) => [episode.from, episode.to])])]
      .filter((time) => time >= first && time <= last)
      .toSorted((a, b) => a - b);
    return cuts.slice(0, -1).flatMap((cut, index) => {
      const next = cuts[index + 1] ?? last;
      const middle = (cut + next) / 2;
      const present = listed.some((episode) => episode.from <= middle && middle <= episode.to);
      return next > cut ? [{ from: cut, to: next, usdPerGpuHour: price, present }] : [];
    });
  });
}

/** Returns how long a listing was listed of how long it is known, in milliseconds. */
export function listedOf(spans: readonly PricedSpan[]): { listed: number; known: number } {
  const known = (spans.at(-1)?.to ?? 0) - (spans[0]?.from ?? 0);
  const listed = spans.filter(({ present }) => present).reduce((sum, span) => sum + span.to - span.from, 0);
  return { listed, known };
}
