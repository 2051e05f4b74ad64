import { newestBooks } from '../../books/newest-books.sql.ts';
import { countOf } from '../../core/count-of.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { formatUsd } from '../../core/usd-words.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { isOutlier } from '../verdicts/segment-medians.ts';
import { cheaperClaim } from '../verdicts/verdict-words.ts';
import { judgeOffer, type Verdict } from '../verdicts/verdicts.ts';
import { readBookRows } from './book-rows.sql.ts';
import {
  compareDays,
  coveredShare,
  type DailyPool,
  type DayPrice,
  dayPrices,
  gatherPool,
  percentileAmong,
  pooledPlainly,
  pricesOf,
  sizesOf,
  usualByTier,
} from './daily-prices.ts';
import type { ExplainedSeries } from './explain-answer.ts';
import { type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';
import { readHeld } from './read-held.ts';
import { createSinceThen } from './since-then.ts';

const dayMs = 86_400_000;
const maxDays = 90;

/** Explains a listing's verdict in the newest book by its pool. `days`: the window whose rows are listed. */
export async function explainVerdict(
  deps: PricesDeps,
  series: ExplainedSeries,
  { listingId, days: asked }: { listingId: number; days: number | null },
): Promise<ExplainedFigures> {
  const { scopeId, type } = series;
  const book = (await newestBooks(deps.sql, scopeId)).find((each) => each.type === type);
  const current = book === undefined ? null : await deps.currentOffers(deps.sql, book);
  const offer = current?.offers.find((each) => each.listingId === listingId);
  if (book === undefined || current === null || offer === undefined) {
    throw new ApiProblem(404, 'not-found', 'The listing is not in the newest book, so it has no verdict.');
  }
  if (book.verdict !== 'complete')
    throw new ApiProblem(404, 'not-found', 'The newest book is partial, so it has no verdicts.');
  const { gpuName } = offer;
  const at = book.observedAt;
  const from = new Date(Math.floor((at.getTime() - maxDays * dayMs) / dayMs) * dayMs);
  const until = new Date(at.getTime() + 1);
  const [outlierTest, pools, { held, times }, bookRows] = await Promise.all([
    deps.outlierTests(series, at),
    deps.poolsAt(deps.sql, series, book),
    readHeld(deps.sql, { scopeId, type, gpuName }, { from, to: until }),
    readBookRows(deps.sql, book.id, gpuName, 'newest'),
  ]);
  const verdict = judgeOffer({ pools, current, outlierTest }, offer);
  if (verdict === null) throw new ApiProblem(404, 'not-found', 'The price of the listing is unknown.');
  const days = asked ?? shownDays(verdict);
  const window = verdict.windows.find((each) => each.days === days);
  if (window === undefined) throw new ApiProblem(404, 'not-found', 'A verdict looks back 7, 30 or 90 days.');
  const price = pooledPlainly(offer) ?? Number.NaN;
  const isOfSegment = (tier: string | null): boolean =>
    verdict.segment.level === 'model' || tier === verdict.segment.verification;
  const all = dayPrices(
    held,
    times.filter((time) => time < at.getTime()),
  );
  const percentiles = new Map(
    verdict.windows.map((each) => [each.days, gatherPool(all, isOfSegment, at.getTime(), each.days)]),
  );
  const pool = percentiles.get(days) ?? { taken: [], rejected: [] };
  const usual = usualByTier(held, times, at.getTime());
  const sinceThen = createSinceThen({ offers: current.offers, held, times });
  const comparable = bookRows
    .filter((row) => isOfSegment(row.verification))
    .flatMap((row) => pooledPlainly(row) ?? []);
  const value: Figures = {
    ...Object.fromEntries(verdict.windows.map((each) => [`percentile${each.days}`, each.percentile])),
    lowestInDays: verdict.lowestInDays,
    pricedDays: window.pricedDays,
    lowerDays: window.lowerDays,
    percentileNow: verdict.comparableNow.percentile,
    samples: window.samples,
    machines: window.machines,
    hosts: window.hosts,
    coverage: window.coverage,
  };
  const recomputed: Figures = {
    ...Object.fromEntries(
      verdict.windows.map((each) => [
        `percentile${each.days}`,
        each.status === 'ok' ? percentileAmong(pricesOf(percentiles.get(each.days)?.taken), price) : null,
      ]),
    ),
    ...compareDays({ all, held, times, at: at.getTime(), price, days, isOfSegment }),
    percentileNow: percentileAmong(comparable, price),
    ...sizesOf(pool.taken),
    coverage: coveredShare(times, at.getTime(), days),
  };
  return {
    text: sentences({ verdict, window, pool, price, at }),
    value,
    recomputed,
    unit: 'USD/GPU/hour',
    formula:
      '100 × (lower prices + half of the equal ones) / prices, of each machine and UTC day the lowest (baseUsdPerHour + storageUsdPerGbMonth × 8 / 720) / numGpus',
    taken: pool.taken.map((row) =>
      presentPrice(row, {
        compared: comparedWith(row, { price, at, usual }),
        sinceThen: row.usdPerGpuHour < price ? sinceThen(row) : null,
        rejected: null,
      }),
    ),
    rejected: pool.rejected.map(({ reason, ...row }) =>
      presentPrice(row, { compared: null, sinceThen: null, rejected: reason }),
    ),
  };
}

/** Returns the window that the verdict is summarized by, preferably a month; of an outlier the month. */
const shownDays = ({ summary }: Verdict): number => summary.days ?? 30;

/** Says how a price compares, and why a lower one does not make its day one on which the cheapest cost less. */
export function comparedWith(
  { usdPerGpuHour, verification, day }: Pick<DayPrice, 'usdPerGpuHour' | 'verification' | 'day'>,
  { price, at, usual }: { price: number; at: Date; usual: ReadonlyMap<string | null, number | null> },
): string {
  if (usdPerGpuHour >= price) return usdPerGpuHour === price ? 'equal' : 'higher';
  if (isOutlier(usdPerGpuHour, usual.get(verification) ?? null) === true) return 'lower, outlier';
  return day === Math.floor(at.getTime() / dayMs) ? "lower, on the book's day" : 'lower';
}

const presentPrice = (
  { machineId, hostId, listingId, verification, day, usdPerGpuHour }: DayPrice,
  { compared, sinceThen, rejected }: Record<'compared' | 'sinceThen' | 'rejected', string | null>,
): Figures => ({
  day: new Date(day * dayMs).toISOString().slice(0, 10),
  verification,
  usdPerGpuHour,
  compared,
  sinceThen,
  machineId,
  hostId,
  listingId: String(listingId),
  rejected,
});

function sentences(of: {
  verdict: Verdict;
  window: Verdict['windows'][number];
  pool: DailyPool;
  price: number;
  at: Date;
}): string[] {
  const { verdict, window, pool, price, at } = of;
  const { segment } = verdict;
  const named =
    segment.level === 'model'
      ? `all ${segment.gpuName}, since its own verification has too little history`
      : `${segment.gpuName}, ${segment.verification ?? 'verification unknown'}`;
  const judged =
    window.percentile === null
      ? `Not enough history for ${window.days} days: ${window.missing.join('; ')}.`
      : `${formatUsd(price)} per GPU-hour is ${cheaperClaim(window.percentile)} of ${countOf(pool.taken.length, 'daily price')} of ${countOf(window.machines, 'machine')} (${named}).`;
  return [
    `The ${window.days} days before the book of ${momentWords(at)}; of each machine and UTC day the lowest price. ${judged}`,
    ...verdict.windows.filter((each) => each.days !== window.days).map(otherWords),
    `The cheapest of the day cost less on ${window.lowerDays} of the ${countOf(window.pricedDays, 'whole UTC day')} with a price before ${at.toISOString().slice(0, 10)}, the book's own day, which does not count; outliers are left out. A day counts however briefly it cost less: for most of the time the lowest price can still have been higher.`,
    leftOutWords(pool.rejected.map(({ reason }) => ({ rejected: reason }))),
    'Prices of each machine and day are recomputed from presence and price intervals, which are never deleted.',
  ];
}

/** Describes a window whose prices are not listed. */
const otherWords = ({
  days,
  percentile,
  claim,
  samples,
  machines,
  missing,
}: Verdict['windows'][number]): string =>
  percentile === null
    ? `${days} days: not enough history: ${missing.join('; ')}.`
    : `${days} days: ${claim} of ${countOf(samples, 'daily price')} of ${countOf(machines, 'machine')}.`;
