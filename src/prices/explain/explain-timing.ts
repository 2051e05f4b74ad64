import { countOf } from '../../core/count-of.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { readFilter } from '../../core/http/query.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import { createMismatch } from '../../core/offer-match.ts';
import { offerPrices } from '../newest/offer-prices.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { judgeTiming, timingMeaning } from '../verdicts/price-timing.ts';
import { type PriceNow, readTimingBooks } from '../verdicts/read-timing.ts';
import type { ExplainedModel } from './explain-answer.ts';
import { pricedAt8Gb } from './explain-lowest.ts';
import type { AskedPrices } from './explain-params.ts';
import { type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';
import { readNewestRows } from './newest-rows.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Explains whether a model's lowest price is low now: the lowest price of each book that it is compared with. */
export async function explainTiming(
  deps: PricesDeps,
  series: ExplainedModel,
  asked: AskedPrices,
): Promise<ExplainedFigures> {
  const { marketId, scopeId, type, gpuName } = series;
  const request = { marketId, scopeId, type, gpuName, filter: readFilter(asked) };
  const { times, prices } = await readTimingBooks(
    deps,
    request,
    await readPriceNow(deps, series, request.filter),
  );
  const timing = judgeTiming(times, prices);
  const [now, price] = [times.at(-1), prices.at(-1)];
  if (timing === null || now === undefined || price === undefined)
    throw new ApiProblem(404, 'not-found', 'There is too little history to compare the lowest price with.');
  const rows = Array.from(times, (time, at): Figures & { rejected: string | null } => {
    const lowest = prices[at] as number;
    return {
      t: new Date(time).toISOString(),
      usdPerGpuHour: Number.isNaN(lowest) ? null : lowest,
      hours: at + 1 === times.length ? 0 : Math.min((times[at + 1] as number) - time, dayMs) / hourMs,
      compared: Number.isNaN(lowest)
        ? null
        : lowest === price
          ? 'equal'
          : lowest < price
            ? 'lower'
            : 'higher',
      rejected: reasonOf(now - time, lowest, timing.days),
    };
  }).reverse();
  const taken = rows.filter(({ rejected }) => rejected === null);
  const rejected = rows.filter((row) => row.rejected !== null);
  const hoursOf = (...words: string[]): number =>
    taken
      .filter(({ compared }) => words.includes(String(compared)))
      .reduce((sum, { hours }) => sum + Number(hours), 0);
  const cheapestFirst = taken.toSorted((a, b) => Number(a.usdPerGpuHour) - Number(b.usdPerGpuHour));
  const median = cheapestFirst.find(
    (_, at) =>
      cheapestFirst.slice(0, at + 1).reduce((sum, { hours }) => sum + Number(hours), 0) >=
      hoursOf('lower', 'equal', 'higher') / 2,
  );
  const share = (hours: number): number => (100 * hours) / hoursOf('lower', 'equal', 'higher');
  return {
    text: [
      `The lowest price in the book of ${momentWords(new Date(now))} beside that of ${countOf(taken.length, 'complete book')} of the ${timing.days} days before, each over the offers that matched the same filters in that book, without outliers: in what share of the time it was higher or lower, and its median, below or at which it was for half of the time. ${timingMeaning} A book counts for the hours until the next one, at most 24. ${leftOutWords(rejected)}`,
    ],
    value: {
      lowest: price,
      higherPercent: timing.higherPercent,
      lowerPercent: timing.lowerPercent,
      percentile: timing.percentile,
      median: timing.medianUsdPerGpuHour,
      books: timing.books,
    },
    recomputed: {
      lowest: rows[0]?.usdPerGpuHour ?? null,
      higherPercent: share(hoursOf('higher')),
      lowerPercent: share(hoursOf('lower')),
      percentile: share(hoursOf('lower') + hoursOf('equal') / 2),
      median: median?.usdPerGpuHour ?? null,
      books: taken.length,
    },
    unit: 'USD/GPU/hour',
    formula: `100 × (hours with a lower lowest price + half of those with an equal one) / hours, of each offer ${pricedAt8Gb}`,
    taken,
    rejected,
  };
}

/** Returns a model's lowest price in its newest book, outliers left out. Throws a 404 if that book is not complete. */
async function readPriceNow(
  deps: PricesDeps,
  series: ExplainedModel,
  filter: OfferFilter,
): Promise<PriceNow> {
  const { book, offers } = await readNewestRows(deps, series);
  const outlierTest = await deps.outlierTests(series, book.observedAt);
  const mismatch = createMismatch(filter, defaultProfile.storageGb);
  const matching = offers.filter((offer) => mismatch(offer) === null);
  const { lowest } = offerPrices(matching, outlierTest);
  return { observedAt: book.observedAt, usdPerGpuHour: lowest ?? Number.NaN };
}

function reasonOf(beforeMs: number, lowest: number, days: number): string | null {
  if (beforeMs === 0) return 'the newest book';
  if (beforeMs >= days * dayMs) return `older than ${days} days`;
  return Number.isNaN(lowest) ? 'nothing was listed' : null;
}
