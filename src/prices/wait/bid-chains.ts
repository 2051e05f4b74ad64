import type { Turns } from '../../core/turns.ts';
import type { SpanColumns, SpanOffers } from '../statistics/span-columns.ts';

/** Spans with their offers, listing by listing in time order. */
export type Offered = SpanColumns & { offers: SpanOffers };

/** Books in time order by ordinal, and which of them count. */
export interface CountingBooks {
  /** Moments of counted books, milliseconds. */
  moments: Float64Array;
  /** Number of counted books before each ordinal; one entry more than there are books. */
  before: Int32Array;
}

/** What follows each span, by index, while the listing is in every counted book. Milliseconds. */
export interface Chains {
  /** The first counted book without the listing; infinity: none yet. */
  leftAt: Float64Array;
  /** By percentage: the first book whose minimum bid exceeds the span's by more than it; infinity: none soon. */
  exceededAt: ReadonlyMap<number, Float64Array>;
}

/** Counts books. `counts`: 1 for each book to count; `times`: their moments. */
export function countBooks(times: Float64Array, counts: Int8Array): CountingBooks {
  const before = new Int32Array(times.length + 1);
  for (let at = 0; at < times.length; at += 1)
    before[at + 1] = (before[at] as number) + (counts[at] as number);
  return { moments: times.filter((_, at) => counts[at] === 1), before };
}

/** Returns what follows the spans; compares minimum bids until `followMs` after the span. */
export async function findChains(
  { first, last, length, offers }: Offered,
  { moments, before }: CountingBooks,
  { raisePercents, followMs }: { raisePercents: readonly number[]; followMs: number },
  turns: Turns,
): Promise<Chains> {
  const { listing, baseUsdPerHour } = offers;
  const begin = (place: number): number => before[first[place] as number] as number;
  const after = (place: number): number => before[(last[place] as number) + 1] as number;
  const momentOf = (book: number): number => moments[book] ?? Number.POSITIVE_INFINITY;
  const follows = (place: number): boolean =>
    place < length && listing[place] === listing[place - 1] && after(place - 1) === begin(place);
  const leftAt = new Float64Array(length);
  for (let place = length - 1; place >= 0; place -= 1) {
    leftAt[place] = follows(place + 1) ? (leftAt[place + 1] as number) : momentOf(after(place));
  }
  const exceeded = (place: number, raisePercent: number): number => {
    const bid = (baseUsdPerHour[place] as number) * (1 + raisePercent / 100);
    const until = momentOf(after(place) - 1) + followMs;
    for (let later = place + 1; follows(later); later += 1) {
      const at = momentOf(begin(later));
      if (at > until) break;
      // Ignores spans without a counted book.
      if (after(later) > begin(later) && (baseUsdPerHour[later] as number) > bid) return at;
    }
    return Number.POSITIVE_INFINITY;
  };
  const exceededAt = new Map<number, Float64Array>();
  for (const raisePercent of raisePercents) {
    const times = new Float64Array(length);
    await turns.over(length, (from, to) => {
      for (let place = from; place < to; place += 1) times[place] = exceeded(place, raisePercent);
    });
    exceededAt.set(raisePercent, times);
  }
  return { leftAt, exceededAt };
}
