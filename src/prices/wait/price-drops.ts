import { percentileCont } from '../../core/percentile.ts';
import type { Turns } from '../../core/turns.ts';
import { countApart, findPace, findWindows, type ReadingPace } from './book-windows.ts';
import { dropPercents } from './next-drops.ts';
import { pickInTurns } from './rank-in-turns.ts';

/** The complete books of a request in time order, with the lowest price of each. */
export interface LowestPrices {
  /** Milliseconds. */
  times: Float64Array;
  /** $/hour; NaN: no offer matched. */
  prices: Float64Array;
  /** Percentile among the prices of the 7 days before the book, counting equal ones half, 0 to 100; NaN: unknown. */
  percentiles: Float64Array;
  /** The result of `findNextDrops`, for each of `dropPercents`. */
  nextDrops: readonly Int32Array[];
}

/** What happened to the price in the hours after some past books. */
export interface PriceDrops {
  status: 'ok' | 'insufficient';
  /** Past books that count. */
  books: number;
  /** The number of these that are at least that many hours apart, chosen oldest first. */
  cases: number;
  /** Cases needed for a chance. */
  neededCases: number;
  drops: {
    percent: number;
    /** Share of books after which the price fell by this much in time, 0 to 1; null: too few cases. */
    chance: number | null;
    /** Median time to the first such book; null: there was none, or too few cases. */
    medianHours: number | null;
  }[];
}

export interface WaitChances extends ReadingPace {
  /** null: no offer matches in the newest book. */
  priceNow: number | null;
  /** Its percentile among the prices of the 7 days before, 0 to 100; null: unknown. */
  percentileNow: number | null;
  overall: PriceDrops;
  /** Over the books whose price had a similar percentile in its own last 7 days. */
  similar: PriceDrops;
}

const needed = { overall: 30, similar: 10 } as const;
const similarPoints = 15;
const hourMs = 3_600_000;

/** Returns the past chances that waiting up to `hours` would have paid off. Source: docs/meaning.md#wait-or-rent. */
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
  return { priceNow, percentileNow, overall, similar, ...findPace(times) };
}

/** Returns the known values at some indexes. */
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
