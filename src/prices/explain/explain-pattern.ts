import { findNewest } from '../../books/newest-books.sql.ts';
import { wholeBuckets } from '../../core/bucket.ts';
import { countBelow } from '../../core/count-below.ts';
import { countOf } from '../../core/count-of.ts';
import { ApiProblem, badField } from '../../core/http/problem.ts';
import { readFilter, readProfile } from '../../core/http/query.ts';
import { readRange } from '../../core/http/time-range.ts';
import { defaultProfile } from '../../core/metric.ts';
import { createMismatch } from '../../core/offer-match.ts';
import { medianOf } from '../../core/percentile.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { readPatterns } from '../trends/read-patterns.ts';
import type { ExplainedModel } from './explain-answer.ts';
import { pricedAt8Gb } from './explain-lowest.ts';
import type { AskedPatterns } from './explain-pattern-params.ts';
import { type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';
import { poolHeld } from './held-books.ts';
import { readHeld } from './read-held.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** Digits of a bucket's stored median. */
const significantDigits = 9;

/** Explains the median of an hour of the week, by default the cheapest, from the range's hours. */
export async function explainWeek(
  deps: PricesDeps,
  series: ExplainedModel,
  asked: AskedPatterns,
): Promise<ExplainedFigures> {
  const { shown, range, timeZone } = await readShown(deps, series, asked);
  if ((asked.weekday === undefined) !== (asked.hour === undefined))
    throw badField('hour', 'and `weekday` must be given together');
  const cell =
    asked.hour === undefined
      ? shown.cheapestHour
      : shown.hoursOfWeek.find(({ weekday, hour }) => weekday === asked.weekday && hour === asked.hour);
  if (cell == null) {
    const why =
      asked.hour === undefined
        ? `No hour of the week has ${shown.neededHours} hours with prices: give \`weekday\` and \`hour\`.`
        : 'No complete book of the range is in this hour of the week.';
    throw new ApiProblem(404, 'not-found', why);
  }
  const { weekday, hour } = cell;
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const isOfCell = (t: number): boolean => {
    const local = new Date(`${clock.format(t).replace(' ', 'T')}Z`);
    return (local.getUTCDay() || 7) === weekday && local.getUTCHours() === hour;
  };
  const rows = (
    await readMedians(deps, series, asked, { ...wholeBuckets('1h', range), lengthMs: hourMs })
  ).filter((row) => isOfCell(Date.parse(row.t)));
  const { taken, rejected } = split(rows);
  return {
    text: [
      `Median of the medians of ${countOf(taken.length, 'hour')} from ${momentWords(range.from)} to ${momentWords(range.to)} that fall on ${weekdayNames[weekday - 1]} from ${hour}:00 in ${timeZone}. ${leftOutWords(rejected)}`,
      'An hour pools the prices of its complete books, as the point of an hour on Trends does.',
    ],
    value: { median: cell.median, hours: cell.hours },
    recomputed: { median: medianOf(taken.map(({ median }) => Number(median))), hours: taken.length },
    unit: 'USD/GPU/hour',
    formula: `median of the hours' medians, prices ${pricedAt8Gb}`,
    taken,
    rejected,
  };
}

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Explains the daily volatility of a model's median: its days with the change from the previous day. */
export async function explainVolatility(
  deps: PricesDeps,
  series: ExplainedModel,
  asked: AskedPatterns,
): Promise<ExplainedFigures> {
  const { shown, range } = await readShown(deps, series, asked);
  const days = await readMedians(deps, series, asked, { ...wholeBuckets('1d', range), lengthMs: dayMs });
  const { taken, rejected } = split(days);
  const changes = taken.slice(1).flatMap(({ median }, place) => {
    const before = Number(taken[place]?.median);
    return before > 0 ? [Number(median) / before - 1] : [];
  });
  const mean = changes.reduce((sum, change) => sum + change / changes.length, 0);
  const variance = changes.reduce((sum, change) => sum + change ** 2 / changes.length, 0) - mean ** 2;
  return {
    text: [
      `The standard deviation of ${countOf(changes.length, 'relative change')} from a day with a price to the next, of ${countOf(taken.length, 'UTC day')}. ${leftOutWords(rejected)}`,
    ],
    value: { volatilityPercent: shown.volatilityPercent, days: shown.days },
    recomputed: {
      volatilityPercent: changes.length < 2 ? null : 100 * Math.sqrt(Math.max(0, variance)),
      days: taken.length,
    },
    unit: '%',
    formula: '100 × √(mean of the squared changes − squared mean of the changes)',
    taken: [...taken].reverse(),
    rejected,
  };
}

/** Returns the response of `/api/patterns` and its range. */
async function readShown(
  deps: PricesDeps,
  { marketId, type, gpuName }: ExplainedModel,
  asked: AskedPatterns,
) {
  const { scopeId, newest } = await findNewest(deps.sql, marketId, [type]);
  const range = readRange(asked, newest, deps.now());
  const { timeZone } = asked;
  const shown = await readPatterns(deps.sql, {
    scopeId,
    type,
    gpuName,
    ...range,
    timeZone,
    budgetUsdPerHour: null,
    filter: readFilter(asked),
    profile: readProfile(asked),
  });
  return { shown, range, timeZone };
}

type MedianRow = Figures & { t: string; median: number | null; rejected: string | null };

/** Returns the median of each span of a range, of the prices in its complete books. */
async function readMedians(
  { sql }: PricesDeps,
  series: ExplainedModel,
  asked: AskedPatterns,
  { from, to, lengthMs }: { from: Date; to: Date; lengthMs: number },
): Promise<MedianRow[]> {
  const mismatch = createMismatch(readFilter(asked), defaultProfile.storageGb);
  const { held, times } = await readHeld(sql, series, { from, to });
  const fitting = held.filter((row) => mismatch(row) === null);
  const rows: MedianRow[] = [];
  for (let t = from.getTime(); t < to.getTime(); t += lengthMs) {
    const own = times.slice(countBelow(times, t), countBelow(times, t + lengthMs));
    const { count: prices, percentile } = poolHeld(own.length === 0 ? [] : fitting, own);
    const exact = percentile(0.5);
    const median = exact === null ? null : Number(exact.toPrecision(significantDigits));
    rows.push({
      t: new Date(t).toISOString(),
      books: own.length,
      prices,
      median,
      rejected: own.length === 0 ? 'no complete book' : median === null ? 'no offer matched' : null,
    });
  }
  return rows;
}

const split = (rows: readonly MedianRow[]) => ({
  taken: rows.filter(({ rejected }) => rejected === null),
  rejected: rows.filter(({ rejected }) => rejected !== null),
});
