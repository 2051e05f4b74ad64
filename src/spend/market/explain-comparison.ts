import type { Decimal } from 'decimal.js';
import { findScope } from '../../books/newest-books.sql.ts';
import { countOf } from '../../core/count-of.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Sql } from '../../database/connection.ts';
import { usualByTier } from '../../prices/explain/daily-prices.ts';
import { type Figures, leftOutWords } from '../../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../../prices/explain/explanation-schema.ts';
import { poolHeld } from '../../prices/explain/held-books.ts';
import { cheapestAt, judgeListPrices } from '../../prices/explain/held-list-prices.ts';
import type { HeldRow } from '../../prices/explain/held-rows.sql.ts';
import { plainPrice } from '../../prices/explain/plain-price.ts';
import { readHeld } from '../../prices/explain/read-held.ts';
import { isOutlier, outlierDays } from '../../prices/verdicts/segment-medians.ts';
import { Exact } from '../exact-sums.ts';
import { readTouchingEntries } from '../explained-entries.sql.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { equalMachineMeaning } from './comparison-words.ts';
import { outlierRange } from './lowest-hours.ts';
import { type HourPrices, lowestOr } from './market-hours.ts';
import { type ComparedInstance, compareWithMarket } from './spend-vs-market.ts';
import { type SplitHour, splitByHour } from './split-by-hour.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const decimals = 12;
const significantDigits = 9;
/** Maximum number of rows that a person would read. */
export const maxEntries = 50_000;

