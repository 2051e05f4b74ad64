import { chooseMarket, requireKnownModels } from '../../books/choose-market.ts';
import { findScope } from '../../books/newest-books.sql.ts';
import { countOf } from '../../core/count-of.ts';
import { ApiProblem, badField } from '../../core/http/problem.ts';
import { readFilter, readProfile, readTypes } from '../../core/http/query.ts';
import { medianOf } from '../../core/percentile.ts';
import type { PricesDeps } from '../prices-deps.ts';
import type { LowestPrices, PriceDrops } from '../wait/price-drops.ts';
import { readLowestPrices, readWaitOrRent } from '../wait/wait-or-rent.ts';
import type { AskedPrices } from './explain-params.ts';
import { type Figures, leftOutWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const [historyDays, percentileDays, maxGapHours, similarPoints] = [365, 7, 3, 15];
const percents = [5, 10, 20] as const;

/** Explains whether waiting has paid off: each book's lowest price and the hours until a sufficient drop. */
export async function explainWait(deps: PricesDeps, asked: AskedPrices): Promise<ExplainedFigures> {
  const [type, otherType] = readTypes(asked.type);
  if (type === undefined || otherType !== undefined) throw badField('type', 'must be given exactly once');
  const { gpuName: gpuNames = [], hours } = asked;
  const market = await chooseMarket(deps, asked.market);
  await requireKnownModels(deps, [market], gpuNames);
  const scopeId = await findScope(deps.sql, market.id);
  const request = {
    marketId: market.id,
    scopeId,
    type,
    gpuNames,
    filter: readFilter(asked),
    profile: readProfile(asked),
  };
  const shown = await readWaitOrRent(deps, { ...request, hours });
  const { lowest: prices } = await readLowestPrices(deps, request);
  if (prices.times.length === 0)
    throw new ApiProblem(404, 'not-found', 'The market has no complete book of this.');
  const books = followBooks(prices, hours);
  const now = books.at(-1);
  const taken = books.filter(({ rejected }) => rejected === null);
  const similar = taken.filter(
    ({ percentile }) =>
      percentile !== null &&
      now?.percentile != null &&
      Math.abs(percentile - now.percentile) <= similarPoints,
  );
  const again = { priceNow: now?.price ?? null, percentileNow: now?.percentile ?? null };
  const rows = books.map(
    ({ time, waits, ...book }): Figures => ({
      t: new Date(time).toISOString(),
      price: book.price,
      percentile: book.percentile,
      ...Object.fromEntries(percents.map((percent, at) => [`hoursTo${percent}`, waits[at] ?? null])),
      rejected: book.rejected,
    }),
  );
  const rejected = rows.filter((row) => row.rejected !== null);
  return {
    text: [
      `${countOf(taken.length, 'past book')} with the lowest all-in price of each, that of a whole offer with all its GPUs, and the hours until a book was cheaper by 5, 10 and 20%; ${countOf(countCases(taken, hours), 'case')} at least ${hours} hours apart. ${leftOutWords(rejected as { rejected: string }[])}`,
      'The lowest price of a book leaves outliers out. Its percentile: the share of the books of the 7 days before it that had a lower price, with half of those that had the same.',
    ],
    value: {
      priceNow: shown.priceNow,
      percentileNow: shown.percentileNow,
      ...shownDrops(shown.overall, ''),
      ...shownDrops(shown.similar, 'similar'),
    },
    recomputed: { ...again, ...dropsOf(taken, hours, 30, ''), ...dropsOf(similar, hours, 10, 'similar') },
    unit: 'USD/hour',
    formula:
      'chance of a drop by x % = books whose price fell by x % or more within the hours / all these books',
    taken: rows.filter((row) => row.rejected === null).reverse(),
    rejected,
  };
}

interface FollowedBook {
  time: number;
  price: number | null;
  percentile: number | null;
  /** Hours to the first price lower by each of `percents`; null: none in time. */
  waits: (number | null)[];
  rejected: string | null;
}

/** Returns every book with what followed it. */
function followBooks(
  { times, prices }: Pick<LowestPrices, 'times' | 'prices'>,
  hours: number,
): FollowedBook[] {
  const newest = times.at(-1) ?? 0;
  return Array.from(times, (time, at): FollowedBook => {
    const until = time + hours * hourMs;
    const price = Number.isNaN(prices[at]) ? null : (prices[at] as number);
    const waits: (number | null)[] = percents.map(() => null);
    let [gap, later] = [0, at];
    while (later + 1 < times.length && (times[later] as number) < until) {
      later += 1;
      const moment = times[later] as number;
      gap = Math.max(gap, moment - (times[later - 1] as number));
      if (moment > until) break;
      for (const [place, percent] of percents.entries()) {
        if (waits[place] !== null || price === null) continue;
        if ((prices[later] as number) <= (1 - percent / 100) * price) waits[place] = (moment - time) / hourMs;
      }
    }
    const rejected =
      time <= newest - historyDays * dayMs
        ? 'older than 365 days'
        : price === null
          ? 'no offer matched'
          : (times[later] as number) < until
            ? `its ${hours} hours are not over`
            : gap > maxGapHours * hourMs
              ? 'books more than 3 hours apart'
              : null;
    return {
      time,
      price,
      percentile: price === null ? null : percentileAt(times, prices, at),
      waits,
      rejected,
    };
  });
}

function percentileAt(times: Float64Array, prices: Float64Array, at: number): number | null {
  const [time, price] = [times[at] as number, prices[at] as number];
  let [lower, equal, all] = [0, 0, 0];
  for (
    let before = at - 1;
    before >= 0 && (times[before] as number) > time - percentileDays * dayMs;
    before -= 1
  ) {
    const other = prices[before] as number;
    if (Number.isNaN(other)) continue;
    all += 1;
    if (other < price) lower += 1;
    if (other === price) equal += 1;
  }
  return all === 0 ? null : (100 * (lower + equal / 2)) / all;
}

function countCases(books: readonly FollowedBook[], hours: number): number {
  let [cases, next] = [0, Number.NEGATIVE_INFINITY];
  for (const { time } of books) {
    if (time < next) continue;
    cases += 1;
    next = time + hours * hourMs;
  }
  return cases;
}

const nameIn = (prefix: string, name: string): string =>
  prefix === '' ? name : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const shownDrops = ({ books, cases, drops }: PriceDrops, prefix: string): Figures => ({
  [nameIn(prefix, 'books')]: books,
  [nameIn(prefix, 'cases')]: cases,
  ...Object.fromEntries(
    drops.flatMap(({ percent, chance, medianHours }) => [
      [nameIn(prefix, `chance${percent}`), chance],
      [nameIn(prefix, `medianHours${percent}`), medianHours],
    ]),
  ),
});

function dropsOf(books: readonly FollowedBook[], hours: number, needed: number, prefix: string): Figures {
  const cases = countCases(books, hours);
  const isEnough = cases >= needed;
  return {
    [nameIn(prefix, 'books')]: books.length,
    [nameIn(prefix, 'cases')]: cases,
    ...Object.fromEntries(
      percents.flatMap((percent, place) => {
        const waits = books.flatMap((book) => book.waits[place] ?? []);
        return [
          [nameIn(prefix, `chance${percent}`), isEnough ? waits.length / books.length : null],
          [nameIn(prefix, `medianHours${percent}`), isEnough ? medianOf(waits) : null],
        ];
      }),
    ),
  };
}
