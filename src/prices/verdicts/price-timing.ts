import { countOf } from '../../core/count-of.ts';
import { gradePercentile, type PriceGrade } from './price-grade.ts';
import { shareWords } from './verdict-words.ts';

/** A lowest price: the moments of its first book, among those compared, and of the first book after it. */
interface LastPrice {
  usdPerGpuHour: number;
  since: string;
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
  /** The last lowest price that held for `minHeldMs` and differed by `minMoveShare` of the price now; null: none did. */
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
/** A price that is closer to another one, as a share of it, is no movement. */
const minMoveShare = 0.01;
/** A price that held for less time, between two others, is not the price before. */
const minHeldMs = 3 * 3_600_000;
/** A price that is closer to the usual one is as usual, however often it was lower or higher. */
const minUnusualShare = 0.01;
/** A price that is closer to the usual one is never very good or very bad. */
const minVeryUnusualShare = 0.05;

const texts: Record<PriceGrade, string> = {
  very_low: 'a very good time to rent',
  low: 'a good time to rent',
  usual: 'an ordinary time to rent',
  high: 'a bad time to rent',
  very_high: 'a very bad time to rent',
};

/** By what the grades are told, in words; by the limits of `gradeTime`. */
export const timingMeaning =
  'A good time: higher in at least 75% of the time, very good: in 90%; a bad time: lower in at least 75%, very bad: in 90%; else, or within 1% of the usual price, an ordinary time. Never very good or very bad within 5% of the usual price.';

/**
 * Judges the lowest price of the newest book by those of the books of the 30, else 7 days before, both ends left out; null:
 * too little history, or nothing is listed now. A book counts for the time until the next one, at most a day. `prices`: the lowest of each complete book at `times`, NaN: nothing was
 * listed. Source: docs/meaning.md#lowest-price-and-time.
 */
export function judgeTiming(times: Float64Array, prices: Float64Array): PriceTiming | null {
  const [now, price] = [times.at(-1) ?? 0, prices.at(-1) ?? Number.NaN];
  if (Number.isNaN(price)) return null;
  for (const days of timingDays) {
    const found: Shares = { held: [], belowMs: 0, equalMs: 0, aboveMs: 0 };
    let first = times.length - 1;
    const covered = new Set<number>();
    for (let at = times.length - 2; at >= 0; at -= 1) {
      const [time, other] = [times[at] as number, prices[at] as number];
      if (now - time >= days * dayMs) break;
      if (Number.isNaN(other)) continue;
      first = at;
      const ms = countedMs(times, at);
      found[other < price ? 'belowMs' : other > price ? 'aboveMs' : 'equalMs'] += ms;
      found.held.push({ usd: other, ms });
      covered.add(Math.ceil((now - time) / dayMs));
    }
    if (found.held.length < enough.books || covered.size < enough.coverage * days) continue;
    return describeTiming(price, found, { days, last: lastLevel(times, prices, first) });
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
}

/**
 * A lowest price that held, give or take `minMoveShare`: the first book with it, the first after it, and for how long books
 * had it, in milliseconds.
 */
interface Level {
  usd: number;
  since: number;
  until: number;
  heldMs: number;
}

/** Returns for how long a book counts, in ms. */
const countedMs = (times: Float64Array, at: number): number =>
  Math.min((times[at + 1] as number) - (times[at] as number), dayMs);

/** Returns the last level before the newest book that is not its price, from the book `first` on; null: there is none. */
function lastLevel(times: Float64Array, prices: Float64Array, first: number): Level | null {
  const isOther = (level: Level): boolean =>
    level.heldMs >= minHeldMs && isMove(level.usd, prices.at(-1) as number);
  let level: Level | null = null;
  // For how long nothing may be known between books of one level: less where something is known, that nothing was listed.
  let maxGapMs = dayMs;
  for (let at = times.length - 2; at >= first; at -= 1) {
    const [since, usd] = [times[at] as number, prices[at] as number];
    if (Number.isNaN(usd)) {
      maxGapMs = minHeldMs;
      continue;
    }
    if (level === null || isMove(usd, level.usd) || level.since - since > maxGapMs) {
      if (level !== null && isOther(level)) return level;
      level = { usd, since, until: times[at + 1] as number, heldMs: 0 };
    }
    maxGapMs = dayMs;
    level.since = since;
    level.heldMs += countedMs(times, at);
  }
  return level !== null && isOther(level) ? level : null;
}

const isMove = (one: number, other: number): boolean => Math.abs(one - other) >= minMoveShare * other;

function describeTiming(
  price: number,
  { held, belowMs, equalMs, aboveMs }: Shares,
  { days, last }: { days: number; last: Level | null },
): PriceTiming {
  const books = held.length;
  const medianUsdPerGpuHour = medianOf(held, (belowMs + equalMs + aboveMs) / 2);
  const share = (ms: number): number => (100 * ms) / (belowMs + equalMs + aboveMs);
  const percentile = share(belowMs + equalMs / 2);
  const [lowerPercent, higherPercent] = [share(belowMs), share(aboveMs)];
  const unusual = Math.abs(price / medianUsdPerGpuHour - 1);
  const grade = gradeTime(lowerPercent, higherPercent, unusual);
  const text = texts[grade];
  const claim = claimOf(lowerPercent, higherPercent, days);
  const sentence = `${text}: ${claim} (${countOf(books, 'earlier book')})`;
  const shares = { percentile, lowerPercent, higherPercent, medianUsdPerGpuHour };
  return { grade, days, books, ...shares, last: last && describeLevel(last), text, claim, sentence };
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

const describeLevel = ({ usd, since, until }: Level): LastPrice => ({
  usdPerGpuHour: usd,
  since: new Date(since).toISOString(),
  until: new Date(until).toISOString(),
});

/**
 * Returns the grade by the share that is said, so that a time in which the price was the same speaks for neither side, and by
 * how far the price is from the usual one, as a share of that.
 */
function gradeTime(lower: number, higher: number, unusual: number): PriceGrade {
  if (unusual < minUnusualShare) return 'usual';
  const grade = gradePercentile(higher >= lower ? Math.min(100 - higher, 50) : Math.max(lower, 50));
  if (unusual >= minVeryUnusualShare) return grade;
  return grade === 'very_low' ? 'low' : grade === 'very_high' ? 'high' : grade;
}

function claimOf(lower: number, higher: number, days: number): string {
  if (lower === 0 && higher === 0) return `the lowest price was the same all of the last ${days} days`;
  return higher >= lower
    ? `the lowest price was higher in ${shareWords(higher)} of the last ${days} days`
    : `the lowest price was lower in ${shareWords(lower)} of the last ${days} days`;
}
