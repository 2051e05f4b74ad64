import type { Decimal } from 'decimal.js';
import { findScope } from '../../books/newest-books.sql.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { Sql } from '../../database/connection.ts';
import { countOf, type Figures, leftOutWords } from '../../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../../prices/explain/explanation-schema.ts';
import { poolHeld } from '../../prices/explain/held-books.ts';
import { cheapestAt, judgeListPrices } from '../../prices/explain/held-list-prices.ts';
import { readHeld } from '../../prices/explain/read-held.ts';
import { Exact } from '../exact-sums.ts';
import { readTouchingEntries, type TouchingEntry } from '../explained-entries.sql.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { type ComparedInstance, compareWithMarket } from './spend-vs-market.ts';

const hourMs = 3_600_000;
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
  const rows = hours.map(({ t, seconds, paid }) => {
    const prices = priceAt(t);
    const gpuHours = new Exact(seconds).times(shown.numGpus ?? 0).dividedBy(3600);
    const cloud = cloudAt({ t, seconds });
    const over = (rate: number | null): Decimal | null =>
      rate === null ? null : paid.minus(gpuHours.times(rate)).toDecimalPlaces(decimals);
    return { t, seconds, paid, ...prices, overMedian: over(prices.median), overMin: over(prices.min), cloud };
  });
  const known = rows.filter(({ overMedian }) => overMedian !== null);
  const listed = rows.filter(({ cloud }) => cloud !== null);
  const sumOf = (pick: (row: (typeof rows)[number]) => Decimal | null, among = known): string | null =>
    among.length === 0 ? null : among.reduce((sum, row) => sum.plus(pick(row) ?? 0), new Exact(0)).toString();
  const unknown = shown.unattributable ?? 'no complete book of that hour has its GPU model';
  const items = rows.map(
    (row): Figures => ({
      t: new Date(row.t).toISOString(),
      seconds: row.seconds,
      paidUsd: row.paid.toString(),
      books: row.books,
      medianUsdPerGpuHour: row.median,
      minUsdPerGpuHour: row.min,
      overMedianUsd: row.overMedian?.toString() ?? null,
      overMinUsd: row.overMin?.toString() ?? null,
      cloud: row.cloud?.provider ?? null,
      cloudUsd: row.cloud?.usd.toString() ?? null,
      rejected: row.overMedian === null ? unknown : null,
    }),
  );
  const [taken, rejected] = [
    items.filter((item) => item.rejected === null),
    items.filter((item) => item.rejected !== null),
  ];
  const { paidUsd, comparedUsd, overMedianUsd, overMinUsd, cloudUsd, cloudComparedUsd } = shown;
  return {
    text: [
      `${countOf(taken.length, 'charged hour')} compared with the prices of ${shown.gpuName ?? 'an unknown model'} in the complete books of the same hour, at ${shown.storageGb ?? defaultProfile.storageGb} GB of storage. ${leftOutWords(rejected as { rejected: string }[])}`,
      ...(listed.length === 0
        ? []
        : [`${countOf(listed.length, 'hour')} at the cheapest list price in force as each began.`]),
      'Charges for GPUs and disk, each split over its hours by seconds; traffic and hours without GPUs are left out.',
    ],
    value: { paidUsd, comparedUsd, overMedianUsd, overMinUsd, cloudUsd, cloudComparedUsd },
    recomputed: {
      paidUsd: sumOf(({ paid }) => paid, rows),
      comparedUsd: sumOf(({ paid }) => paid),
      overMedianUsd: sumOf(({ overMedian }) => overMedian),
      overMinUsd: sumOf(({ overMin }) => overMin),
      cloudUsd: sumOf((row) => row.cloud?.usd ?? null, listed),
      cloudComparedUsd: sumOf(({ paid }) => paid, listed),
    },
    unit: 'USD',
    formula: 'paidUsd − seconds / 3600 × numGpus × price per GPU of the hour',
    taken,
    rejected,
  };
}

/** Returns the cost of an instance's GPUs and disk in each hour in which its GPUs were charged. */
export function splitByHour(
  entries: readonly TouchingEntry[],
  { from, to }: SpendScope,
  source: string | null,
): { t: number; seconds: number; paid: Decimal }[] {
  const own = entries.filter(
    (entry) =>
      entry.source === source &&
      entry.type === 'instance' &&
      entry.kind === 'consumption' &&
      entry.basis === 'charged' &&
      !entry.disappeared &&
      (entry.service === 'gpu' || entry.service === 'disk'),
  );
  const hours = new Map<number, { seconds: number; paid: Decimal }>();
  for (const { service, amountUsd, startMicros: start, untilMicros: until } of own) {
    const spentBy = (at: number): Decimal =>
      at === until
        ? new Exact(amountUsd)
        : new Exact(amountUsd)
            .times(at - start)
            .dividedBy(until - start)
            .toDecimalPlaces(decimals, Exact.ROUND_HALF_UP);
    const [begin, end] = [Math.max(start, from.getTime() * 1000), Math.min(until, to.getTime() * 1000)];
    const hourMicros = hourMs * 1000;
    for (let at = begin; at < end; ) {
      const t = Math.floor(at / hourMicros) * hourMicros;
      const next = Math.min(end, t + hourMicros);
      const hour = hours.get(t) ?? { seconds: 0, paid: new Exact(0) };
      hours.set(t, {
        seconds: hour.seconds + (service === 'gpu' ? (next - at) / 1_000_000 : 0),
        paid: hour.paid.plus(spentBy(next)).minus(spentBy(at)),
      });
      at = next;
    }
  }
  return [...hours]
    .filter(([, { seconds }]) => seconds > 0)
    .sort(([a], [b]) => a - b)
    .map(([t, hour]) => ({ t: t / 1000, ...hour }));
}

interface HourPrices {
  books: number;
  median: number | null;
  min: number | null;
}

/** Returns prices of an instance's model and disk by hour, from the hour's books; unknown if they hold too little. */
async function readHourPrices(
  sql: Sql,
  { marketId }: SpendScope,
  { gpuName, numGpus, type, storageGb, hours }: ComparedInstance,
): Promise<(t: number) => HourPrices> {
  const scopeId = await findScope(sql, marketId);
  const [first, last] = [hours[0]?.t, hours.at(-1)?.t];
  if (scopeId === null || gpuName === null || numGpus === null || type === null || !first || !last)
    return () => ({ books: 0, median: null, min: null });
  const range = { from: first, to: new Date(last.getTime() + hourMs) };
  const { held, times } = await readHeld(sql, { scopeId, type, gpuName }, range);
  return (t) => {
    const own = times.filter((time) => time >= t && time < t + hourMs);
    const { percentile, min } = poolHeld(held, own, storageGb ?? defaultProfile.storageGb);
    const median = percentile(0.5);
    return {
      books: own.length,
      median: median === null ? null : Number(median.toPrecision(significantDigits)),
      min,
    };
  };
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
