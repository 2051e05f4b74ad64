import { percentileCont } from '../../core/percentile.ts';
import type { Turns } from '../../core/turns.ts';
import { countApart, findWindows } from './book-windows.ts';
import { dropPercents } from './next-drops.ts';
import { pickInTurns } from './rank-in-turns.ts';

/** The complete books of a request in the order of time, with the lowest price at each. */
export interface LowestPrices {
  /** Milliseconds. */
  times: Float64Array;
  /** $/hour; NaN: no offer matched. */
  prices: Float64Array;
  /** Where each stands among those of the 7 days before its book, equal ones by half, 0 to 100; NaN: nowhere. */
  percentiles: Float64Array;
  /** For each of `dropPercents` as `findNextDrops` gives it. */
  nextDrops: readonly Int32Array[];
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

const needed = { overall: 30, similar: 10 } as const;
const similarPoints = 15;
const hourMs = 3_600_000;

/** Chances that waiting up to `hours` would have paid, by the past. Source: docs/meaning.md#wait-or-rent. */
export async function findWaitChances(
  { times, prices, percentiles, nextDrops }: LowestPrices,
  hours: number,
  turns: Turns,
): Promise<WaitChances> {
  const { ends } = findWindows(times, hours);
  const now = times.length - 1;
  const priceNow = now < 0 || Number.isNaN(prices[now]) ? null : (prices[now] as number);
  const percentileNow = priceNow === null ? null : known(percentiles[now]);
  const counts = (at: number): boolean => ends[at] !== -1 && !Number.isNaN(prices[at]);
  const places = await pickInTurns(times.length, counts, turns);
  const waits: Float64Array[] = [];
  for (const nextDrop of nextDrops) {
    const ofPercent = new Float64Array(times.length).fill(Number.NaN);
    await turns.over(places.length, (from, to) => {
      for (const at of places.subarray(from, to)) {
        const hit = nextDrop[at] as number;
        if (hit !== -1 && hit <= (ends[at] as number))
          ofPercent[at] = ((times[hit] as number) - (times[at] as number)) / hourMs;
      }
    });
    waits.push(ofPercent);
  }
  const isSimilar = (at: number): boolean =>
    percentileNow !== null && Math.abs((percentiles[at] as number) - percentileNow) <= similarPoints;
  const judge = async (among: Int32Array, neededCases: number): Promise<PriceDrops> => {
    const cases = countApart(times, among, hours);
    const status = cases < neededCases ? 'insufficient' : 'ok';
    const drops: PriceDrops['drops'] = [];
    for (const [index, percent] of dropPercents.entries()) {
      const taken = knownOf(waits[index] as Float64Array, among);
      drops.push({
        percent,
        chance: status === 'ok' ? taken.length / among.length : null,
        medianHours: status === 'ok' ? percentileCont(taken.sort(), 0.5) : null,
      });
      await turns.pass();
    }
    return { status, books: among.length, cases, neededCases, drops };
  };
  const overall = await judge(places, needed.overall);
  const similar = await judge(places.filter(isSimilar), needed.similar);
  return { priceNow, percentileNow, overall, similar };
}

/** The values at some places that are known. */
function knownOf(values: Float64Array, places: Int32Array): Float64Array {
  const taken = new Float64Array(places.length);
  let count = 0;
  for (const at of places) {
    const value = values[at] as number;
    if (Number.isNaN(value)) continue;
    taken[count] = value;
    count += 1;
  }
  return taken.subarray(0, count);
}

const known = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;