/** Compares an instance with the market hour by hour: charges split without SQL, prices from each hour's books. */
export async function explainComparison(
  sql: Sql,
  scope: SpendScope,
  source: string,
): Promise<ExplainedFigures> {
  const [compared, entries] = await Promise.all([
    compareWithMarket(sql, scope),
    readTouchingEntries(sql, scope, maxEntries),
  ]);
  const shown = compared.find((each) => each.source === source);
  if (shown === undefined)
    throw new ApiProblem(404, 'not-found', 'No instance of this source was charged in the range.');
  const hours = splitByHour(entries, scope, source);
  const [priceAt, cloudAt] = await Promise.all([
    readHourPrices(sql, scope, shown),
    readCloudHours(sql, shown),
  ]);
  const savedIn = savedAt(shown.cheaperEqual);
  const rows = hours.map((hour) => {
    const { t, seconds, paid } = hour;
    const prices = priceAt(t);
    const gpuHours = new Exact(seconds).times(shown.numGpus ?? 0).dividedBy(3600);
    const cloud = cloudAt({ t, seconds });
    const over = (rate: number | null): Decimal | null =>
      rate === null ? null : paid.minus(gpuHours.times(rate)).toDecimalPlaces(decimals);
    return {
      t,
      seconds,
      paid,
      ...prices,
      overMedian: over(prices.median),
      overMin: over(prices.min),
      overLowest: over(prices.lowest),
      saved: savedIn(hour),
      cloud,
    };
  });
  const known = rows.filter(({ overMedian }) => overMedian !== null);
  const listed = rows.filter(({ cloud }) => cloud !== null);
  const sumOf = (pick: (row: (typeof rows)[number]) => Decimal | null, among = known): string | null =>
    among.length === 0 ? null : among.reduce((sum, row) => sum.plus(pick(row) ?? 0), new Exact(0)).toString();
  const unknownOf = ({ books }: { books: number }): string =>
    shown.unattributable ??
    (books === 0
      ? 'no complete book was taken in that hour'
      : 'no complete book of that hour has the GPU model');
  const items = rows.map(
    (row): Figures => ({
      t: new Date(row.t).toISOString(),
      paidUsd: row.paid.toString(),
      savedUsd: row.saved?.toString() ?? null,
      overMedianUsd: row.overMedian?.toString() ?? null,
      overLowestUsd: row.overLowest?.toString() ?? null,
      overMinUsd: row.overMin?.toString() ?? null,
      medianUsdPerGpuHour: row.median,
      lowestUsdPerGpuHour: row.lowest,
      minUsdPerGpuHour: row.min,
      seconds: row.seconds,
      books: row.books,
      cloud: row.cloud?.provider ?? null,
      cloudUsd: row.cloud?.usd.toString() ?? null,
      rejected: row.overMedian === null ? unknownOf(row) : null,
    }),
  );
  const [taken, rejected] = [
    items.filter((item) => item.rejected === null),
    items.filter((item) => item.rejected !== null),
  ];
  const chargedHours = Number((known.reduce((sum, { seconds }) => sum + seconds, 0) / 3600).toFixed(1));
  const { paidUsd, comparedUsd, overMedianUsd, overMinUsd, overLowestUsd, cloudUsd, cloudComparedUsd } =
    shown;
  return {
    text: [
      `${countOf(taken.length, 'clock hour')} with ${chargedHours} h of charges compared with ${shown.type === null ? 'the prices' : pricesOf[shown.type]} of ${shown.gpuName ?? 'an unknown model'} in the complete books of that same hour, all offers of the market that could be rented, at ${shown.storageGb ?? defaultProfile.storageGb} GB of storage. An hour without a book of its own is left out: no price is carried over from another hour. ${leftOutWords(rejected as { rejected: string }[])}`,
      `The median counts every offer. The lowest price is given twice, with outliers and without; an outlier is below a quarter or above four times the median of its verification in the ${outlierDays} days that end with the last book of that UTC day.`,
      ...(listed.length === 0
        ? []
        : [`${countOf(listed.length, 'hour')} at the cheapest list price in force as each began.`]),
      ...equalWords(shown),
      'Charges for GPUs and disk, each spread evenly by seconds from its start to its end. Where the instance stood still in between, the bill does not say when: these hours count with the others, so that there may be more of them than billed GPU-hours, each at a lower price. Traffic, and disk where no GPUs were charged, are left out.',
    ],
    value: {
      paidUsd,
      comparedUsd,
      overMedianUsd,
      overMinUsd,
      overLowestUsd,
      savedUsd: shown.cheaperEqual?.savedUsd ?? null,
      cloudUsd,
      cloudComparedUsd,
    },
    recomputed: {
      paidUsd: sumOf(({ paid }) => paid, rows),
      comparedUsd: sumOf(({ paid }) => paid),
      overMedianUsd: sumOf(({ overMedian }) => overMedian),
      overMinUsd: sumOf(({ overMin }) => overMin),
      overLowestUsd: sumOf(({ overLowest }) => overLowest),
      savedUsd: sumOf(
        ({ saved }) => saved,
        rows.filter(({ saved }) => saved !== null),
      ),
      cloudUsd: sumOf((row) => row.cloud?.usd ?? null, listed),
      cloudComparedUsd: sumOf(({ paid }) => paid, listed),
    },
    unit: 'USD',
    formula: 'paidUsd − seconds / 3600 × numGpus × price per GPU of the hour',
    taken,
    rejected,
  };
}

/** Returns how much less an hour would have cost on a machine while that was offered; null: it was not. */
function savedAt(equal: ComparedInstance['cheaperEqual']): (hour: SplitHour) => Decimal | null {
  if (equal === null) return () => null;
  const [since, until] = [equal.since.getTime() * 1000, (equal.until?.getTime() ?? Number.MAX_VALUE) * 1000];
  return ({ seconds, paid, gpuFrom, gpuUntil }) => {
    const offered = Math.min(gpuUntil, until) - Math.max(gpuFrom, since);
    if (offered <= 0) return null;
    const less = paid.minus(new Exact(equal.usdPerHour).times(seconds).dividedBy(3600));
    return less.times(new Exact(offered).dividedBy(gpuUntil - gpuFrom)).toDecimalPlaces(decimals);
  };
}

