import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { PricingType } from '../../core/offer.ts';
import type { Verification } from '../../core/offer-fields.ts';
import type { CurrentOffers } from '../newest/current-offers.ts';
import type { CurrentOffer } from '../newest/offers.sql.ts';
import type { OutlierTest } from './segment-medians.ts';
import { type PoolSegment, type PoolWindow, percentileOf, type VerdictPools } from './verdict-pools.ts';
import { cheaperClaim, summarizeVerdict, type VerdictSummary } from './verdict-words.ts';

export interface VerdictWindow {
  days: number;
  /** Of the offer's price in the window's pool, 0 to 100, 0 for the cheapest; null: insufficient data. */
  percentile: number | null;
  /** That in words: `cheaper than 93%`; empty: insufficient data. */
  claim: string;
  status: 'ok' | 'insufficient';
  /** Prices pooled: one per machine and UTC day. */
  samples: number;
  machines: number;
  hosts: number;
  /** Share of the window's days with a complete book. */
  coverage: number;
  /** What there is too little of, in words; empty if sufficient. */
  missing: string[];
  /** Of its whole UTC days before the book's day, those with a price of the segment that is no outlier. */
  pricedDays: number;
  /** Those of them whose lowest price was below. */
  lowerDays: number;
}

/** How unusual an offer's price is. Source: docs/meaning.md#verdicts. */
export interface Verdict {
  /** The compared segment; `model`: all tiers, because the offer's own has too little history. */
  segment: {
    level: 'verification' | 'model';
    type: PricingType;
    gpuName: string;
    /** null: every tier at level `model`, else offers of unknown tier. */
    verification: Verification | null;
  };
  /** null: there is no complete book before. */
  lowestInDays: number | null;
  windows: VerdictWindow[];
  /** Among the current book's offers of the same segment, independent of history. */
  comparableNow: { percentile: number | null; claim: string; offers: number };
  /** In words. */
  summary: VerdictSummary;
}

/** Days that a verdict looks back. */
export const verdictDays = [7, 30, 90] as const;

const enough = { samples: 30, machines: 4, hosts: 3, coverage: 0.7 };

/** The inputs of verdicts at one complete book. */
export interface VerdictSources {
  pools: VerdictPools;
  current: CurrentOffers;
  outlierTest: OutlierTest;
}

/** Returns the verdict of an offer; null: its price is unknown. */
export function judgeOffer(sources: VerdictSources, offer: CurrentOffer): Verdict | null {
  const price = offer.listedUsdPerGpuHour;
  if (price === null) return null;
  const { gpuName, type, verification } = offer;
  const segment = segmentOf(sources.pools, offer);
  const byModel = segment.verification === 'all';
  const usualOf = (tier: Verification | null) => sources.outlierTest.usual({ gpuName, verification: tier });
  const comparable = sources.current.prices.get(`${gpuName}|${segment.verification ?? ''}`);
  const windows = verdictDays.map((days) => ({
    ...judgeWindow(sources.pools, segment, { price, days }),
    ...sources.pools.lowerDays(segment, { usdPerGpuHour: price, days, usualOf }),
  }));
  const percentileNow = comparable === undefined ? null : percentileOf(comparable, price);
  const comparableNow = {
    percentile: percentileNow,
    claim: cheaperClaim(percentileNow),
    offers: comparable?.length ?? 0,
  };
  const usual = sources.outlierTest(offer) === true ? usualOf(verification) : null;
  const shown = { gpuName, verification: byModel ? null : verification };
  return {
    segment: { level: byModel ? 'model' : 'verification', type, ...shown },
    lowestInDays: sources.pools.lowestInDays(segment, price, usualOf),
    windows,
    comparableNow,
    summary: summarizeVerdict({ windows, comparableNow, usdPerGpuHour: price, segment: shown, usual }),
  };
}

/**
 * Computes the pools for verdicts on a book's offers segment by segment in advance, so that no request has to wait: a
 * large segment takes tens of milliseconds. Lets other work run in between.
 */
export async function prepareVerdicts(sources: VerdictSources): Promise<void> {
  const segments = new Map<string, CurrentOffer>();
  for (const offer of sources.current.offers) {
    if (offer.listedUsdPerGpuHour !== null)
      segments.set(`${offer.gpuName}|${offer.verification ?? ''}`, offer);
  }
  for (const offer of segments.values()) {
    judgeOffer(sources, offer);
    await letOthersRun();
  }
}

/** Returns the segment to compare with: the offer's tier, or all tiers if only those have a sufficient window. */
function segmentOf(
  pools: VerdictPools,
  { gpuName, verification }: { gpuName: string; verification: Verification | null },
): PoolSegment {
  const own = { gpuName, verification };
  const all = { gpuName, verification: 'all' as const };
  const isJudged = (segment: PoolSegment): boolean =>
    verdictDays.some((days) => missingOf(pools.window(segment, days), days).length === 0);
  return !isJudged(own) && isJudged(all) ? all : own;
}

function judgeWindow(
  pools: VerdictPools,
  segment: PoolSegment,
  { price, days }: { price: number; days: number },
): Omit<VerdictWindow, 'pricedDays' | 'lowerDays'> {
  const pool = pools.window(segment, days);
  const missing = missingOf(pool, days);
  const percentile = missing.length === 0 ? percentileOf(pool.values, price) : null;
  return {
    days,
    percentile,
    claim: cheaperClaim(percentile),
    status: missing.length === 0 ? 'ok' : 'insufficient',
    samples: pool.values.length,
    machines: pool.machines,
    hosts: pool.hosts,
    coverage: pool.coverage,
    missing,
  };
}

/** Returns the percentile of a price in its verdict's pool over some days; null: too little history. */
export function percentileInPool(
  pools: VerdictPools,
  offer: { gpuName: string; verification: Verification | null },
  usdPerGpuHour: number,
  days: number,
): number | null {
  const pool = pools.window(segmentOf(pools, offer), days);
  return missingOf(pool, days).length === 0 ? percentileOf(pool.values, usdPerGpuHour) : null;
}

/** Returns what a pool over some days has too little of for a meaningful percentile; empty if sufficient. */
function missingOf({ values, machines, hosts, coverage }: PoolWindow, days: number): string[] {
  const missing: string[] = [];
  if (coverage < enough.coverage) {
    const needed = Math.ceil(enough.coverage * days);
    missing.push(`${Math.round(coverage * days)} of ${needed} needed days with a complete book`);
  }
  if (values.length < enough.samples)
    missing.push(`${values.length} of ${enough.samples} needed daily prices`);
  if (machines < enough.machines) missing.push(`${machines} of ${enough.machines} needed machines`);
  if (hosts < enough.hosts) missing.push(`${hosts} of ${enough.hosts} needed hosts`);
  return missing;
}
