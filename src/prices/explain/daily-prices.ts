import { countBelow } from '../../core/count-below.ts';
import type { Verification } from '../../core/offer-fields.ts';
import { isOutlier, outlierDays } from '../verdicts/segment-medians.ts';
import type { Figures } from './explained-figures.ts';
import { createHeldBooks, poolHeld } from './held-books.ts';
import type { HeldRow } from './held-rows.sql.ts';
import { plainPrice } from './plain-price.ts';

const dayMs = 86_400_000;
const maxDays = 90;

/** A price of a machine on one UTC day. */
export interface DayPrice {
  machineId: number;
  hostId: number | null;
  listingId: number;
  verification: Verification | null;
  day: number;
  usdPerGpuHour: number;
  /** Milliseconds of the day's last book with this price. */
  lastMs: number;
}

/** The prices of a window: taken, and left out with the reason. */
export type DailyPool = { taken: DayPrice[]; rejected: (DayPrice & { reason: string })[] };

/** Returns a price rounded to a billionth, as pools compare it; null: unknown. */
export function pooledPlainly(offer: Parameters<typeof plainPrice>[0]): number | null {
  const price = Math.round(plainPrice(offer) * 1e9) / 1e9;
  return Number.isNaN(price) ? null : price;
}

/** Returns every price of a machine on a UTC day, from the books at these moments. */
export function dayPrices(held: readonly HeldRow[], times: readonly number[]): DayPrice[] {
  const booksOf = createHeldBooks(times);
  const prices: DayPrice[] = [];
  for (const row of held) {
    const usdPerGpuHour = pooledPlainly(row);
    if (usdPerGpuHour === null) continue;
    const { first, end } = booksOf(row);
    const { machineId, hostId, listingId, verification } = row;
    for (let place = first; place < end; ) {
      const day = Math.floor((times[place] as number) / dayMs);
      place = Math.min(end, countBelow(times, (day + 1) * dayMs));
      const lastMs = times[place - 1] as number;
      prices.push({ machineId, hostId, listingId, verification, day, usdPerGpuHour, lastMs });
    }
  }
  return prices;
}

/** Takes the lowest price per machine and day within the window; leaves out the others with the reason. */
export function gatherPool(
  all: readonly DayPrice[],
  isOfSegment: (tier: string | null) => boolean,
  at: number,
  days: number,
): DailyPool {
  const from = at - days * dayMs;
  const within = all.filter(({ lastMs }) => lastMs > from);
  const [own, others] = [
    within.filter(({ verification }) => isOfSegment(verification)),
    within.filter(({ verification }) => !isOfSegment(verification)),
  ];
  const byMachine = Map.groupBy(own, ({ machineId, day }) => `${machineId} ${day}`);
  const lowest = new Set(
    [...byMachine.values()].map((prices) =>
      prices.reduce((a, b) => (b.usdPerGpuHour < a.usdPerGpuHour ? b : a)),
    ),
  );
  return {
    taken: [...lowest].sort(
      (a, b) => a.usdPerGpuHour - b.usdPerGpuHour || a.day - b.day || a.machineId - b.machineId,
    ),
    rejected: [
      ...own
        .filter((row) => !lowest.has(row))
        .map((row) => ({ ...row, reason: 'not the lowest of its machine that day' })),
      ...others.map((row) => ({ ...row, reason: 'other verification' })),
    ],
  };
}

/** Returns the prices of some rows, $/GPU/hour. */
export const pricesOf = (rows: readonly DayPrice[] = []): number[] =>
  rows.map(({ usdPerGpuHour }) => usdPerGpuHour);

/** Returns the percentile of a price among others, counting equal ones half, 0 to 100; null: there are none. */
export function percentileAmong(prices: readonly number[], price: number): number | null {
  if (prices.length === 0) return null;
  const lower = prices.filter((each) => each < price).length;
  const equal = prices.filter((each) => each === price).length;
  return (100 * (lower + equal / 2)) / prices.length;
}

/** Counts the prices, machines and known hosts of a pool. */
export function sizesOf(rows: readonly DayPrice[]): Figures {
  const hosts = new Map<number, number>();
  for (const { machineId, hostId } of rows) {
    if (hostId !== null) hosts.set(machineId, Math.max(hostId, hosts.get(machineId) ?? hostId));
  }
  const machines = new Set(rows.map(({ machineId }) => machineId));
  return { samples: rows.length, machines: machines.size, hosts: new Set(hosts.values()).size };
}

/** Returns the share of days before `at` with a book, 0 to 1. */
export function coveredShare(times: readonly number[], at: number, days: number): number {
  const own = times.filter((time) => time < at && time > at - days * dayMs);
  return Math.min(1, new Set(own.map((time) => Math.floor(time / dayMs))).size / days);
}

/** Returns the usual price by verification: the median over the books of 30 days, each offer once per book. */
export function usualByTier(
  held: readonly HeldRow[],
  times: readonly number[],
  at: number,
): ReadonlyMap<string | null, number | null> {
  const recent = times.filter((time) => time > at - outlierDays * dayMs);
  const tiers = Map.groupBy(held, ({ verification }) => verification);
  return new Map([...tiers].map(([tier, rows]) => [tier, poolHeld(rows, recent).percentile(0.5)]));
}

/**
 * Compares a price with the lowest ones of earlier days, outliers left out: the days since one was as low, or else
 * since the first day with books, and of the given days before the book's day those with a price and those with a lower one.
 */
export function compareDays(question: {
  all: readonly DayPrice[];
  held: readonly HeldRow[];
  times: readonly number[];
  at: number;
  price: number;
  days: number;
  isOfSegment: (tier: string | null) => boolean;
}): { lowestInDays: number | null; pricedDays: number; lowerDays: number } {
  const { all, held, times, at, price, days, isOfSegment } = question;
  const usual = usualByTier(held, times, at);
  const today = Math.floor(at / dayMs);
  const serious = all
    .filter(({ verification }) => isOfSegment(verification))
    .filter((row) => isOutlier(row.usdPerGpuHour, usual.get(row.verification) ?? null) !== true)
    .map(({ day, usdPerGpuHour }) => ({ back: today - day, usdPerGpuHour }));
  const asLow = serious
    .filter(({ back, usdPerGpuHour }) => usdPerGpuHour <= price && back >= 0 && back <= maxDays)
    .map(({ back }) => back);
  const before = times.find((time) => time < at);
  const since = before === undefined ? null : Math.min(maxDays, today - Math.floor(before / dayMs));
  const compared = serious.filter(({ back }) => back >= 1 && back <= days);
  const lower = compared.filter(({ usdPerGpuHour }) => usdPerGpuHour < price);
  return {
    lowestInDays: asLow.length === 0 ? since : asLow.reduce((a, b) => Math.min(a, b)),
    pricedDays: new Set(compared.map(({ back }) => back)).size,
    lowerDays: new Set(lower.map(({ back }) => back)).size,
  };
}
