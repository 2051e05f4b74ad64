import { defaultProfile, type UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import { medianOf } from '../../core/percentile.ts';
import type { Sql } from '../../database/connection.ts';
import { readTrends } from './read-trends.ts';

export interface PatternsRequest {
  /** null: the market was never recorded. */
  scopeId: number | null;
  type: PricingType;
  gpuName: string;
  from: Date;
  to: Date;
  /** The time zone of the hours of the week. */
  timeZone: string;
  filter: OfferFilter;
  profile: UsageProfile;
  /** For the whole offer; null: not requested. */
  budgetUsdPerHour: number | null;
}

/** An hour of the week over the range. */
export interface HourOfWeek {
  /** 1 is Monday. */
  weekday: number;
  hour: number;
  /** Median of the hourly medians, $/GPU/hour. */
  median: number;
  /** Number of hours in the range. */
  hours: number;
}

export interface Patterns {
  /** Hours of the week that ever had a price, from Monday's first. */
  hoursOfWeek: HourOfWeek[];
  /** The cheapest of those with enough hours, the earliest if equal; null: there is none. */
  cheapestHour: HourOfWeek | null;
  /** Hours that it must be the median of. */
  neededHours: number;
  /** Standard deviation of the median's relative daily changes, percent; null: under three days. */
  volatilityPercent: number | null;
  days: number;
  /** null: no budget was requested. */
  budget: {
    usdPerHour: number;
    /** Complete books, and those with an offer within the budget. */
    books: number;
    booksWithin: number;
    /** null: no complete book. */
    share: number | null;
  } | null;
}

/** A single hour of the week is a chance event; three weeks of it are the least that say something. */
const neededHours = 3;

/** Returns when a model is cheap, how much its price moves, and how often a budget would have been enough. */
export async function readPatterns(sql: Sql, request: PatternsRequest): Promise<Patterns> {
  const { scopeId, type, gpuName, from, to, filter, profile, budgetUsdPerHour } = request;
  const common = { scopeId, types: [type], gpuNames: [gpuName], filter, from, to };
  const perGpu = { ...common, metric: 'usdPerGpuHour' as const, profile: defaultProfile };
  const [hours, days, whole] = await Promise.all([
    readTrends(sql, { ...perGpu, bucket: '1h' }),
    readTrends(sql, { ...perGpu, bucket: '1d' }),
    budgetUsdPerHour === null
      ? null
      : readTrends(sql, { ...common, bucket: 'book', metric: 'usdPerHour', profile }),
  ]);
  const hoursOfWeek = cellsOf(medians(hours), request.timeZone);
  const sampled = hoursOfWeek.filter((cell) => cell.hours >= neededHours);
  const cheapest = sampled.reduce<HourOfWeek | null>(
    (best, cell) => (best === null || cell.median < best.median ? cell : best),
    null,
  );
  const daily = medians(days);
  const points = whole?.series[0]?.points ?? [];
  const booksWithin = points.filter(({ min }) => min !== null && min <= (budgetUsdPerHour ?? 0)).length;
  return {
    hoursOfWeek,
    cheapestHour: cheapest,
    neededHours,
    volatilityPercent: volatility(daily.map(({ median }) => median)),
    days: daily.length,
    budget:
      budgetUsdPerHour === null
        ? null
        : {
            usdPerHour: budgetUsdPerHour,
            books: points.length,
            booksWithin,
            share: points.length === 0 ? null : booksWithin / points.length,
          },
  };
}

const medians = ({ series }: Awaited<ReturnType<typeof readTrends>>): { t: Date; median: number }[] =>
  (series[0]?.points ?? []).flatMap(({ t, median }) => (median === null ? [] : [{ t, median }]));

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function cellsOf(hours: readonly { t: Date; median: number }[], timeZone: string): HourOfWeek[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const cells = new Map<number, number[]>();
  for (const { t, median } of hours) {
    const parts = Object.fromEntries(format.formatToParts(t).map(({ type, value }) => [type, value]));
    const place = weekdays.indexOf(parts.weekday ?? '') * 24 + Number(parts.hour);
    const values = cells.get(place);
    if (values === undefined) cells.set(place, [median]);
    else values.push(median);
  }
  return [...cells]
    .sort(([a], [b]) => a - b)
    .map(([place, values]) => ({
      weekday: Math.floor(place / 24) + 1,
      hour: place % 24,
      median: medianOf(values) ?? 0,
      hours: values.length,
    }));
}

/** For values in time order. */
function volatility(values: readonly number[]): number | null {
  const changes: number[] = [];
  for (const [index, value] of values.entries()) {
    const before = values[index - 1];
    if (before !== undefined && before > 0) changes.push(value / before - 1);
  }
  if (changes.length < 2) return null;
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const squares = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0);
  return 100 * Math.sqrt(squares / changes.length);
}
