import { countOf } from '../../core/count-of.ts';
import { gradePercentile, type PriceGrade } from './price-grade.ts';
import { shareWords } from './verdict-words.ts';

/** A lowest price, and the moment of the first book that had another one. */
interface LastPrice {
  usdPerGpuHour: number;
  until: string;
}

/** How the lowest price of now stands among those of the days before. */
export interface PriceTiming {
  grade: PriceGrade;
  /** Days that it is compared with. */
  days: number;
  /** Complete books of these days with a price. */
  books: number;
  /** Share of the time of these books with a lower one, an equal one counted half, 0 to 100; 0: the lowest. */
  percentile: number;
  /** Share of that time in which it was lower, and higher, in percent. */
  lowerPercent: number;
  higherPercent: number;
  /** The usual lowest price, USD: in half of that time it was at most this. */
  medianUsdPerGpuHour: number;
  /** The last lowest price that differed, whichever way, by at least `minChangeUsd`; null: none did. */
  last: LastPrice | null;
  /** The grade in a few words: `a good time to rent`. */
  text: string;
  /** What it rests on, briefly: `the lowest price was higher in 83% of the last 7 days`. */
  claim: string;
  /** Both, with the number of books. */
  sentence: string;
}

/** Days that a price is compared with, the ones that are preferred first. */
const timingDays = [30, 7] as const;
export const maxTimingDays = Math.max(...timingDays);
const enough = { books: 30, coverage: 0.7 };
const dayMs = 86_400_000;
/** Prices are shown to $0.0001: closer ones are no movement. */
const minChangeUsd = 0.000_05;
/** A price that is closer to the usual one is as usual, however often it was lower or higher. */
const minUnusualShare = 0.01;

const texts: Record<PriceGrade, string> = {
  very_low: 'a very good time to rent',
  low: 'a good time to rent',
  usual: 'an ordinary time to rent',
  high: 'a bad time to rent',
  very_high: 'a very bad time to rent',
};

/** By what the grades are told, in words; by the limits of `gradeTime`. */
export const timingMeaning =
  'A good time: higher in at least 75% of the time, very good: in 90%; a bad time: lower in at least 75%, very bad: in 90%; else, or within 1% of the usual price, an ordinary time.';

/**
 * Judges the lowest price of the newest book by those of the books of the 30, else 7 days before, both ends left out; null:
 * too little history, or nothing is listed now. A book counts for the time until the next one, at most a day. `prices`: the lowest of each complete book at `times`, NaN: nothing was
 * listed. Source: docs/meaning.md#lowest-price-and-time.
 */
export function judgeTiming(times: Float64Array, prices: Float64Array): PriceTiming | null {
  const [now, price] = [times.at(-1) ?? 0, prices.at(-1) ?? Number.NaN];
  if (Number.isNaN(price)) return null;
  for (const days of timingDays) {
    const found: Shares = { held: [], belowMs: 0, equalMs: 0, aboveMs: 0, last: null };
    const covered = new Set<number>();
    for (let at = times.length - 2; at >= 0; at -= 1) {
      const [time, other] = [times[at] as number, prices[at] as number];
      if (now - time >= days * dayMs) break;
      if (Number.isNaN(other)) continue;
      const until = times[at + 1] as number;
      const ms = Math.min(until - time, dayMs);
      found[other < price ? 'belowMs' : other > price ? 'aboveMs' : 'equalMs'] += ms;
      found.held.push({ usd: other, ms });
      if (Math.abs(other - price) >= minChangeUsd)
        found.last ??= { usdPerGpuHour: other, until: new Date(until).toISOString() };
      covered.add(Math.ceil((now - time) / dayMs));
    }
    if (found.held.length < enough.books || covered.size < enough.coverage * days) continue;
    return describeTiming(price, found, days);
  }
  return null;
}

/** How long the lowest price was below, equal to and above that of now, over some books. */
interface Shares {
  /** The lowest price of each book, and for how long it counts. */
  held: { usd: number; ms: number }[];
  belowMs: number;
  equalMs: number;
  aboveMs: number;
  last: LastPrice | null;
}

function describeTiming(price: number, found: Shares, days: number): PriceTiming {
  const { held, belowMs, equalMs, aboveMs, last } = found;
  const books = held.length;
  const medianUsdPerGpuHour = medianOf(held, (belowMs + equalMs + aboveMs) / 2);
  const share = (ms: number): number => (100 * ms) / (belowMs + equalMs + aboveMs);
  const percentile = share(belowMs + equalMs / 2);
  const [lowerPercent, higherPercent] = [share(belowMs), share(aboveMs)];
  const isUnusual = Math.abs(price - medianUsdPerGpuHour) >= minUnusualShare * medianUsdPerGpuHour;
  const grade = isUnusual ? gradeTime(lowerPercent, higherPercent) : 'usual';
  const text = texts[grade];
  const claim = claimOf(lowerPercent, higherPercent, days);
  const sentence = `${text}: ${claim} (${countOf(books, 'earlier book')})`;
  const shares = { percentile, lowerPercent, higherPercent, medianUsdPerGpuHour };
  return { grade, days, books, ...shares, last, text, claim, sentence };
}

/** Returns the lowest price that held, with those below it, for half of the time or more. */
function medianOf(held: Shares['held'], halfMs: number): number {
  let sum = 0;
  for (const { usd, ms } of held.toSorted((a, b) => a.usd - b.usd)) {
    sum += ms;
    if (sum >= halfMs) return usd;
  }
  return Number.NaN;
}

/** Returns the grade by the share that is said, so that a time in which the price was the same speaks for neither side. */
const gradeTime = (lower: number, higher: number): PriceGrade =>
  gradePercentile(higher >= lower ? Math.min(100 - higher, 50) : Math.max(lower, 50));

function claimOf(lower: number, higher: number, days: number): string {
  if (lower === 0 && higher === 0) return `the lowest price was the same all of the last ${days} days`;
  return higher >= lower
    ? `the lowest price was higher in ${shareWords(higher)} of the last ${days} days`
    : `the lowest price was lower in ${shareWords(lower)} of the last ${days} days`;
}
