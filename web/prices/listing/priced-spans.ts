import type { ListingHistory } from '../../core/api.ts';

/** A period with one price per GPU, in milliseconds. */
export interface PricedSpan {
  from: number;
  to: number;
  usdPerGpuHour: number;
  /** Whether it was listed. */
  present: boolean;
  /** Whether a book within it lacks the offer, too few for it to be gone: no price of that book is from this offer. */
  missed: boolean;
}

/**
 * Returns a listing's price intervals, split where its episodes begin and end and around books that lack it, within the
 * history's range, in order.
 */
export function pricedSpans({
  priceIntervals,
  episodes,
  presence,
  from,
  to,
}: Pick<ListingHistory, 'priceIntervals' | 'episodes' | 'presence' | 'from' | 'to'>): PricedSpan[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const listed = episodes.map(({ startedAt, endedAt }) => ({
    from: Date.parse(startedAt),
    to: endedAt === null ? end : Date.parse(endedAt),
  }));
  const gone = episodes.filter(({ endedBy }) => endedBy !== 'repriced').map(({ endedAt }) => endedAt ?? '');
  const gaps = presence
    .slice(1)
    .map((next, before) => ({ from: presence[before]?.to ?? next.from, to: next.from }))
    .filter((gap) => !gone.some((at) => gap.from <= at && at <= gap.to))
    .map((gap) => ({ from: Date.parse(gap.from), to: Date.parse(gap.to) }));
  return priceIntervals.flatMap((interval) => {
    if (interval.usdPerGpuHour === null) return [];
    const price = interval.usdPerGpuHour;
    const first = Math.max(start, Date.parse(interval.from));
    const last = Math.min(end, interval.to === null ? end : Date.parse(interval.to));
    const cuts = [...new Set([first, last, ...[...listed, ...gaps].flatMap((each) => [each.from, each.to])])]
      .filter((time) => time >= first && time <= last)
      .toSorted((a, b) => a - b);
    return cuts.slice(0, -1).flatMap((cut, index) => {
      const next = cuts[index + 1] ?? last;
      const middle = (cut + next) / 2;
      const isIn = (each: { from: number; to: number }): boolean => each.from <= middle && middle <= each.to;
      const [present, missed] = [listed.some(isIn), gaps.some(isIn)];
      return next > cut ? [{ from: cut, to: next, usdPerGpuHour: price, present, missed }] : [];
    });
  });
}

/** What stands for the time that a listing was listed while one book alone has shown it. */
export const newWords = 'in one book so far';

/** Whether a price is known from the newest book alone, with which a range ends: listed, for no time yet. */
export const isNew = ({ from, to, present }: PricedSpan): boolean => present && to - from <= 1;

/** Returns how long a listing was listed of how long it is known, in milliseconds. */
export function listedOf(spans: readonly PricedSpan[]): { listed: number; known: number } {
  const known = (spans.at(-1)?.to ?? 0) - (spans[0]?.from ?? 0);
  const listed = spans.filter(({ present }) => present).reduce((sum, span) => sum + span.to - span.from, 0);
  return { listed, known };
}
