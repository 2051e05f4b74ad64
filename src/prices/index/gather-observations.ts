import type { BookMoments } from '../spans/book-moments.sql.ts';
import type { CoveredBefore } from '../statistics/book-axis.ts';
import { type Picked, pickBy, type SpanColumns } from '../statistics/span-columns.ts';
import { createDayObservations, type DayObservations } from './day-observations.ts';

/** Ordinals of a day's books, from `from` to before `to`. */
export interface DayBooks {
  from: number;
  to: number;
}

/**
 * Returns the observations of each day and model from spans read with their listings; models without any are missing.
 * Only books that are complete for the model count.
 */
export function gatherObservations(
  spans: SpanColumns,
  books: BookMoments,
  days: readonly DayBooks[],
): Map<number, DayObservations>[] {
  const gathered = days.map(() => new Map<number, DayObservations>());
  for (const [model, picked] of pickBy(spans, (place) => spans.gpuModelId[place] as number)) {
    const listings = listingsOf(spans, picked);
    const covered = books.coverOf(model);
    days.forEach((day, at) => {
      const observations = observeDay(spans, listings, covered, day);
      if (observations !== null) gathered[at]?.set(model, observations);
    });
  }
  return gathered;
}

/** Returns the places of each listing's spans in time order; listings by machine, number of GPUs and ordinal. */
function listingsOf(spans: SpanColumns, picked: Picked): Picked[] {
  const { machineId, numGpus, ordinal } = spans;
  const isSame = (a: number, b: number): boolean =>
    machineId[a] === machineId[b] && numGpus[a] === numGpus[b] && ordinal[a] === ordinal[b];
  const listings: Picked[] = [];
  for (let begin = 0; begin < picked.length; ) {
    let end = begin + 1;
    while (end < picked.length && isSame(picked[begin] as number, picked[end] as number)) end += 1;
    listings.push(picked.subarray(begin, end));
    begin = end;
  }
  return listings.sort(([a = 0], [b = 0]) => {
    const byMachine = (machineId[a] as number) - (machineId[b] as number);
    const byGpus = (numGpus[a] as number) - (numGpus[b] as number);
    return byMachine || byGpus || (ordinal[a] as number) - (ordinal[b] as number);
  });
}

/** A listing held by books of the day. */
interface HeldListing {
  /** The places of its spans. */
  own: Picked;
  logPrice: number;
  differs: boolean;
}

function observeDay(
  spans: SpanColumns,
  listings: readonly Picked[],
  covered: CoveredBefore,
  day: DayBooks,
): DayObservations | null {
  const held: HeldListing[] = [];
  let pricesLeftOut = 0;
  for (const own of listings) {
    const prices = readPrices(spans, own, covered, day);
    if (prices.books === 0) continue;
    pricesLeftOut += prices.leftOut;
    held.push({ own, logPrice: prices.mean, differs: false });
  }
  for (const group of groupsOf(spans, held)) {
    if (!pricesDiffer(spans, group, covered, day)) continue;
    for (const listing of group) listing.differs = true;
  }
  const kept = held.filter(({ logPrice, differs }) => differs || !Number.isNaN(logPrice));
  if (kept.length === 0 && pricesLeftOut === 0) return null;
  const observations = createDayObservations(kept.length);
  kept.forEach(({ own, logPrice, differs }, at) => {
    const place = own.findLast((each) => weightOf(spans, each, covered, day) > 0) as number;
    const hostId = spans.hostId[place] as number;
    observations.machineIds[at] = spans.machineId[place] as number;
    observations.numGpus[at] = spans.numGpus[place] as number;
    observations.ordinals[at] = spans.ordinal[place] as number;
    observations.hostIds[at] = Number.isNaN(hostId) ? -1 : hostId;
    observations.logPrices[at] = logPrice;
    observations.differs[at] = differs ? 1 : 0;
  });
  observations.pricesLeftOut = pricesLeftOut;
  return observations;
}

/** Returns the number of the day's counted books that held the span. */
function weightOf(
  { first, last }: SpanColumns,
  place: number,
  covered: CoveredBefore,
  day: DayBooks,
): number {
  const begin = Math.max(first[place] as number, day.from);
  const end = Math.min((last[place] as number) + 1, day.to);
  return end > begin ? (covered[end] as number) - (covered[begin] as number) : 0;
}

/** Returns the day's books with a listing, its mean log price (NaN: none above 0), and prices of 0 or less. */
function readPrices(
  spans: SpanColumns,
  own: Picked,
  covered: CoveredBefore,
  day: DayBooks,
): { books: number; mean: number; leftOut: number } {
  let [books, leftOut, priced, base, sum] = [0, 0, 0, Number.NaN, 0];
  let [price, weight] = [Number.NaN, 0];
  // Spans with equal values are added up first, so that cuts by presence or attributes make no difference.
  const add = (): void => {
    if (weight === 0 || Number.isNaN(price)) return;
    if (price <= 0) {
      leftOut += weight;
      return;
    }
    const log = Math.log(price);
    if (priced === 0) base = log;
    priced += weight;
    sum += weight * (log - base);
  };
  for (const place of own) {
    const held = weightOf(spans, place, covered, day);
    if (held === 0) continue;
    books += held;
    const value = spans.value[place] as number;
    if (!Object.is(value, price)) {
      add();
      [price, weight] = [value, 0];
    }
    weight += held;
  }
  add();
  return { books, mean: priced === 0 ? Number.NaN : base + sum / priced, leftOut };
}

/** Returns groups of several listings that differ only in their ordinal. */
function groupsOf({ machineId, numGpus }: SpanColumns, held: readonly HeldListing[]): HeldListing[][] {
  const groups: HeldListing[][] = [];
  for (let begin = 0; begin < held.length; ) {
    const [place = 0] = held[begin]?.own ?? [];
    let end = begin + 1;
    for (; end < held.length; end += 1) {
      const [other = 0] = held[end]?.own ?? [];
      if (machineId[other] !== machineId[place] || numGpus[other] !== numGpus[place]) break;
    }
    if (end > begin + 1) groups.push(held.slice(begin, end));
    begin = end;
  }
  return groups;
}

/** Whether any book of the day held two of these listings at different prices. */
function pricesDiffer(
  spans: SpanColumns,
  group: readonly HeldListing[],
  covered: CoveredBefore,
  day: DayBooks,
): boolean {
  const { first, last, value } = spans;
  return group.some(({ own }, at) =>
    group.slice(at + 1).some((other) =>
      own.some((a) =>
        other.own.some((b) => {
          if (Object.is(value[a], value[b])) return false;
          const begin = Math.max(first[a] as number, first[b] as number, day.from);
          const end = Math.min((last[a] as number) + 1, (last[b] as number) + 1, day.to);
          return end > begin && covered[end] !== covered[begin];
        }),
      ),
    ),
  );
}
