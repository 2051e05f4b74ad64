import { medianOf } from '../../core/percentile.ts';
import { countApart, findWindows } from './book-windows.ts';

/** The complete books of a request in the order of time, with the lowest price at each. */
export interface LowestPrices {
  /** Milliseconds. */
  times: Float64Array;
  /** $/hour; NaN: no offer matched. */
  prices: Float64Array;
}

/** What became of the price within the hours after some books of the past. */
export interface PriceDrops {
  status: 'ok' | 'insufficient';
  /** Books of the past that count. */
  books: number;
  /** Of them, chosen from the oldest on, those at least the hours apart. */
  cases: number;
  /** Cases that a chance needs. */
  neededCases: number;
  drops: {
    percent: number;
    /** Share of the books after which the price fell by as much in time, 0 to 1; null: too few cases. */
    chance: number | null;
    /** Median time to the first book at which it had; null: it never did, or too few cases. */
    medianHours: number | null;
  }[];
}

export interface WaitChances {
  /** null: no offer matches in the newest book. */
  priceNow: number | null;
  /** Of that among the prices of the 7 days before, 0 to 100; null: there is none. */
  percentileNow: number | null;
  overall: PriceDrops;
  /** The same over the books whose price stood about as high in its own last 7 days. */
  similar: PriceDrops;
}

const dropPercents = [5, 10, 20] as const;
const needed = { overall: 30, similar: 10 } as const;
/** Days before a book that its price is compared with. */
export const percentileDays = 7;
const similarPoints = 15;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Chances that waiting up to `hours` would have paid, by the past. Source: docs/meaning.md#wait-or-rent. */
export function findWaitChances({ times, prices }: LowestPrices, hours: number): WaitChances {
  const { ends } = findWindows(times, hours);
  const now = times.length - 1;
  const priceNow = now < 0 || Number.isNaN(prices[now]) ? null : (prices[now] as number);
  const percentiles = percentilesOf(times, prices);
  const percentileNow = priceNow === null ? null : known(percentiles[now]);
  const places = Array.from(ends.keys()).filter((at) => ends[at] !== -1 && !Number.isNaN(prices[at]));
  const waits = dropPercents.map((percent) => waitsFor({ times, prices }, ends, places, percent));
  const isSimilar = (at: number): boolean =>
    percentileNow !== null && Math.abs((percentiles[at] as number) - percentileNow) <= similarPoints;
  const judge = (among: readonly number[], neededCases: number): PriceDrops => {
    const cases = countApart(times, among, hours);
    const status = cases < neededCases ? 'insufficient' : 'ok';
    const drops = dropPercents.map((percent, index) => {
      const taken = among.map((at) => waits[index]?.[at] as number).filter((wait) => !Number.isNaN(wait));
      return {
        percent,
        chance: status === 'ok' ? taken.length / among.length : null,
        medianHours: status === 'ok' ? medianOf(taken) : null,
      };
    });
    return { status, books: among.length, cases, neededCases, drops };
  };
  return {
    priceNow,
    percentileNow,
    overall: judge(places, needed.overall),
    similar: judge(places.filter(isSimilar), needed.similar),
  };
}

const known = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** Hours from each of the places to the first book of its window whose price had fallen so far; NaN: none had. */
function waitsFor(
  { times, prices }: LowestPrices,
  ends: Int32Array,
  places: readonly number[],
  percent: number,
): Float64Array {
  const waits = new Float64Array(times.length).fill(Number.NaN);
  const share = 1 - percent / 100;
  for (const at of places) {
    const limit = share * (prices[at] as number);
    const end = ends[at] as number;
    let later = at + 1;
    while (later <= end && !((prices[later] as number) <= limit)) later += 1;
    if (later <= end) waits[at] = ((times[later] as number) - (times[at] as number)) / hourMs;
  }
  return waits;
}

/** Where each price stands among those of the 7 days before its book, equal ones by half, 0 to 100; NaN: nowhere. */
function percentilesOf(times: Float64Array, prices: Float64Array): Float64Array {
  let from = 0;
  return Float64Array.from(times, (time, at) => {
    while ((times[from] as number) <= time - percentileDays * dayMs) from += 1;
    const price = prices[at] as number;
    let [below, equal, all] = [0, 0, 0];
    for (let before = from; before < at; before += 1) {
      const other = prices[before] as number;
      if (Number.isNaN(other)) continue;
      all += 1;
      if (other < price) below += 1;
      else if (other === price) equal += 1;
    }
    return all === 0 || Number.isNaN(price) ? Number.NaN : (100 * (below + equal / 2)) / all;
  });
}