/** Returns the equal machine that a saving is of, and in what it is equal. */
const equalWords = ({ cheaperEqual: equal }: ComparedInstance): string[] =>
  equal === null
    ? [`No cheaper equal machine was found. ${equalMachineMeaning}`]
    : [
        `Saved at equal machine ${equal.machineId}, which cost $${Number(equal.usdPerHour.toPrecision(6))}/hour with that disk, by the share of each hour in which it was seen on offer: until the last book that showed it, where a listing’s page counts until the first book without it. ${equalMachineMeaning}`,
      ];

/** What is compared with, by pricing type. */
const pricesOf: Record<PricingType, string> = {
  'on-demand': 'the on-demand prices',
  reserved: 'the reserved prices',
  bid: 'the bid prices (minimum bids)',
};

type BookedPrices = HourPrices & { books: number };

/** Returns prices of an instance's model and disk by hour, from the hour's books; unknown if they hold too little. */
async function readHourPrices(
  sql: Sql,
  { marketId }: SpendScope,
  { gpuName, numGpus, type, storageGb, hours }: ComparedInstance,
): Promise<(t: number) => BookedPrices> {
  const scopeId = await findScope(sql, marketId);
  if (scopeId === null || gpuName === null || numGpus === null || type === null || hours.length === 0)
    return () => ({ books: 0, median: null, min: null, lowest: null });
  const range = outlierRange(hours.map(({ t }) => t.getTime()));
  const { held, times } = await readHeld(sql, { scopeId, type, gpuName }, range);
  const gb = storageGb ?? defaultProfile.storageGb;
  const days = new Map<number, HeldDay>();
  return (t) => {
    const day = Math.floor(t / dayMs);
    const ofDay = days.get(day) ?? holdDay(held, times, day * dayMs);
    days.set(day, ofDay);
    const own = times.filter((time) => time >= t && time < t + hourMs);
    const { percentile, min } = poolHeld(ofDay.rows, own, gb);
    const median = percentile(0.5);
    return {
      books: own.length,
      median: median === null ? null : Number(median.toPrecision(significantDigits)),
      min,
      lowest: lowestOr(poolHeld(ofDay.serious, own, gb).min, min),
    };
  };
}

interface HeldDay {
  rows: HeldRow[];
  /** Without outliers. */
  serious: HeldRow[];
}

/** Returns what the books of a UTC day held, also without outliers by the medians up to its last book. */
function holdDay(held: readonly HeldRow[], times: readonly number[], start: number): HeldDay {
  const end = start + dayMs;
  const until = times.filter((time) => time < end);
  const usual = usualByTier(held, until, until.at(-1) ?? start);
  const rows = held.filter(
    ({ since, lastAt, before }) =>
      since.getTime() < end &&
      (lastAt === null || lastAt.getTime() >= start) &&
      (before === null || before.getTime() > start),
  );
  const isSerious = (row: HeldRow): boolean =>
    isOutlier(plainPrice(row), usual.get(row.verification) ?? null) !== true;
  return { rows, serious: rows.filter(isSerious) };
}

/** Returns what an instance's hours would have cost at the cheapest list price in force at each; null: unknown. */
export async function readCloudHours(
  sql: Sql,
  { gpuName, numGpus, type, hours }: ComparedInstance,
): Promise<(hour: { t: number; seconds: number }) => { provider: string; usd: Decimal } | null> {
  const [first, last] = [hours[0]?.t, hours.at(-1)?.t];
  if (gpuName === null || numGpus === null || type === null || !first || !last) return () => null;
  const to = new Date(last.getTime() + hourMs);
  const prices = await judgeListPrices(sql, { gpuName, type, from: first, to });
  return ({ t, seconds }) => {
    const price = cheapestAt(prices, new Date(t));
    if (price === null) return null;
    const usd = new Exact(seconds).times(numGpus).dividedBy(3600).times(price.usdPerHour).div(price.numGpus);
    return { provider: price.provider, usd: usd.toDecimalPlaces(decimals) };
  };
}
