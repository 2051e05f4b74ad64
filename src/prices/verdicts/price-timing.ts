import { countOf } from '../../core/count-of.ts';
import { gradePercentile, type PriceGrade } from './price-grade.ts';
import { shareWords } from './verdict-words.ts';

/** How the lowest price of now stands among those of the days before. */
export interface PriceTiming {
  grade: PriceGrade;
  /** Days that it is compared with. */
  days: number;
  /** Complete books of these days with a price. */
  books: number;
  /** Of the lowest price now among those of these books, counting equal ones half, 0 to 100; 0: the lowest. */
  percentile: number;
  /** The grade in a few words: `a good time to rent`. */
  text: string;
  /** What it rests on, briefly: `cheaper than 83% of the last 7 days`. */
  claim: string;
  /** Both, with the number of books. */
  sentence: string;
}

/** Days that a price is compared with, the ones that are preferred first. */
const timingDays = [30, 7] as const;
export const maxTimingDays = Math.max(...timingDays);
const enough = { books: 30, coverage: 0.7 };
const dayMs = 86_400_000;

const texts: Record<PriceGrade, string> = {
  very_low: 'a very good time to rent',
  low: 'a good time to rent',
  usual: 'an ordinary time to rent',
  high: 'a bad time to rent',
  very_high: 'a very bad time to rent',
};

/**
 * Judges the lowest price of the newest book by those of the books of the 30, else 7 days before, both ends left out; null:
 * too little history, or nothing is listed now. `prices`: the lowest of each complete book at `times`, NaN: nothing was
 * listed. Source: docs/meaning.md#lowest-price-and-time.
 */
export function judgeTiming(times: Float64Array, prices: Float64Array): PriceTiming | null {
  const [now, price] = [times.at(-1) ?? 0, prices.at(-1) ?? Number.NaN];
  if (Number.isNaN(price)) return null;
  for (const days of timingDays) {
    const earlier: number[] = [];
    const covered = new Set<number>();
    for (let at = times.length - 2; at >= 0; at -= 1) {
      const before = now - (times[at] as number);
      if (before >= days * dayMs) break;
      if (Number.isNaN(prices[at])) continue;
      earlier.push(prices[at] as number);
      covered.add(Math.ceil(before / dayMs));
    }
    if (earlier.length < enough.books || covered.size < enough.coverage * days) continue;
    return describeTiming(earlier, price, days);
  }
  return null;
}

function describeTiming(earlier: readonly number[], price: number, days: number): PriceTiming {
  const books = earlier.length;
  const below = earlier.filter((other) => other < price).length;
  const above = earlier.filter((other) => other > price).length;
  const percentile = (100 * (below + (books - below - above) / 2)) / books;
  const grade = gradePercentile(percentile);
  const text = texts[grade];
  const claim = claimOf({ below: (100 * below) / books, above: (100 * above) / books, days });
  return {
    grade,
    days,
    books,
    percentile,
    text,
    claim,
    sentence: `${text}: ${claim} (${countOf(books, 'book')})`,
  };
}

function claimOf({ below, above, days }: { below: number; above: number; days: number }): string {
  if (below === 0 && above === 0) return `the same all of the last ${days} days`;
  return above >= below
    ? `cheaper than ${shareWords(above)} of the last ${days} days`
    : `dearer than ${shareWords(below)} of the last ${days} days`;
}
